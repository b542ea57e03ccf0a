import { type Static, Type } from 'typebox'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { Log } from '../../../infra/log/port.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { Sealer } from '../../../infra/runtime/secrets.ts'
import { forgetSubjects } from '../../../model/erasures/activity.ts'
import { findRunning, type Sought } from '../../../model/erasures/erasures.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { Pipeline } from '../../framework/pipeline.ts'
import { cursorReader } from '../cursor.ts'
import type { JobDefinition } from '../job-kind.ts'
import type { LetterReader } from './matching-letters.ts'
import { PHASES } from './phases.ts'

export interface EraseDependencies extends LetterReader {
  readonly database: Database
  readonly analytics: Analytics
  readonly log: Pick<Log, 'lag'>
  readonly embedder: Embedder
  readonly sealer: Pick<Sealer, 'unseal'>
  readonly pipeline: Pick<Pipeline, 'segments'>
}

/** What a slice of an erasure works with. */
export interface Erasing {
  readonly id: string
  readonly workspaceId: WorkspaceId
  readonly sought: Sought
  /** What was received from then on is new, and stays. Of a signal or a source: never. */
  readonly before: Date
  readonly askedAt: Date
  readonly dependencies: EraseDependencies
  readonly inside: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>
}

export interface PhaseResult {
  /** Where the next slice of the phase begins; null when the phase is done. */
  readonly after: string | null
  readonly done: number
  readonly total?: number
  readonly pauseMs?: number
}

export interface Phase {
  /** What is done, as the list of jobs says. */
  readonly says: string
  readonly slice: (erasing: Erasing, after: string | null) => Promise<PhaseResult>
}

const Cursor = Type.Object({ phase: Type.Integer({ minimum: 0 }), after: Type.Union([Type.String(), Type.Null()]) })
const readCursor = cursorReader(Cursor)
const BEGINNING: Static<typeof Cursor> = { phase: 0, after: null }
const NEVER = new Date('9999-12-31T00:00:00Z')

/**
 * Erases a person, a signal or all of a source from every store, phase by phase. Each slice finds what is left to do by what is stored, so one
 * that a crash cut short is done again without counting anything twice. The last phase searches every store, and stores what it found.
 */
export const createEraseJob = (dependencies: EraseDependencies): JobDefinition => ({
  kind: 'erase',
  slice: async ({ workspaceId, input, cursor: stored }) => {
    const id = erasureOf(input)
    const { database, sealer, analytics } = dependencies
    const inside: Erasing['inside'] = work => database.transaction({ role: 'assay_erasure', workspaceId }, work)
    const running = await inside(transaction => findRunning(transaction, id))
    if (running === null) {
      await forgetSubjects(analytics, { workspaceId, erasureId: id })
      return { cursor: null, done: 0, failed: 0, message: 'Nothing of it is left.' }
    }
    const sought: Sought = JSON.parse(sealer.unseal(running.sealed))
    const before = sought.what === 'person' ? running.asked_at : NEVER
    const cursor = readCursor(stored) ?? BEGINNING
    const phase = PHASES[cursor.phase]
    if (phase === undefined) return { cursor: BEGINNING, done: 0, failed: 0 }
    const { after, done, total, pauseMs } = await phase.slice(
      { id, workspaceId, sought, before, askedAt: running.asked_at, dependencies, inside },
      cursor.after,
    )
    return {
      cursor: after === null ? { phase: cursor.phase + 1, after: null } : { ...cursor, after },
      done,
      failed: 0,
      message: phase.says,
      ...(total === undefined ? {} : { total }),
      ...(pauseMs === undefined ? {} : { pauseMs }),
    }
  },
})

const erasureOf = (input: unknown): string => {
  const id = typeof input === 'object' && input !== null && 'erasure_id' in input ? input.erasure_id : null
  if (typeof id === 'string') return id
  throw new AssayError('internal', 'A job that erases says which erasure it is of.')
}
