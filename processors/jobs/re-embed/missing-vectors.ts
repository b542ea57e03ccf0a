import type { Transaction } from '../../../infra/postgres/port.ts'
import type { NodeId, SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'

// A page ends where its texts get long. `offset 0` makes the planner use the index, whatever its statistics say.
const READ_SIGNALS = `
  with page as materialized (
    select id, number, text, text_hash, exists (
      select from signal_vectors where signal_id = signals.id and model = $3 offset 0
    ) as has_vector
    from signals where workspace_id = $1 and number > $2 order by number limit $4
  ), measured as (
    select *, sum(case when has_vector then 0 else length(text) end) over (order by number) as characters from page
  )
  select id, number, has_vector, encode(text_hash, 'hex') as text_hash, case when has_vector then '' else text end as text
  from measured
  where characters <= $5 or number = (select min(number) from page)
  order by number`

export interface SignalToEmbed {
  readonly id: SignalId
  readonly number: number
  readonly has_vector: boolean
  readonly text_hash: string
  /** Empty when a vector exists. */
  readonly text: string
}

/** The next signals behind a number, limited by their number and by the length of their texts. */
export const readSignals = (
  transaction: Transaction,
  range: { readonly workspaceId: WorkspaceId; readonly after: number; readonly model: string },
  most: { readonly signals: number; readonly characters: number },
): Promise<readonly SignalToEmbed[]> =>
  transaction.query<SignalToEmbed>(READ_SIGNALS, [
    range.workspaceId,
    range.after,
    range.model,
    most.signals,
    most.characters,
  ])

const STILL_MISSING = `
  select signals.id
  from unnest($2::uuid[], $3::text[]) as embedded (id, text_hash)
  join signals on signals.id = embedded.id and signals.workspace_id = $1
  where encode(signals.text_hash, 'hex') = embedded.text_hash
    and not exists (select from signal_vectors where signal_id = signals.id and model = $4 offset 0)`

/** Signals that still have the embedded text and no vector of the model. Needs the lock of the workspace. */
export const stillMissing = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  model: string,
  embedded: readonly SignalToEmbed[],
): Promise<ReadonlySet<SignalId>> => {
  const values = [workspaceId, embedded.map(({ id }) => id), embedded.map(({ text_hash }) => text_hash), model]
  const rows = await transaction.query<{ id: SignalId }>(STILL_MISSING, values)
  return new Set(rows.map(({ id }) => id))
}

const READ_NODES = `
  select id, version, name, description, examples, (
    select count(*) from map_node_vectors where node_id = map_nodes.id and model = $3
  ) = 2 + cardinality(examples) as has_vectors
  from map_nodes
  where workspace_id = $1 and ($2::uuid is null or id > $2)
  order by id
  limit $4`

export interface NodeToEmbed {
  readonly id: NodeId
  readonly version: number
  readonly name: string
  readonly description: string
  readonly examples: readonly string[]
  readonly has_vectors: boolean
}

/** The map's next nodes behind an id. */
export const readNodes = (
  transaction: Transaction,
  range: { readonly workspaceId: WorkspaceId; readonly after: NodeId | null; readonly model: string },
  most: number,
): Promise<readonly NodeToEmbed[]> =>
  transaction.query<NodeToEmbed>(READ_NODES, [range.workspaceId, range.after, range.model, most])

const COUNT_NODES = `select count(*)::int as count from map_nodes where workspace_id = $1 and ($2::uuid is null or id > $2)`

export const countNodes = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  after: NodeId | null,
): Promise<number> => {
  const [counted] = await transaction.query<{ count: number }>(COUNT_NODES, [workspaceId, after])
  return counted?.count ?? 0
}

const SAME_VERSION = `
  select map_nodes.id from map_nodes
  join unnest($2::uuid[], $3::int[]) as embedded (id, version) using (id, version)
  where workspace_id = $1`

/** Nodes that nobody has changed since they were read. Needs the map held (`lockMap`). */
export const unchangedNodes = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  nodes: readonly NodeToEmbed[],
): Promise<ReadonlySet<NodeId>> => {
  const values = [workspaceId, nodes.map(({ id }) => id), nodes.map(({ version }) => version)]
  const rows = await transaction.query<{ id: NodeId }>(SAME_VERSION, values)
  return new Set(rows.map(({ id }) => id))
}
