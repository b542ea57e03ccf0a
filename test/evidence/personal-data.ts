import { findPersonalData } from '../../processors/steps/scrub/redact.ts'
import { bootstrap, type Figure } from './confidence.ts'
import type { LabelledSet, Personal } from './sets.ts'

type Marked = Personal['spans'][number]

/** What scrub finds in one text beside what is marked there. */
interface Compared {
  readonly marked: readonly Marked[]
  readonly found: readonly Marked[]
}

export interface PersonalDataFigures {
  readonly f1: Figure
  readonly byType: Readonly<Record<string, Figure>>
  /** What was found where nothing personal is marked, not even in part. */
  readonly falsePositives: readonly string[]
}

const isSame = (one: Marked, other: Marked): boolean =>
  one.start === other.start && one.end === other.end && one.type === other.type

const overlaps = (one: Marked, other: Marked): boolean => one.start < other.end && other.start < one.end

/** A span counts when both ends and the type are right. */
const strictF1 = (texts: readonly Compared[]): number => {
  let right = 0
  let all = 0
  for (const { marked, found } of texts) {
    right += found.filter(one => marked.some(other => isSame(one, other))).length
    all += marked.length + found.length
  }
  return all === 0 ? Number.NaN : (2 * right) / all
}

/** What scrub takes from each text, held against the marks. Types that scrub does not have count as missed. */
export const measurePersonalData = ({ lines }: LabelledSet<Personal>): PersonalDataFigures => {
  const falsePositives: string[] = []
  const texts = lines.map(({ text, spans }): Compared => {
    const found = findPersonalData(text).map(({ start, end, kind }) => ({ start, end, type: kind }))
    for (const one of found) {
      if (!spans.some(other => overlaps(one, other)))
        falsePositives.push(`${one.type} "${text.slice(one.start, one.end)}"`)
    }
    return { marked: spans, found }
  })
  const types = [...new Set(lines.flatMap(({ spans }) => spans.map(({ type }) => type)))].toSorted()
  const only = (type: string) =>
    texts.map(({ marked, found }) => ({
      marked: marked.filter(one => one.type === type),
      found: found.filter(one => one.type === type),
    }))
  return {
    f1: bootstrap(texts, strictF1),
    byType: Object.fromEntries(types.map(type => [type, bootstrap(only(type), strictF1)])),
    falsePositives,
  }
}
