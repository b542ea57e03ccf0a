import type { Transaction } from '../../infra/postgres/port.ts'
import type { SourceId } from '../../schemas/domain/ids.ts'
import type { MetricDirection } from '../../schemas/domain/vocabulary.ts'

interface Reading {
  readonly value: number
  readonly occurred_at: Date
}

/** A metric at a map node, with its newest reading and the one before. */
export interface MetricBinding {
  readonly node_id: string
  readonly metric_id: SourceId
  readonly name: string
  readonly direction: MetricDirection
  readonly target: number | null
  /** False when the metric's source is deleted: its points stay, and no more come. */
  readonly is_receiving: boolean
  readonly newest: Reading | null
  readonly previous: Reading | null
}

/**
 * The point that was first received later is the newer of two points at one instant, so a retry of the other does not
 * win.
 */
const NEWEST = 'order by occurred_at desc, received_at desc, id desc limit 1'

const BINDINGS = `
  select bound.node_id, bound.metric_id, bound.name, bound.direction, bound.target, source.deleted_at is null as is_receiving,
    newest.value, newest.occurred_at, previous.value as previous_value, previous.occurred_at as previous_occurred_at
  from metric_bindings bound
  join sources source on source.id = bound.metric_id
  left join lateral (
    select value, occurred_at from metric_points
    where workspace_id = bound.workspace_id and metric_id = bound.metric_id ${NEWEST}
  ) newest on true
  left join lateral (
    select value, occurred_at from metric_points
    where workspace_id = bound.workspace_id and metric_id = bound.metric_id and occurred_at < newest.occurred_at ${NEWEST}
  ) previous on true
  where bound.node_id = any ($1::uuid[])
  order by bound.name, bound.metric_id`

interface Row extends Omit<MetricBinding, 'newest' | 'previous'> {
  readonly value: number | null
  readonly occurred_at: Date | null
  readonly previous_value: number | null
  readonly previous_occurred_at: Date | null
}

/** Bindings of the nodes, by name. */
export const readBindings = async (
  transaction: Transaction,
  nodeIds: readonly string[],
): Promise<readonly MetricBinding[]> => {
  if (nodeIds.length === 0) return []
  const rows = await transaction.query<Row>(BINDINGS, [nodeIds])
  return rows.map(({ value, occurred_at, previous_value, previous_occurred_at, ...binding }) => ({
    ...binding,
    newest: reading(value, occurred_at),
    previous: reading(previous_value, previous_occurred_at),
  }))
}

const reading = (value: number | null, at: Date | null): Reading | null =>
  value === null || at === null ? null : { value, occurred_at: at }

const OTHERS = `select count(*)::integer as others from metric_bindings where node_id = $1 and metric_id <> $2`

/** Number of a node's metrics beside one. */
export const countOtherBindings = async (transaction: Transaction, node: string, metric: string): Promise<number> =>
  (await transaction.query<{ others: number }>(OTHERS, [node, metric]))[0]?.others ?? 0

/** Fields that are not given stay as before; at first the name is the metric's own, without a target. */
const BIND = `
  insert into metric_bindings as bound (workspace_id, node_id, metric_id, name, direction, target)
  select workspace_id, $1, id, coalesce($3, name), $4, $5::double precision
  from sources where id = $2 and kind = 'metric' and deleted_at is null
  on conflict (node_id, metric_id) do update set
    name = coalesce($3, bound.name),
    direction = excluded.direction,
    target = case when $6::boolean then excluded.target else bound.target end
  returning metric_id`

interface WantedBinding {
  readonly node: string
  readonly metric: string
  readonly name: string | undefined
  readonly direction: MetricDirection
  /** Null removes the target. */
  readonly target: number | null | undefined
}

/**
 * Binds a metric to a node, or changes the binding; undefined fields stay. Answers false, without a binding, when the
 * metric receives no points any more.
 */
export const storeBinding = async (transaction: Transaction, wanted: WantedBinding): Promise<boolean> => {
  const { node, metric, name = null, direction, target } = wanted
  const values = [node, metric, name, direction, target ?? null, target !== undefined]
  return (await transaction.query(BIND, values)).length > 0
}

const UNBIND = `delete from metric_bindings where node_id = $1 and metric_id = $2 returning metric_id`

/** Answers true when the metric was bound to the node. */
export const removeBinding = async (transaction: Transaction, node: string, metric: string): Promise<boolean> =>
  (await transaction.query(UNBIND, [node, metric])).length > 0
