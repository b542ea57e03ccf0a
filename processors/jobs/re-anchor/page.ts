import type { Transaction } from '../../../infra/postgres/port.ts'
import type { NearestNode } from '../../../model/map/anchor.ts'
import { placedVectors } from '../../../model/map/node-vectors.ts'
import type { NodeId, SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { Anchor } from '../../../schemas/events/signal.ts'

// Vectors are compared where they are stored: none of them travels. That each is copied once takes a tenth of the time, for 200 signals and
// 300 texts. What somebody moved to a node stays there.
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
    case when lesson.node_id is null then nearest.score else 1 end as nearest_score
  from probe
  left join node_lessons as lesson on lesson.workspace_id = $1 and lesson.signal_id = probe.id
  left join lateral (
    select node_id, 1 - (node.embedding <=> probe.embedding) as score
    from node
    where probe.embedding is not null
    order by node.embedding <=> probe.embedding, node_id
    limit 1
  ) as nearest on true
  order by probe.number`

interface Row {
  readonly id: SignalId
  readonly number: number
  readonly node_id: NodeId | null
  readonly node_score: number | null
  readonly has_vector: boolean
  readonly nearest_id: NodeId | null
  readonly nearest_score: number | null
}

export interface AnchoredSignal {
  readonly id: SignalId
  readonly number: number
  /** As it is stored. */
  readonly anchor: Anchor
  /** Null when it has no vector of the model, so that nobody can say what is near. */
  readonly compared: { readonly nearest: NearestNode | null } | null
}

/** The next signals behind a number, each with the nearest node of the map under the model. */
export const readPage = async (
  transaction: Transaction,
  range: { readonly workspaceId: WorkspaceId; readonly after: number; readonly model: string },
  most: number,
): Promise<readonly AnchoredSignal[]> => {
  const rows = await transaction.query<Row>(READ, [range.workspaceId, range.after, range.model, most])
  return rows.map(({ id, number, node_id, node_score, has_vector, nearest_id, nearest_score }) => ({
    id,
    number,
    anchor: { node_id, score: node_score },
    compared: has_vector ? { nearest: nearestOf(nearest_id, nearest_score) } : null,
  }))
}

const nearestOf = (nodeId: NodeId | null, score: number | null): NearestNode | null =>
  nodeId === null || score === null ? null : { nodeId, score }

const WRITE = `
  update signals set node_id = found.node_id, node_score = found.score
  from unnest($2::uuid[], $3::uuid[], $4::real[]) as found (id, node_id, score)
  where signals.workspace_id = $1 and signals.id = found.id`

/** Anchors signals. The nodes are there for as long as the caller holds the map. */
export const writeAnchors = async (
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

const IS_EMBEDDING = `
  select exists (
    select from jobs where workspace_id = $1 and kind = 're_embed' and state = 'running'
  ) as is_embedding`

/** Whether the workspace's texts are being embedded again: until that is over, a signal and the map may have vectors of two models. */
export const isEmbedding = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<boolean> => {
  const [row] = await transaction.query<{ is_embedding: boolean }>(IS_EMBEDDING, [workspaceId])
  return row?.is_embedding ?? false
}
