import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Budget, type Figure, quantilesOf } from '../support/measuring.ts'

/** A figure over all rounds. */
export interface Summary extends Budget {
  readonly name: string
  readonly unit: string
  readonly at: number | null
  readonly median: number
  readonly least: number
  readonly most: number
  readonly rounds: number
  /** Null where nothing was asked. */
  readonly isKept: boolean | null
}

const isKept = ({ atMost, atLeast }: Budget, median: number): boolean | null =>
  atMost === undefined && atLeast === undefined
    ? null
    : median <= (atMost ?? Number.POSITIVE_INFINITY) && median >= (atLeast ?? Number.NEGATIVE_INFINITY)

/** What names the same figure in each round, and in each report. */
export const keyOf = ({ name, at }: { readonly name: string; readonly at?: number | null }): string =>
  at === undefined || at === null ? name : `${name}, at ${at}`

/** Median and spread of each figure over the rounds, in the order in which they were first measured. */
export const summarize = (figures: readonly Figure[]): readonly Summary[] =>
  [...Map.groupBy(figures, keyOf).values()].flatMap(same => {
    const [first] = same
    if (first === undefined) return []
    const { name, unit, at = null, atMost, atLeast } = first
    const quantile = quantilesOf(same.map(({ value }) => value))
    const asked = { ...(atMost === undefined ? {} : { atMost }), ...(atLeast === undefined ? {} : { atLeast }) }
    const median = quantile(0.5)
    return [
      {
        name,
        unit,
        at,
        ...asked,
        median,
        least: quantile(0),
        most: quantile(1),
        rounds: same.length,
        isKept: isKept(asked, median),
      },
    ]
  })

/** What was measured, of what, where. Only reports of one kind and one machine are compared. */
export interface Report {
  readonly kind: 'all' | 'quick'
  readonly startedAt: string
  /** With `+` behind it where the files were not as committed. */
  readonly commit: string
  readonly machine: string
  readonly figures: readonly Summary[]
  /** Benchmarks that ended with a failure, or that missed a budget of their own. */
  readonly failed: readonly string[]
}

export const describeMachine = (): string => {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${memory} GiB, ${process.platform}, Node ${process.version}`
}

export const readCommit = (root: string): string => {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`
  } catch {
    return 'unknown'
  }
}

/** The newest report in the folder that can be compared with this one; null when there is none. */
export const readLast = (folder: string, { kind, machine }: Pick<Report, 'kind' | 'machine'>): Report | null => {
  mkdirSync(folder, { recursive: true })
  const files = readdirSync(folder).filter(name => name.endsWith('.json'))
  for (const file of files.toSorted().toReversed()) {
    const report = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Report
    if (report.kind === kind && report.machine === machine) return report
  }
  return null
}

/** Keeps the report beside those before it; answers its file. */
export const keepReport = (folder: string, report: Report): string => {
  const file = join(folder, `${report.startedAt.replaceAll(':', '-')}-${report.kind}.json`)
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
  return file
}

/** What each figure was last time, by its key. */
export const mediansOf = (report: Report | null): ReadonlyMap<string, number> =>
  new Map(report?.figures.map(figure => [keyOf(figure), figure.median]))
