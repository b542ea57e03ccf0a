import type { ClickHouseClient } from '@clickhouse/client'
import type { ConfigOf, ConfigSchema } from '../runtime/config.ts'
import { AssayError } from '../runtime/errors.ts'
import { choice, optional, type Setting, text } from '../runtime/settings.ts'

const cluster: Setting<string> = {
  ...text({
    env: 'CLICKHOUSE_CLUSTER',
    doc: 'The cluster, of one shard, on whose replicas each table is made. Needs CLICKHOUSE_TABLE_ENGINE=ReplicatedMergeTree.',
  }),
  allowed: 'the name of a cluster in ClickHouse’s `remote_servers`: letters, digits, ".", "_" and "-"',
  parse: value => (/^[A-Za-z0-9._-]{1,100}$/.test(value) ? value : undefined),
}

/** The form of tables, for the commands that create them: `migrate`, `move`, and `all` on a server. */
export const TABLES_CONFIG = {
  clickhouseTableEngine: choice({
    env: 'CLICKHOUSE_TABLE_ENGINE',
    doc: 'What ClickHouse’s tables are made as. ReplicatedMergeTree keeps the same rows on every replica; ClickHouse Cloud makes its own engine of it.',
    values: ['MergeTree', 'ReplicatedMergeTree'],
    default: 'MergeTree',
  }),
  clickhouseCluster: optional(cluster),
} satisfies ConfigSchema

export interface TableForm {
  readonly isReplicated: boolean
  /** The cluster on whose replicas statements run; null: on the contacted server, which may pass them on itself. */
  readonly cluster: string | null
}

export const LOCAL_TABLES: TableForm = { isReplicated: false, cluster: null }

/** Throws `invalid_configuration` when each replica would have its own rows. */
export const tableFormOf = (config: ConfigOf<typeof TABLES_CONFIG>): TableForm => {
  const isReplicated = config.clickhouseTableEngine === 'ReplicatedMergeTree'
  if (config.clickhouseCluster !== null && !isReplicated)
    throw new AssayError(
      'invalid_configuration',
      'CLICKHOUSE_CLUSTER needs CLICKHOUSE_TABLE_ENGINE=ReplicatedMergeTree: other tables have different rows on each replica.',
    )
  return { isReplicated, cluster: config.clickhouseCluster }
}

const MADE_OR_CHANGED =
  /^(CREATE DATABASE IF NOT EXISTS|CREATE TABLE IF NOT EXISTS|CREATE MATERIALIZED VIEW IF NOT EXISTS|ALTER TABLE|DROP VIEW IF EXISTS) (\{name: Identifier\}|[^\s(]+)/
const ENGINE = /\bENGINE = ((?:Aggregating|Replacing)?MergeTree)\b/g
/** A replicated table has its own settings for how long repeated blocks are recognised. */
const KNOWN_BLOCKS = /\bnon_replicated_deduplication_window = (\d+)/g
/** A week: a sink that was down for this long still recognises its last block. ClickHouse's default is shorter. */
const KNOWN_SECONDS = 604_800

/** Adapts a migration's statement, written for one server, to another form of tables. */
export const statementFor = ({ isReplicated, cluster }: TableForm, statement: string): string => {
  const replicated = isReplicated
    ? statement
        .replace(ENGINE, 'ENGINE = Replicated$1')
        .replace(
          KNOWN_BLOCKS,
          `replicated_deduplication_window = $1, replicated_deduplication_window_seconds = ${KNOWN_SECONDS}`,
        )
    : statement
  return cluster === null ? replicated : replicated.replace(MADE_OR_CHANGED, `$& ON CLUSTER '${cluster}'`)
}

const CLUSTERS = 'SELECT cluster, uniqExact(shard_num) AS shards FROM system.clusters GROUP BY cluster ORDER BY cluster'
const MADE = `SELECT engine FROM system.tables WHERE database = {database: String} AND name = 'activity'`

/**
 * Rejects with `invalid_configuration` for an unknown cluster or one with several shards, and with `conflict` when the
 * tables exist in another form.
 */
export const assertTableForm = async (
  server: ClickHouseClient,
  database: string,
  { isReplicated, cluster }: TableForm,
): Promise<void> => {
  const ask = async <Row>(query: string): Promise<Row[]> =>
    (await server.query({ query, query_params: { database }, format: 'JSONEachRow' })).json<Row>()
  if (cluster !== null) {
    const clusters = await ask<{ cluster: string; shards: string }>(CLUSTERS)
    const found = clusters.find(one => one.cluster === cluster)
    if (found === undefined)
      throw new AssayError(
        'invalid_configuration',
        `ClickHouse has no cluster "${cluster}". It has: ${clusters.map(one => one.cluster).join(', ') || 'none'}. Set CLICKHOUSE_CLUSTER to one of them.`,
      )
    if (Number(found.shards) > 1)
      throw new AssayError(
        'invalid_configuration',
        `The cluster "${cluster}" has ${found.shards} shards, and Assay’s tables stand on one. Name a cluster of one shard with replicas.`,
      )
  }
  const [table] = await ask<{ engine: string }>(MADE)
  // ClickHouse Cloud makes shared tables, whichever engine is requested.
  if (table === undefined || table.engine.startsWith('Shared')) return
  if (table.engine.startsWith('Replicated') === isReplicated) return
  throw new AssayError(
    'conflict',
    `The analytics tables are ${table.engine}, which CLICKHOUSE_TABLE_ENGINE no longer says. A table keeps its engine: set it as it was, or move into a new database.`,
  )
}
