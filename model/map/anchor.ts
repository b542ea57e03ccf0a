import type { Calibration } from '../../infra/models/calibration.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import { toVectorBatch, vectorOf } from '../../infra/vectors.ts'
import type { NodeId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Anchor } from '../../schemas/events/signal.ts'
import { distinctSpaces, spaceNameOf, type VectorSpace } from '../neighbours/stored-bits.ts'
import { ATTACH_AT, type Fit, type FitRow, fitOf, scoreOf } from './fit.ts'
import { NEAREST } from './nearest.ts'
import type { NodeTexts } from './nodes.ts'

/**
 * The texts that place a node, in the order of their ordinals: its name, its name and description together, then each
 * example. Without a description the name comes twice, so that nodes with equally many examples have equally many
 * texts.
 */
export const nodeTexts = ({ name, description, examples }: NodeTexts): readonly string[] => [
  name,
  description === '' ? name : `${name}\n${description}`,
  ...examples,
]

/** Splits a row of vectors by node. */
export const vectorsByNode = <Vector>(nodes: readonly NodeTexts[], vectors: readonly Vector[]): readonly Vector[][] => {
  const left = [...vectors]
  return nodes.map(node => left.splice(0, nodeTexts(node).length))
}

const DELETE_NODE_VECTORS = `delete from map_node_vectors where workspace_id = $1 and node_id = $2`

const INSERT_NODE_VECTORS = `
  insert into map_node_vectors (workspace_id, node_id, ordinal, model, embedding)
  select $1, $2, place - 1, $3, ${vectorOf('$4', 'place')}
  from generate_series(1, $5::int) as place`

/**
 * Replaces a node's vectors by those of its `nodeTexts`, in order. Vectors of other models are removed, too, because
 * the node no longer has their texts. Embed outside of the transaction.
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

const MOVE = `
  insert into node_lessons (signal_id, workspace_id, node_id, from_node_id, from_score, moved_by, moved_at)
  select id, workspace_id, moved.node, node_id, node_score, $3, $4
  from unnest($1::uuid[], $2::uuid[]) as moved (signal, node) join signals on id = moved.signal
  order by id
  on conflict (signal_id) do update set node_id = excluded.node_id, moved_by = excluded.moved_by, moved_at = excluded.moved_at`

const SET_NODE = `update signals set node_id = $2, node_score = $3, version = version + 1 where id = $1`

// A moved signal is an example of its node, with score 1.
const SET_NODES = `
  update signals set node_id = moved.node, node_score = 1, version = version + 1
  from unnest($1::uuid[], $2::uuid[]) as moved (signal, node) where id = moved.signal`

export interface Move {
  readonly signal: SignalId
  readonly node: NodeId
}

/**
 * Moves signals, which the caller holds, to nodes. Each is a lesson of its node, and stays there whatever the map
 * becomes.
 */
export const moveToNodes = async (
  transaction: Transaction,
  moves: readonly Move[],
  moved: { readonly by: string; readonly at: Date },
): Promise<void> => {
  const values = [moves.map(({ signal }) => signal), moves.map(({ node }) => node)]
  await transaction.query(MOVE, [...values, moved.by, moved.at])
  await transaction.query(SET_NODES, values)
}

const TAKE_BACK = `delete from node_lessons where signal_id = $1 returning from_node_id, from_score`

interface Origin {
  readonly from_node_id: NodeId | null
  readonly from_score: number | null
}

/**
 * Returns a signal, which the caller holds, to the node that the map gave it, and deletes the lesson. Answers whether
 * there was one.
 */
export const takeLessonBack = async (transaction: Transaction, signal: SignalId): Promise<boolean> => {
  const [origin] = await transaction.query<Origin>(TAKE_BACK, [signal])
  if (origin === undefined) return false
  await transaction.query(SET_NODE, [signal, origin.from_node_id, origin.from_score])
  return true
}

const OF_NODE = `select count(*)::integer as lessons from node_lessons where node_id = $1`

/** Number of signals that people moved to a node. */
export const countNodeLessons = async (transaction: Transaction, node: NodeId): Promise<number> =>
  (await transaction.query<{ lessons: number }>(OF_NODE, [node]))[0]?.lessons ?? 0

// A workspace's map has some hundred texts at most, so an exact scan is faster than a vector index.
const NEAREST_NODES = `
  with met as materialized (
    select ordinal::int - 1 as position, workspace_id, model, ${vectorOf('$3', 'ordinal')} as embedding
    from unnest($1::uuid[], $2::text[]) with ordinality as requested (workspace_id, model, ordinal)
  ), ${NEAREST}
  select position, node_id, likeness, other_node, is_measured from nearest`

const PLACED_SPACES = `
  select workspace_id, model
  from unnest($1::uuid[], $2::text[]) as requested (workspace_id, model)
  where exists (
    select from map_node_vectors where workspace_id = requested.workspace_id and model = requested.model offset 0
  )
  group by workspace_id, model`

export interface NearestNode {
  readonly nodeId: NodeId
  readonly fit: Fit
}

interface VectorProbe extends VectorSpace {
  readonly vector: Float32Array
}

/** The nearest node of each probe in its workspace's map under its model; null without a map. */
export const findNearestNodes = async (
  transaction: Transaction,
  probes: readonly VectorProbe[],
): Promise<readonly (NearestNode | null)[]> => {
  const placed = await placedSpaces(transaction, probes)
  const worth = probes.filter(probe => placed.has(spaceNameOf(probe)))
  if (worth.length === 0) return probes.map(() => null)
  const rows = await transaction.query<NearestRow>(NEAREST_NODES, [
    worth.map(probe => probe.workspaceId),
    worth.map(probe => probe.model),
    toVectorBatch(worth.map(probe => probe.vector)),
  ])
  const found = new Map(rows.map(row => [worth[row.position], row]))
  return probes.map(probe => {
    const row = found.get(probe)
    return row === undefined ? null : { nodeId: row.node_id, fit: fitOf(row) }
  })
}

interface NearestRow extends FitRow {
  readonly position: number
  readonly node_id: NodeId
}

/** Workspaces with a map under a model: vectors of others need not be sent. */
const placedSpaces = async (transaction: Transaction, probes: readonly VectorProbe[]): Promise<ReadonlySet<string>> => {
  const spaces = distinctSpaces(probes)
  const rows = await transaction.query<{ workspace_id: WorkspaceId; model: string }>(PLACED_SPACES, [
    spaces.map(space => space.workspaceId),
    spaces.map(space => space.model),
  ])
  return new Set(rows.map(row => spaceNameOf({ workspaceId: row.workspace_id, model: row.model })))
}

/** The anchor of a signal by its nearest node. The calibrated score is stored, however low it is. */
export const anchorTo = (nearest: NearestNode | null, model: string, calibration: Calibration): Anchor => {
  if (nearest === null) return { node_id: null, score: null }
  const score = scoreOf(nearest.fit, model, calibration)
  return { node_id: score >= ATTACH_AT ? nearest.nodeId : null, score }
}
