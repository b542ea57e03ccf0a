import { type Static, Type } from 'typebox'
import type { Calibration } from '../../../infra/models/calibration.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { readCalibrations } from '../../../model/calibrations/calibrations.ts'
import { anchorTo } from '../../../model/map/anchor.ts'
import { lockMap, recordAnchored } from '../../../model/map/revision.ts'
import { newestNumber } from '../../../model/signals/read-signals.ts'
import type { Anchor } from '../../../schemas/events/signal.ts'
import { cursorReader } from '../cursor.ts'
import type { JobDefinition, JobSlice, SliceResult } from '../job-kind.ts'
import { type AnchoredSignal, isEmbedding, readPage, writeAnchors } from './page.ts'

const SIGNALS_A_SLICE = 200
/** Signals that met the map as it was before may still be on their way to their row. */
const SETTLE_MS = 10_000

/** By the signals' numbers. */
const Cursor = Type.Object({
  /** The map's revision: when another one is found, the job begins anew. */
  revision: Type.Integer(),
  after: Type.Integer(),
  /** Signals that were looked at, in earlier beginnings too. */
  worked: Type.Integer(),
  /** Whether the end was reached once, and the latest arrivals are waited for. */
  settling: Type.Boolean(),
})
type Cursor = Static<typeof Cursor>
const readCursor = cursorReader(Cursor)

export interface ReAnchorDependencies {
  readonly database: Database
  readonly embedder: Pick<Embedder, 'model'>
  /** How long to wait for the latest arrivals, in milliseconds. */
  readonly settleMs?: number
}

/** Assigns each signal its nearest node of the map again, as the step `anchor` does; begins anew whenever the map changes. */
export const createReAnchorJob = ({ database, ...rules }: ReAnchorDependencies): JobDefinition => ({
  kind: 're_anchor',
  slice: slice =>
    database.transaction({ role: 'assay_pipeline', workspaceIds: [slice.workspaceId] }, transaction =>
      anchorPage(transaction, slice, rules),
    ),
})

const anchorPage = async (
  transaction: Transaction,
  { workspaceId, cursor: stored }: JobSlice,
  { embedder: { model }, settleMs = SETTLE_MS }: Omit<ReAnchorDependencies, 'database'>,
): Promise<SliceResult> => {
  const revision = await lockMap(transaction, workspaceId)
  if (await isEmbedding(transaction, workspaceId)) {
    throw new AssayError('busy', 'The workspace is being embedded again; its Signals are anchored after that.')
  }
  const cursor = beginning(readCursor(stored), revision)
  const signals = await readPage(transaction, { workspaceId, after: cursor.after, model }, SIGNALS_A_SLICE)
  const total = cursor.worked + (await newestNumber(transaction, workspaceId)) - cursor.after
  const last = signals.at(-1)
  if (last === undefined) {
    if (!cursor.settling && settleMs > 0)
      return { cursor: { ...cursor, settling: true }, done: 0, failed: 0, total, pauseMs: settleMs }
    await recordAnchored(transaction, workspaceId)
    return { cursor: null, done: 0, failed: 0, total }
  }
  const calibration = (await readCalibrations(transaction, [{ workspaceId, model }]))({ workspaceId, model })
  const changed = signals.flatMap(signal => changedAnchor(signal, calibration))
  await writeAnchors(transaction, workspaceId, changed)
  const failed = signals.filter(({ compared }) => compared === null).length
  return {
    cursor: { ...cursor, after: last.number, worked: cursor.worked + signals.length },
    done: signals.length,
    failed,
    total,
    ...(failed === 0 ? {} : { message: `A Signal without a vector of the model ${model} stays where it is anchored.` }),
  }
}

const beginning = (cursor: Cursor | null, revision: number): Cursor =>
  cursor?.revision === revision ? cursor : { revision, after: 0, worked: cursor?.worked ?? 0, settling: false }

const changedAnchor = ({ id, anchor: before, compared }: AnchoredSignal, calibration: Calibration) => {
  if (compared === null) return []
  const anchor = anchorTo(compared.nearest, calibration)
  return sameAnchor(before, anchor) ? [] : [{ id, anchor }]
}

/** Scores are stored in single precision. */
const sameAnchor = (stored: Anchor, found: Anchor): boolean =>
  stored.node_id === found.node_id &&
  (stored.score === null || found.score === null
    ? stored.score === found.score
    : Math.fround(stored.score) === Math.fround(found.score))
