import { type Figure, shown } from '../../test/evidence/confidence.ts'
import type { WrongSkip } from '../../test/evidence/duplicates.ts'

/** What the project asks of itself: the least that is good enough, and what it aims at. */
interface Target {
  readonly asked: string
  readonly aim: string
}

const NONE: Target = { asked: '', aim: '' }

/** By the measure's name, as it is printed. */
const TARGETS: Readonly<Record<string, Target>> = {
  'duplicate among the first 10: product': { asked: '≥ .80', aim: '.85' },
  'duplicate among the first 10: words': { asked: '≥ BM25', aim: '' },
  'skips that say the same': { asked: '≥ .90', aim: '.97' },
  'proposals: right': { asked: '≥ .08', aim: '.15' },
  'proposals: share of true pairs': { asked: '≥ .35', aim: '.45' },
  'proposals: a signal': { asked: '≤ 0.2', aim: '' },
  'decisions: right': { asked: '≥ .08', aim: '.15' },
  'decisions: share of true pairs': { asked: '≥ .35', aim: '.45' },
  'decisions: a signal': { asked: '≤ 0.2', aim: '' },
  'kinds: macro F1': { asked: '≥ .55', aim: '.60' },
  'kinds: macro F1 after 200 corrections': { asked: '≥ .64', aim: '.68' },
  'kinds: macro F1 after 1500 corrections': { asked: '≥ .72', aim: '.76' },
  'kinds: calibration error': { asked: '≤ .08', aim: '' },
  'kinds: right of those at 0.9 or more': { asked: '≥ .90', aim: '' },
  'personal data: strict F1': { asked: '≥ .92', aim: '.95' },
  'personal data: PHONE': { asked: '≥ .86', aim: '' },
}

export interface Row {
  readonly measure: string
  readonly set: string
  readonly figure: Figure | number
}

/** A row for each measure of each set, the intervals in brackets, beside what is asked. */
export const printRows = (rows: readonly Row[]): void => {
  const cells = rows.map(({ measure, set, figure }) => {
    const { asked, aim } = TARGETS[measure] ?? NONE
    return [measure, set, typeof figure === 'number' ? figure.toFixed(2) : shown(figure), asked, aim]
  })
  const table = [['measure', 'set', 'measured (95 %)', 'asked', 'aim'], ...cells]
  const widths = table[0]?.map((_, column) => Math.max(...table.map(row => row[column]?.length ?? 0))) ?? []
  const lineOf = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...rest] = table
  const rule = widths.map(width => '-'.repeat(width))
  console.log([head, rule, ...rest].map(lineOf).join('\n'))
}

/** For a person to judge: marks miss many that say the same. */
export const printWrongSkips = (set: string, skips: readonly WrongSkip[]): void => {
  for (const { similarity, repeat, original } of skips) {
    console.log(`\nnot marked as the same in ${set}, skipped at ${similarity.toFixed(3)}:`)
    console.log(`    repeat:   ${oneLine(repeat)}\n    original: ${oneLine(original)}`)
  }
}

const SHOWN = 500
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, SHOWN)
