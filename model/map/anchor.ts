import { type Calibration, toScale } from '../../infra/models/calibration.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import { toVectorBatch, vectorOf } from '../../infra/vectors.ts'
import type { NodeId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Anchor } from '../../schemas/events/signal.ts'
import { distinctSpaces, spaceNameOf, type VectorSpace } from '../neighbours/stored-bits.ts'
import type { NodeTexts } from './nodes.ts'

/** The texts that place a node, in the order of their ordinals: its name and description as one, then each example. */
export const nodeTexts = (node: NodeTexts): readonly string[] => [
  node.description === '' ? node.name : `${node.name}\n${node.description}`,
  ...node.examples,
]

const DELETE_NODE_VECTORS = `delete from map_node_vectors where workspace_id = $1 and node_id = $2`

const INSERT_NODE_VECTORS = `
  insert into map_node_vectors (workspace_id, node_id, ordinal, model, embedding)
  select $1, $2, place - 1, $3, ${vectorOf('$4', 'place')}
  from generate_series(1, $5::int) as place`

/**
 * Replaces a node's vectors by those of its `nodeTexts`, one each, in order. Vectors of other models go too: they stand
 * for texts that the node no longer has. Embed outside of the transaction.
 */
export const storeNodeVectors = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  nodeId: NodeId,
  model: string,
  vectors: readonly Float32Array[],
): Promise<void> => {
  await transaction.query(DELETE_NODE_VECTORS, [workspaceId, nodeId])
  await transaction.query(INSERT_NODE_VECTORS, [workspaceId, nodeId, model, toVectorBatch(vectors), vectors.length])
}

/** The newest lessons of a workspace are compared with each signal: as many as a map has texts. */
const MAX_COMPARED = 300

/**
 * The vectors that place the nodes of the workspaces and models of `spaces`: those of their texts, and those of the
 * signals that people moved to them. Each is copied once (`::real[]`), because as a column it would be fetched from
 * where PostgreSQL keeps long values for every comparison.
 */
export const placedVectors = (spaces: string): string => `
  select workspace_id, model, node_id, (embedding::real[])::vector(1024) as embedding
  from map_node_vectors
  where (workspace_id, model) in (select workspace_id, model from ${spaces})
  union all
  select space.workspace_id, space.model, lesson.node_id, (stored.embedding::real[])::vector(1024)
  from (select distinct workspace_id, model from ${spaces}) as space
  cross join lateral (
    select signal_id, node_id from node_lessons
    where workspace_id = space.workspace_id order by moved_at desc limit ${MAX_COMPARED}
  ) as lesson
  cross join lateral (
    select embedding from signal_vectors where signal_id = lesson.signal_id and model = space.model offset 0
  ) as stored`

const MOVE = `
  insert into node_lessons (signal_id, workspace_id, node_id, from_node_id, from_score, moved_by, moved_at)
  select id, workspace_id, $2, node_id, node_score, $3, $4 from signals where id = $1
  on conflict (signal_id) do update set node_id = excluded.node_id, moved_by = excluded.moved_by, moved_at = excluded.moved_at`

const SET_NODE = `update signals set node_id = $2, node_score = $3, version = version + 1 where id = $1`

/** Puts a signal, which the caller holds, at a node: it teaches the node, and stays there whatever the map becomes. */
export const moveToNode = async (
  transaction: Transaction,
  signal: SignalId,
  node: NodeId,
  moved: { readonly by: string; readonly at: Date },
): Promise<void> => {
  await transaction.query(MOVE, [signal, node, moved.by, moved.at])
  // It is its own example.
  await transaction.query(SET_NODE, [signal, node, 1])
}

const TAKE_BACK = `delete from node_lessons where signal_id = $1 returning from_node_id, from_score`

interface Origin {
  readonly from_node_id: NodeId | null
  readonly from_score: number | null
}

/**
 * Puts a signal, which the caller holds, back where the map had anchored it, and forgets the lesson; answers whether
 * there was one.
 */
