import { type Static, Type } from 'typebox'
import { type Calibration, toScale } from '../../../infra/models/calibration.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { readCalibrations } from '../../../model/calibrations/calibrations.ts'
import { runningJob } from '../../../model/jobs/jobs.ts'
import { anchorTo, type NearestNode, placedVectors } from '../../../model/map/anchor.ts'
import { lockMap, recordAnchored } from '../../../model/map/nodes.ts'
import { newestNumber } from '../../../model/signals/read-signals.ts'
import type { NodeId, SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { Anchor } from '../../../schemas/events/signal.ts'
import { cursorReader, type JobDefinition, type JobSlice, type SliceResult } from '../job-kind.ts'

// Vectors are compared where they are stored: none of them travels. That each is copied once takes a tenth of the time,
// for 200 signals and 300 texts. What somebody moved to a node stays there.
const READ = `
  with page as materialized (
    select id, number, node_id, node_score from signals
    where workspace_id = $1 and number > $2 order by number limit $4
  ), probe as materialized (
    select page.*, (stored.embedding::real[])::vector(1024) as embedding
    from page
    left join lateral (
      select embedding from signal_vectors where signal_id = page.id and model = $3 offset 0
    ) as stored on true
  ), asked as materialized (
    select $1::uuid as workspace_id, $3::text as model
  ), node as materialized (${placedVectors('asked')})
  select probe.id, probe.number, probe.node_id, probe.node_score, probe.embedding is not null as has_vector,
    coalesce(lesson.node_id, nearest.node_id) as nearest_id,
    case when lesson.node_id is null then nearest.score else 1 end as nearest_score,
    own.score as own_score
  from probe
  left join node_lessons as lesson on lesson.workspace_id = $1 and lesson.signal_id = probe.id
  left join lateral (
    select node_id, 1 - (node.embedding <=> probe.embedding) as score
    from node
    where probe.embedding is not null
    order by node.embedding <=> probe.embedding, node_id
    limit 1
  ) as nearest on true
  left join lateral (
    select max(1 - (node.embedding <=> probe.embedding)) as score
    from node
    where node.node_id = probe.node_id and probe.embedding is not null
  ) as own on true
  order by probe.number`

interface Row {
  readonly id: SignalId
  readonly number: number
  readonly node_id: NodeId | null
  readonly node_score: number | null
  readonly has_vector: boolean
  readonly nearest_id: NodeId | null
  readonly nearest_score: number | null
  readonly own_score: number | null
}

interface AnchoredSignal {
  readonly id: SignalId
  readonly number: number
  /** As it is stored. */
  readonly anchor: Anchor
  /** Null when it has no vector of the model, so that nobody can say what is near. */
  readonly compared: {
    readonly nearest: NearestNode | null
    /** The node that it is at, as near as it is now. */
    readonly own: NearestNode | null
  } | null
}

/** The next signals behind a number, each with the nearest node of the map under the model. */
const readPage = async (
  transaction: Transaction,
  range: { readonly workspaceId: WorkspaceId; readonly after: number; readonly model: string },
  most: number,
): Promise<readonly AnchoredSignal[]> => {
  const rows = await transaction.query<Row>(READ, [range.workspaceId, range.after, range.model, most])
  return rows.map(({ id, number, node_id, node_score, has_vector, nearest_id, nearest_score, own_score }) => ({
    id,
    number,
    anchor: { node_id, score: node_score },
    compared: has_vector ? { nearest: nearestOf(nearest_id, nearest_score), own: nearestOf(node_id, own_score) } : null,
  }))
}

const nearestOf = (nodeId: NodeId | null, score: number | null): NearestNode | null =>
  nodeId === null || score === null ? null : { nodeId, score }

const WRITE = `
  update signals set node_id = found.node_id, node_score = found.score
  from unnest($2::uuid[], $3::uuid[], $4::real[]) as found (id, node_id, score)
  where signals.workspace_id = $1 and signals.id = found.id`

/** Anchors signals. The nodes are there for as long as the caller holds the map. */
const writeAnchors = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  anchored: readonly { readonly id: SignalId; readonly anchor: Anchor }[],
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

interface ReAnchorDependencies {
  readonly database: Database
  readonly embedder: Pick<Embedder, 'model'>
  /** How long to wait for the latest arrivals, in milliseconds. */
  readonly settleMs?: number
}

/**
 * Looks for each signal whether a node of the map fits better than the one that it is at; begins anew whenever the map
 * changes.
 */
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
  // While texts are embedded again, a signal and the map may have vectors of two models.
  if ((await runningJob(transaction, 're_embed')) !== undefined) {
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
  const anchor = reAnchored(compared, calibration)
  return sameAnchor(before, anchor) ? [] : [{ id, anchor }]
}

/**
 * By so much on the calibrated scale another node must fit better: a change of the map improves places, and does not
 * shuffle what fits two nodes about as well.
 */
const MARGIN = 0.05

/** A signal stays at its node unless another fits, and better by the margin; one without a node takes what fits. */
const reAnchored = ({ nearest, own }: NonNullable<AnchoredSignal['compared']>, calibration: Calibration): Anchor => {
  const found = anchorTo(nearest, calibration)
  if (own === null || found.node_id === own.nodeId) return found
  const score = toScale(calibration, own.score)
  return found.node_id !== null && (found.score ?? 0) >= score + MARGIN ? found : { node_id: own.nodeId, score }
}

/** Scores are stored in single precision. */
const sameAnchor = (stored: Anchor, found: Anchor): boolean =>
  stored.node_id === found.node_id &&
  (stored.score === null || found.score === null
    ? stored.score === found.score
    : Math.fround(stored.score) === Math.fround(found.score))
