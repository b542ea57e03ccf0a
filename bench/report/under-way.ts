import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Figure } from '../support/measuring.ts'
import type { Report } from './report.ts'

/** A benchmark that ended. */
interface Ended {
  readonly benchmark: string
  readonly hasFailed: boolean
  readonly figures: readonly Figure[]
}

/** What a report is made of, as long as it is not made. */
type Begun = Pick<Report, 'kind' | 'startedAt' | 'commit' | 'machine'>

/** A report that takes hours, kept benchmark by benchmark, so that one that was ended can go on. */
export interface UnderWay {
  readonly begun: Begun
  readonly ended: readonly Ended[]
  keep(ended: Ended): void
  /** When the report is made. */
  remove(): void
}

const underWayIn = (folder: string, kind: Report['kind'], lines: readonly [Begun, ...Ended[]]): UnderWay => {
  const file = fileOf(folder, kind)
  const [begun, ...ended] = lines
  return {
    begun,
    ended,
    keep: another => {
      ended.push(another)
      appendFileSync(file, `${JSON.stringify(another)}\n`)
    },
    remove: () => rmSync(file, { force: true }),
  }
}

const fileOf = (folder: string, kind: Report['kind']): string => join(folder, `${kind}.under-way.jsonl`)

/** Begins a report; one that was under way is given up. */
export const beginReport = (folder: string, begun: Begun): UnderWay => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf(folder, begun.kind), `${JSON.stringify(begun)}\n`)
  return underWayIn(folder, begun.kind, [begun])
}

/**
 * The report that was ended before all was measured. Rejects with `invalid_configuration` where there is none, or where
 * it is of another commit or machine: its figures would not be of one thing.
 */
export const continueReport = (folder: string, now: Begun): UnderWay => {
  const file = fileOf(folder, now.kind)
  if (!existsSync(file)) throw refused('There is no report under way.')
  // The file is written above, a line at a time.
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line)) as [Begun, ...Ended[]]
  const [begun] = lines
  for (const field of ['commit', 'machine'] as const)
    if (begun[field] !== now[field])
      throw refused(`The report under way is of another ${field}: ${begun[field]}, and this is ${now[field]}.`)
  return underWayIn(folder, now.kind, lines)
}

const refused = (problem: string): AssayError =>
  new AssayError('invalid_configuration', `${problem} Begin one without --continue.`)
