import type { Transaction } from '../../infra/postgres/port.ts'
import type { SourceId } from '../../schemas/domain/ids.ts'
import type { SourceKind } from '../../schemas/domain/vocabulary.ts'

/** A source as its row says it. */
export interface StoredSource {
  readonly id: SourceId
  readonly kind: SourceKind
  readonly name: string
  readonly paused: boolean
  readonly paused_days: number | null
  readonly age_days: number
  /** A secret that cannot be opened with this installation's key: nothing that is sent can be proven. */
  readonly unreadable: boolean
}

/** Throws for what was sealed with another key. */
type Unseal = (sealed: Uint8Array) => unknown

type Row = Omit<StoredSource, 'unreadable'> & { readonly sealed_secret: Uint8Array | null }

const MAX_SOURCES = 500

const SOURCES = `
  select id, kind, name, sealed_secret, paused_at is not null as paused,
    extract(epoch from now() - paused_at)::float8 / 86400 as paused_days,
    extract(epoch from now() - created_at)::float8 / 86400 as age_days
  from sources where deleted_at is null order by created_at, id limit ${MAX_SOURCES}`

export const storedSources = async (transaction: Transaction, unseal: Unseal): Promise<readonly StoredSource[]> =>
  (await transaction.query<Row>(SOURCES)).map(({ sealed_secret: sealed, ...source }) => ({
    ...source,
    unreadable: sealed !== null && !opens(sealed, unseal),
  }))

const opens = (sealed: Uint8Array, unseal: Unseal): boolean => {
  try {
    unseal(sealed)
    return true
  } catch {
    return false
  }
}

/** A metric that is received or bound. */
export interface MetricFacts {
  readonly id: SourceId
  readonly name: string
  readonly is_receiving: boolean
  readonly paused: boolean
  /** Since its webhook was made. */
  readonly age_days: number
  readonly last_point_at: Date | null
  /** The first of the nodes that it is bound to, by id. */
  readonly node_id: string | null
}

const MAX_METRICS = 500

const METRICS = `
  select source.id, source.name, source.deleted_at is null as is_receiving, source.paused_at is not null as paused,
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
