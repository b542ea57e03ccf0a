import type { Transaction } from '../../../../infra/postgres/port.ts'
import type { SourceId } from '../../../../schemas/domain/ids.ts'

/** A metric that is received or bound. */
export interface MetricFacts {
  readonly id: SourceId
  readonly name: string
  readonly receiving: boolean
  readonly paused: boolean
  /** Since its webhook was made. */
  readonly age_days: number
  readonly last_point_at: Date | null
  /** The first of the nodes that it is bound to, by id. */
  readonly node_id: string | null
}

const MAX_METRICS = 500

const METRICS = `
  select source.id, source.name, source.deleted_at is null as receiving, source.paused_at is not null as paused,
    extract(epoch from now() - source.created_at)::float8 / 86400 as age_days,
    (select received_at from metric_points where workspace_id = source.workspace_id and metric_id = source.id
      order by occurred_at desc, received_at desc, id desc limit 1) as last_point_at,
    bound.node_id
  from sources source
  left join lateral (
    select node_id from metric_bindings
    where workspace_id = source.workspace_id and metric_id = source.id order by node_id limit 1
  ) as bound on true
  where source.kind = 'metric' and (source.deleted_at is null or bound.node_id is not null)
  order by source.created_at, source.id limit ${MAX_METRICS}`

export const metricFacts = (transaction: Transaction): Promise<readonly MetricFacts[]> =>
  transaction.query<MetricFacts>(METRICS)