export const takeLessonBack = async (transaction: Transaction, signal: SignalId): Promise<boolean> => {
  const [origin] = await transaction.query<Origin>(TAKE_BACK, [signal])
  if (origin === undefined) return false
  await transaction.query(SET_NODE, [signal, origin.from_node_id, origin.from_score])
  return true
}

const OF_NODE = `select count(*)::integer as lessons from node_lessons where node_id = $1`

/** How many signals people moved to a node. */
export const countNodeLessons = async (transaction: Transaction, node: NodeId): Promise<number> =>
  (await transaction.query<{ lessons: number }>(OF_NODE, [node]))[0]?.lessons ?? 0

// A workspace's map has some hundred texts at most: an exact scan is quicker than any index of vectors. Probes and
// texts are materialized, because a vector would otherwise be put together, or fetched from where PostgreSQL keeps long
// values, again for each pair.
const NEAREST_NODES = `
  with probe as materialized (
    select ordinal::int - 1 as position, workspace_id, model, ${vectorOf('$3', 'ordinal')} as embedding
    from unnest($1::uuid[], $2::text[]) with ordinality as requested (workspace_id, model, ordinal)
  ),
  placed as materialized (${placedVectors('probe')})
  select distinct on (position) position, node_id, 1 - distance as score
  from (
    select probe.position, placed.node_id, placed.embedding <=> probe.embedding as distance
    from probe join placed using (workspace_id, model)
  ) as pair
  order by position, distance, node_id`

const PLACED_SPACES = `
  select workspace_id, model
  from unnest($1::uuid[], $2::text[]) as requested (workspace_id, model)
  where exists (
    select from map_node_vectors where workspace_id = requested.workspace_id and model = requested.model offset 0
  )
  group by workspace_id, model`

interface VectorProbe extends VectorSpace {
  readonly vector: Float32Array
}

export interface NearestNode {
  readonly nodeId: NodeId
  /** Cosine to the nearest of the node's texts, or of the signals that people moved to it. */
  readonly score: number
}

/** For each probe the nearest node of its workspace's map under its model; null where the map has none. */
export const findNearestNodes = async (
  transaction: Transaction,
  probes: readonly VectorProbe[],
): Promise<readonly (NearestNode | null)[]> => {
  const placed = await placedSpaces(transaction, probes)
  const worth = probes.filter(probe => placed.has(spaceNameOf(probe)))
  if (worth.length === 0) return probes.map(() => null)
  const rows = await transaction.query<{ position: number; node_id: NodeId; score: number }>(NEAREST_NODES, [
    worth.map(probe => probe.workspaceId),
    worth.map(probe => probe.model),
    toVectorBatch(worth.map(probe => probe.vector)),
  ])
  const found = new Map(rows.map(row => [worth[row.position], { nodeId: row.node_id, score: row.score }]))
  return probes.map(probe => found.get(probe) ?? null)
}

/** The workspaces that have a map under a model: the vectors of the others need not travel. */
const placedSpaces = async (transaction: Transaction, probes: readonly VectorProbe[]): Promise<ReadonlySet<string>> => {
  const spaces = distinctSpaces(probes)
  const rows = await transaction.query<{ workspace_id: WorkspaceId; model: string }>(PLACED_SPACES, [
    spaces.map(space => space.workspaceId),
    spaces.map(space => space.model),
  ])
  return new Set(rows.map(row => spaceNameOf({ workspaceId: row.workspace_id, model: row.model })))
}

/**
 * The least cosine, on the calibrated scale, at which a signal is attached to its nearest node. The database sums in
 * float32: dense vectors are within 0.000005 of it.
 */
export const ATTACH_AT = 0.8

/**
 * What a signal is anchored to, by its nearest node; the score, on the calibrated scale, is kept, near enough or not.
 */
export const anchorTo = (nearest: NearestNode | null, calibration: Calibration): Anchor => {
  if (nearest === null) return { node_id: null, score: null }
  const score = toScale(calibration, nearest.score)
  return { node_id: score >= ATTACH_AT ? nearest.nodeId : null, score }
}
