import { parseArgs } from 'node:util'
import { AssayError } from '../infra/runtime/errors.ts'
import { measureAnchoring } from '../test/evidence/anchoring.ts'
import { type Figure, shown } from '../test/evidence/confidence.ts'
import { measureDuplicates, type WrongSkip } from '../test/evidence/duplicates.ts'
import { measureKinds, measureTaught } from '../test/evidence/kinds.ts'
import { measurePairs } from '../test/evidence/pairs.ts'
import { measurePersonalData } from '../test/evidence/personal-data.ts'
import { ENGINES, type Engines, type Pipeline, startPipeline } from '../test/evidence/pipeline.ts'
import { type Miss, measureSearches, twinsOf } from '../test/evidence/searches.ts'
import { assertHasSets, readSets, TASKS, type Task } from '../test/evidence/sets.ts'
import { measureThemes } from '../test/evidence/themes.ts'
import { noSuch } from './support/usage.ts'

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
  'search by its own words: claim among the first 5': { asked: '≥ .80', aim: '.90' },
  'search by the twin: claim among the first 5': { asked: '≥ .80', aim: '.90' },
  'needs: that Accept starts no claim for': { asked: '0', aim: '' },
  'themes: adjusted Rand index': { asked: '≥ .60', aim: '.70' },
  'themes: members of the first ten that are noise': { asked: '0', aim: '' },
  'themes: members of the first ten that are right': { asked: '≥ .85', aim: '.92' },
  'themes: adjusted Rand index after 60 answers': { asked: '≥ .85', aim: '.92' },
  'themes: adjusted Rand index after 120 answers': { asked: '≥ .60', aim: '.80' },
  'anchoring by 1 example: at the right node': { asked: '≥ .60', aim: '.80' },
  'anchoring by 1 example: at a wrong node': { asked: '≤ .05', aim: '' },
  'anchoring by 2 examples: at the right node': { asked: '≥ .60', aim: '.80' },
  'anchoring by 2 examples: at a wrong node': { asked: '≤ .05', aim: '' },
  'kinds: macro F1': { asked: '≥ .55', aim: '.60' },
  'kinds: macro F1 after 200 corrections': { asked: '≥ .64', aim: '.68' },
  'kinds: macro F1 after 1500 corrections': { asked: '≥ .72', aim: '.76' },
  'kinds: calibration error': { asked: '≤ .08', aim: '' },
  'kinds: right of those at 0.9 or more': { asked: '≥ .90', aim: '' },
  'personal data: strict F1': { asked: '≥ .92', aim: '.95' },
  'personal data: PHONE': { asked: '≥ .86', aim: '' },
}

interface Row {
  readonly measure: string
  readonly set: string
  readonly figure: Figure | number
}

/** A row for each measure of each set, the intervals in brackets, beside what is asked. */
const printRows = (rows: readonly Row[]): void => {
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
const printWrongSkips = (set: string, skips: readonly WrongSkip[]): void => {
  for (const { similarity, repeat, original } of skips) {
    console.log(`\nnot marked as the same in ${set}, skipped at ${similarity.toFixed(3)}:`)
    console.log(`    repeat:   ${oneLine(repeat)}\n    original: ${oneLine(original)}`)
  }
}

/** For a person to see why. */
const printMisses = (set: string, misses: readonly Miss[]): void => {
  for (const { query, wanted, found } of misses) {
    console.log(`\nnot found in ${set}: ${oneLine(query)}\n    wanted: ${oneLine(wanted)}`)
    for (const one of found) console.log(`    ${oneLine(one)}`)
  }
}

const SHOWN = 500
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, SHOWN)

const FLAGS = {
  /** The folder of the labelled sets; see `docs/operations/measure.md`. */
  sets: { type: 'string' },
  /** `embedded` or `engines`; both unless told. */
  on: { type: 'string' },
  /** One task; all unless told. */
  only: { type: 'string' },
} as const

/** How many examples each node of a map has when messages are anchored to it. */
const EXAMPLES = [1, 2]

/** What a task comes to: the rows of the table, and what a person should look at. */
interface Measured {
  readonly rows: readonly Row[]
  readonly wrongSkips?: readonly WrongSkip[]
}

