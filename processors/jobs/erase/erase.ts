import { type Static, Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { forgetSubjects } from '../../../model/erasures/activity.ts'
import { findRunning, type Sought } from '../../../model/erasures/erasures.ts'
import { cursorReader } from '../cursor.ts'
import type { JobDefinition, SliceResult } from '../job-kind.ts'
import type { EraseDependencies, Erasing } from './phase.ts'
import { PHASES } from './phases.ts'

const Cursor = Type.Object({ phase: Type.Integer({ minimum: 0 }), after: Type.Union([Type.String(), Type.Null()]) })
const readCursor = cursorReader(Cursor)
const BEGINNING: Static<typeof Cursor> = { phase: 0, after: null }
const SLICE_MS = 500
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
    const erasing = { id, workspaceId, sought, before, askedAt: running.asked_at, dependencies, inside }
    return runPhases(erasing, readCursor(stored) ?? BEGINNING)
  },
})

/** Small phases follow each other in one slice, which takes about as long as any. */
const runPhases = async (erasing: Erasing, from: Static<typeof Cursor>): Promise<SliceResult> => {
  const end = performance.now() + SLICE_MS
  let cursor = from
  let done = 0
  let total: number | undefined
  for (;;) {
    const phase = PHASES[cursor.phase]
    // The last phase has ended the erasure: the slice behind it forgets what ClickHouse was told.
    if (phase === undefined) return { cursor: BEGINNING, done, failed: 0 }
    const result = await phase.slice(erasing, cursor.after)
    done += result.done
    total = result.total ?? total
    cursor =
      result.after === null ? { phase: cursor.phase + 1, after: null } : { phase: cursor.phase, after: result.after }
    if (result.pauseMs === undefined && performance.now() < end && PHASES[cursor.phase] !== undefined) continue
    return {
      cursor,
      done,
      failed: 0,
      message: phase.says,
      ...(total === undefined ? {} : { total }),
      ...(result.pauseMs === undefined ? {} : { pauseMs: result.pauseMs }),
    }
  }
}

const erasureOf = (input: unknown): string => {
  const id = typeof input === 'object' && input !== null && 'erasure_id' in input ? input.erasure_id : null
  if (typeof id === 'string') return id
  throw new AssayError('internal', 'A job that erases says which erasure it is of.')
}
