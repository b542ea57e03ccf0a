import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { decideBeside } from '../../../model/learning/learned-classifier.ts'
import type { ReadLesson } from '../../../model/learning/lessons.ts'
import { teach } from '../../../model/learning/teach.ts'
import { termsOf } from '../../../model/learning/terms.ts'
import { createBuiltInClassifier, MODEL } from '../../steps/classify/built-in/classifier.ts'
import { decide } from '../../steps/classify/built-in/linear.ts'
import { type Judged, macroF1 } from '../../steps/classify/built-in/measures.testing.ts'
import { HELD_OUT, type Labelled, TUNING } from '../../steps/classify/labelled.testing.ts'

/**
 * However one-sided, late or few lessons are, they make the classifier of a workspace no worse: in ten orders in which
 * people teach, after several counts of lessons, on texts that nobody taught. The same was measured on texts of
 * strangers: `docs/decisions/0024-classification.md`.
 */
const MAX_LOST = 0.01
const COUNTS = [25, 100, 400]
const MAX_LEFT = 150

interface Text extends Labelled, ReadLesson {
  readonly isRight: boolean
}

const read = async (labelled: readonly Labelled[]): Promise<readonly Text[]> => {
  const classifier = createBuiltInClassifier()
  const readings = await Promise.all(labelled.map(({ text, event }) => classifier.read({ text, event: event ?? null })))
  return labelled.flatMap((one, at) => {
    const reading = readings[at]
    if (reading === undefined) return []
    const { label } = decide(reading.likely, MODEL.leastConfidence)
    const terms = termsOf(one.text, reading.signs)
    return [{ ...one, terms, builtIn: reading.likely, is_correction: true, isRight: label === one.label }]
  })
}

const shuffle = (texts: readonly Text[]): readonly Text[] => {
  const hash = ({ text }: Text) => createHash('sha256').update(`order ${text}`).digest('hex')
  return texts.toSorted((one, other) => hash(one).localeCompare(hash(other)))
}
const first = (label: Labelled['label']) => (texts: readonly Text[]) => [
  ...texts.filter(text => text.label === label),
  ...texts.filter(text => text.label !== label),
]
const accepted = (texts: readonly Text[]) => texts.map(text => ({ ...text, is_correction: false }))

const ORDERS: Readonly<Record<string, (texts: readonly Text[]) => readonly Text[]>> = {
  'in no order': texts => texts,
  'problems first': first('problem'),
  'ideas first': first('idea'),
  'questions first': first('question'),
  'one list after the other': texts => texts.toSorted((one, other) => one.file.localeCompare(other.file)),
  'the longest first': texts => texts.toSorted((one, other) => other.text.length - one.text.length),
  'mistakes alone': texts => texts.filter(({ isRight }) => !isRight),
  'mistakes to one kind alone': texts => texts.filter(({ isRight, label }) => !isRight && label === 'idea'),
  'acceptances alone': texts => accepted(texts.filter(({ isRight, label }) => isRight && label !== 'unclassified')),
  'accepted problems alone': texts => accepted(texts.filter(({ isRight, label }) => isRight && label === 'problem')),
}

const judged = ({ label }: Text, given: Pick<Judged, 'given' | 'confidence'>): Judged => ({ expected: label, ...given })

describe('lessons in any order', () => {
  let asked: readonly Text[] = []
  let taught: readonly Text[] = []
  let without = 0
  before(async () => {
    asked = await read(HELD_OUT)
    taught = shuffle(await read(TUNING))
    without = macroF1(
      asked.map(text => {
        const { label, confidence } = decide(text.builtIn, MODEL.leastConfidence)
        return judged(text, { given: label, confidence })
      }),
    )
  })

  for (const [order, arrange] of Object.entries(ORDERS)) {
    for (const leaves of [false, true]) {
      it(`make nothing worse: ${order}, ${leaves ? 'with the rest left in Triage' : 'with nothing else there'}`, async () => {
        const all = arrange(taught)
        for (const count of COUNTS.filter((_, at) => all.length > (COUNTS[at - 1] ?? 0))) {
          const lessons = all.slice(0, count).toReversed()
          const spokenOf = new Set(lessons.map(({ text }) => text))
          const left = leaves ? taught.filter(({ text }) => !spokenOf.has(text)).slice(0, MAX_LEFT) : []
          const { learned } = await teach(lessons, left)
          const answers = asked.map(text => {
            const { label, confidence } = decideBeside(learned, text.terms, text.builtIn)
            return judged(text, { given: label, confidence })
          })
          const lost = without - macroF1(answers)
          assert.ok(lost <= MAX_LOST, `${count} lessons: ${lost.toFixed(3)} below ${without.toFixed(3)}`)
        }
      })
    }
  }
})