const MEASURES: Readonly<Record<Task, (pipeline: Pipeline, folder: string) => AsyncIterable<Measured>>> = {
  duplicates: async function* (pipeline, folder) {
    for (const set of await readSets(folder, 'duplicates')) {
      const { found, skips, wrongSkips, proposals, decisions, broughtTogether } = await measureDuplicates(pipeline, set)
      const rowOf = (measure: string, figure: Row['figure']): Row => ({ measure, set: set.name, figure })
      const rows = [
        ...Object.entries(found).map(([by, figure]) => rowOf(`duplicate among the first 10: ${by}`, figure)),
        rowOf('skips that say the same', skips),
        rowOf('proposals: right', proposals.right),
        rowOf('proposals: share of true pairs', proposals.proposed),
        rowOf('proposals: a signal', proposals.aSignal),
        rowOf('decisions: right', decisions.right),
        rowOf('decisions: share of true pairs', decisions.proposed),
        rowOf('decisions: a signal', decisions.aSignal),
        rowOf('true pairs brought together', broughtTogether),
      ]
      yield { rows, wrongSkips }
    }
  },
  pairs: async function* (pipeline, folder) {
    for (const set of await readSets(folder, 'pairs')) {
      const { skips, joined, wrongSkips } = await measurePairs(pipeline, set)
      const rows = [
        { measure: 'skips that say the same', set: set.name, figure: skips },
        { measure: 'pairs that say the same: skipped', set: set.name, figure: joined },
      ]
      yield { rows, wrongSkips }
    }
  },
  searches: async function* (pipeline, folder) {
    const stored = new Map((await readSets(folder, 'duplicates')).map(set => [set.name, twinsOf(set.lines)]))
    for (const set of await readSets(folder, 'searches')) {
      const { texts, queries } = stored.get(set.name) ?? { texts: [], queries: [] }
      for (const [what, lines] of [['its own words', set.lines] as const, ['the twin', queries] as const]) {
        const { claims, all, misses } = await measureSearches(pipeline, texts, { lines })
        const rows = [
          { measure: `search by ${what}: claim among the first 5`, set: set.name, figure: claims },
          { measure: `search by ${what}: claim or signal, of all`, set: set.name, figure: all },
        ]
        yield { rows }
        printMisses(set.name, misses)
      }
    }
  },
  themes: async function* (pipeline, folder) {
    for (const set of await readSets(folder, 'themes')) {
      const { needs, randIndex, found, themes, noise, right, answered } = await measureThemes(pipeline, set)
      const rows = [
        { measure: `needs: without a claim, of ${needs.needs}`, set: set.name, figure: needs.unclaimed },
        { measure: 'needs: without a claim, that are questions', set: set.name, figure: needs.asked },
        { measure: 'needs: that Accept starts no claim for', set: set.name, figure: needs.lost },
        { measure: `needs: noise with a claim, of ${needs.noise}`, set: set.name, figure: needs.claimed },
        { measure: 'themes: adjusted Rand index', set: set.name, figure: randIndex },
        { measure: `themes: found of ${themes}`, set: set.name, figure: found },
        { measure: 'themes: members of the first ten that are noise', set: set.name, figure: noise },
        { measure: 'themes: members of the first ten that are right', set: set.name, figure: right },
        ...answered.flatMap(({ answers, ...after }) => [
          { measure: `themes: adjusted Rand index after ${answers} answers`, set: set.name, figure: after.randIndex },
          { measure: `themes: found of ${themes} after ${answers} answers`, set: set.name, figure: after.found },
        ]),
      ]
      yield { rows }
    }
  },
  anchoring: async function* (pipeline, folder) {
    for (const set of await readSets(folder, 'anchoring')) {
      for (const examples of EXAMPLES) {
        const figures = await measureAnchoring(pipeline, set, examples)
        const rowOf = (measure: string, figure: Figure): Row => ({
          measure: `anchoring by ${examples} example${examples === 1 ? '' : 's'}: ${measure}`,
          ...{ set: set.name, figure },
        })
        const rows = [
          rowOf('at the right node', figures.right),
          rowOf('at a wrong node', figures.wrong),
          rowOf('right, language of the examples', figures.sameLanguage),
          rowOf('right, another language', figures.otherLanguage),
          rowOf('right of those at a node', figures.ofAnchored),
          rowOf('at a node, belongs to none', figures.strangers),
        ]
        yield { rows }
      }
    }
  },
  kinds: async function* (pipeline, folder) {
    for (const set of await readSets(folder, 'kinds')) {
      const untaught = { after: '', ...(await measureKinds(pipeline, set)) }
      const taught = (await measureTaught(pipeline, set)).map(({ corrections, ...figures }) => ({
        after: ` after ${corrections} corrections`,
        ...figures,
      }))
      const rows = [untaught, ...taught].flatMap(({ after, macroF1, calibrationError, sure, answered }) => [
        { measure: `kinds: macro F1${after}`, set: set.name, figure: macroF1 },
        { measure: `kinds: calibration error${after}`, set: set.name, figure: calibrationError },
        { measure: `kinds: right of those at 0.9 or more${after}`, set: set.name, figure: sure },
        { measure: `kinds: answered${after}`, set: set.name, figure: answered },
      ])
      yield { rows }
    }
  },
  'personal-data': async function* (_, folder) {
    for (const set of await readSets(folder, 'personal-data')) {
      const { f1, byType, falsePositives } = measurePersonalData(set)
      const rows = [
        { measure: 'personal data: strict F1', set: set.name, figure: f1 },
        ...Object.entries(byType).map(([type, figure]) => ({
          measure: `personal data: ${type}`,
          set: set.name,
          figure,
        })),
        { measure: 'personal data: false positives', set: set.name, figure: falsePositives.length },
      ]
      yield { rows }
      for (const found of falsePositives) console.log(`    nothing personal is marked at ${found} in ${set.name}`)
    }
  },
}

/** How good the evidence is on labelled sets that the caller has: `-- evidence --sets=<folder>`. Nothing is fetched. */
export const evidence = async (given: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...given], options: FLAGS })
  const { sets: folder, on, only } = values
  if (folder === undefined)
    throw new AssayError('invalid_configuration', 'Name the folder of the labelled sets: --sets=<folder>.')
  const subjects = oneOf<Engines>('on', ENGINES, on)
  const tasks = oneOf<Task>('only', TASKS, only)
  assertHasSets(folder, tasks)
  for (const subject of subjects) {
    console.log(`\n== ${subject}\n`)
    const pipeline = await startPipeline(subject)
    try {
      const rows: Row[] = []
      for (const task of tasks) {
        for await (const measured of MEASURES[task](pipeline, folder)) {
          rows.push(...measured.rows)
          printWrongSkips(measured.rows[0]?.set ?? task, measured.wrongSkips ?? [])
        }
      }
      console.log('')
      printRows(rows)
    } finally {
      await pipeline.stop()
    }
  }
}

const oneOf = <Name extends string>(
  flag: string,
  names: readonly Name[],
  given: string | undefined,
): readonly Name[] => {
  if (given === undefined) return names
  const found = names.filter(name => name === given)
  if (found.length === 0)
    throw noSuch(`There is no --${flag}=${given}.`, given, Object.fromEntries(names.map(name => [name, name])))
  return found
}
