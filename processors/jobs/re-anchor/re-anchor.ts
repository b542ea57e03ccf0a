import { Type } from 'typebox'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { readCalibrations } from '../../../model/calibrations/calibrations.ts'
import { runningJob } from '../../../model/jobs/jobs.ts'
import { type BetterPlace, betterPlaces, readPlaces } from '../../../model/map/better-places.ts'
import { measureNodes } from '../../../model/map/measure-nodes.ts'
import { lockMap, recordAnchored } from '../../../model/map/nodes.ts'
import { newestNumber } from '../../../model/signals/read-signals.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { cursorReader, type JobDefinition, type JobSlice, type SliceResult } from '../job-kind.ts'

const WRITE = `
  update signals set node_id = found.node_id, node_score = found.score,
    left_node_id = case when is_moved then signals.node_id else signals.left_node_id end,
    left_node_score = case when is_moved then signals.node_score else signals.left_node_score end,
    left_node_at = case when is_moved then now() else signals.left_node_at end
  from unnest($2::uuid[], $3::uuid[], $4::real[]) as found (id, node_id, score)
    join signals as before on before.id = found.id
    cross join lateral (select before.node_id is distinct from found.node_id as is_moved) as move
  where signals.workspace_id = $1 and signals.id = found.id`

/**
 * Stores anchors of signals, and where those that move were before. The caller must hold the map, so that the nodes
 * exist.
 */
const writeAnchors = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  anchored: readonly BetterPlace[],
): Promise<void> => {
  if (anchored.length === 0) return
  await transaction.query(WRITE, [
    workspaceId,
    anchored.map(({ id }) => id),
    anchored.map(({ anchor }) => anchor.node_id),
    anchored.map(({ anchor }) => anchor.score),
  ])
}

const SIGNALS_A_SLICE = 200
/** Time for signals that met the earlier map and are not stored yet. */
const SETTLE_MS = 10_000

const Cursor = Type.Object({
  /** Map revision. With another revision the job starts over. */
  revision: Type.Integer(),
  after: Type.Integer(),
  /** Signals seen since the job began, and those of them without a vector. */
  worked: Type.Integer(),
  failed: Type.Integer(),
  /** True once the end was reached, while the job waits for the latest signals. */
  settling: Type.Boolean(),
})
const readCursor = cursorReader(Cursor)

interface ReAnchorDependencies {
  readonly database: Database
  readonly embedder: Pick<Embedder, 'model'>
  /** Wait for the latest signals, ms. */
  readonly settleMs?: number
}

/** Looks for a better node for each signal. Starts over whenever the map changes. */
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
  // During the embedding, a signal and the map may have vectors of two models.
  if ((await runningJob(transaction, 're_embed')) !== undefined) {
    throw new AssayError('busy', 'The workspace is being embedded again; its Signals are anchored after that.')
  }
  const before = readCursor(stored)
  const begun = before?.revision === revision ? before : null
  if (begun === null) await measureNodes(transaction, workspaceId, model)
  const cursor = begun ?? { revision, after: 0, worked: 0, failed: 0, settling: false }
  // Counts for an earlier map are subtracted, so that a signal counts once.
  const counted = before ?? cursor
  const signals = await readPlaces(transaction, { workspaceId, after: cursor.after, model }, SIGNALS_A_SLICE)
  const worked = cursor.worked + signals.length
  const failed = cursor.failed + signals.filter(({ compared }) => compared === null).length
  const total = cursor.worked + (await newestNumber(transaction, workspaceId)) - cursor.after
  const result = { done: worked - counted.worked, failed: failed - counted.failed, total }
  const last = signals.at(-1)
  if (last === undefined) {
    if (!cursor.settling && settleMs > 0) return { ...result, cursor: { ...cursor, settling: true }, pauseMs: settleMs }
    await recordAnchored(transaction, workspaceId)
    return { ...result, cursor: null }
  }
  const calibration = (await readCalibrations(transaction, [{ workspaceId, model }]))({ workspaceId, model })
  await writeAnchors(transaction, workspaceId, betterPlaces(signals, model, calibration))
  const without = `A Signal without a vector of the model ${model} stays where it is anchored.`
  return {
    ...result,
    cursor: { ...cursor, after: last.number, worked, failed },
    ...(failed === cursor.failed ? {} : { message: without }),
  }
}
