import { type ClickHouseSettings, createClient } from '@clickhouse/client'
import type { Logger } from '../runtime/logger.ts'
import { analyticsError, questionError } from './errors.ts'
import type { Analytics } from './port.ts'

interface Answer {
  readonly meta: readonly { readonly name: string; readonly type: string }[]
  readonly data: Record<string, unknown>[]
}

const WIDE_INTEGER = /^(Nullable\()?U?Int64\)?$/

const narrow = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/**
 * The rows of an answer in ClickHouse's `JSON` format, which quotes 64-bit integers: those within the exact range of a
 * number become numbers. The type `Row` depends on the caller's statement.
 */
const readRows = <Row extends object>(text: string): Row[] => {
  const { meta, data }: Answer = JSON.parse(text)
  const wide = meta.filter(column => WIDE_INTEGER.test(column.type)).map(column => column.name)
  for (const row of data) for (const name of wide) row[name] = narrow(row[name])
  // The statement determines the columns' types, so that nothing here can check them.
  return data as Row[]
}

export interface AnalyticsConnection {
  /** `http://host:8123`, without credentials. */
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
}

const QUERY_SECONDS = 30
const REQUEST_TIMEOUT_MS = (QUERY_SECONDS + 5) * 1000

/** A driver for both the analytics port and the migrations. */
export const createClickHouseClient = ({ url, username, password, database }: AnalyticsConnection, logger: Logger) =>
  createClient({
    url,
    username,
    password,
    database,
    application: 'assay',
    request_timeout: REQUEST_TIMEOUT_MS,
    compression: { request: false, response: false },
    keep_alive: { enabled: true, idle_socket_ttl: 2000 },
    // Parameters that are too long for a URL are sent in the body.
    use_multipart_params_auto: true,
    log: { LoggerClass: quietly(logger) },
    clickhouse_settings: {
      max_execution_time: QUERY_SECONDS,
      date_time_input_format: 'best_effort',
      date_time_output_format: 'iso',
      // Quoted, since JSON.parse would round large ones.
      output_format_json_quote_64bit_integers: 1,
      // An unknown field is an error of ours, and must not be dropped.
      input_format_skip_unknown_fields: 0,
      // Otherwise an error after the first bytes would arrive within a 200.
      wait_end_of_query: 1,
    },
  })

/** The driver logs to the console; its reports reach us as errors too, hence level debug. */
const quietly = (logger: Logger) =>
  class {
    trace(): void {}
    debug(): void {}
    info(): void {}
    warn({ message }: { message: string }): void {
      logger.debug({ driver: 'clickhouse' }, message)
    }
    error({ message }: { message: string }): void {
      logger.debug({ driver: 'clickhouse' }, message)
    }
  }

/** Limits of a question that people or agents choose, unlike the programs' own queries. */
export interface QueryLimits {
  readonly seconds: number
  readonly memoryBytes: number
  /** Groups formed, shown or not. */
  readonly groups: number
  readonly resultRows: number
  /** Threads of the engine. */
  readonly threads: number
}

const settingsOf = ({ seconds, memoryBytes, groups, resultRows, threads }: QueryLimits): ClickHouseSettings => ({
  max_execution_time: seconds,
  max_memory_usage: String(memoryBytes),
  max_rows_to_group_by: String(groups),
  group_by_overflow_mode: 'throw',
  max_result_rows: String(resultRows),
  result_overflow_mode: 'throw',
  max_threads: threads,
})

/**
 * ClickHouse over HTTP. Times are sent as ISO 8601 or Unix seconds, and returned as ISO 8601 (UTC). 64-bit integers are
 * returned as numbers where exact, else as text.
 */
export const createAnalytics = (
  connection: AnalyticsConnection,
  { logger, limits }: { readonly logger: Logger; readonly limits?: QueryLimits },
): Analytics => {
  const client = createClickHouseClient(connection, logger)
  const translating = async <T>(work: Promise<T>, translate = analyticsError): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw translate(error)
    }
  }

  /** Waits for the mutation on every replica. */
  const mutate = async (query: string, parameters: Readonly<Record<string, unknown>>): Promise<void> => {
    await translating(
      client.command({ query, query_params: { ...parameters }, clickhouse_settings: { mutations_sync: '2' } }),
    )
  }

  return {
    query: <Row extends object>(statement: string, parameters: Readonly<Record<string, unknown>> = {}) =>
      translating(
        client
          .query({
            query: statement,
            query_params: { ...parameters },
            format: 'JSON',
            ...(limits === undefined ? {} : { clickhouse_settings: settingsOf(limits) }),
          })
          .then(result => result.text())
          .then(text => readRows<Row>(text)),
        limits === undefined ? analyticsError : questionError,
      ),

    async insert(table, rows, deduplicationToken) {
      if (rows.length === 0) return
      await translating(
        client.insert({
          table,
          values: [...rows],
          format: 'JSONEachRow',
          clickhouse_settings: {
            insert_deduplicate: 1,
            insert_deduplication_token: deduplicationToken,
            deduplicate_blocks_in_dependent_materialized_views: 1,
            async_insert: 0,
            // One block, whatever its size, since a token stands for a block.
            max_insert_block_size: String(Math.max(rows.length, 1_048_576)),
            min_insert_block_size_rows: String(Math.max(rows.length, 1_048_576)),
          },
        }),
      )
    },

    remove: (table, condition, parameters) => mutate(`ALTER TABLE ${table} DELETE WHERE ${condition}`, parameters),
    rewrite(table, values, condition, parameters) {
      const set = Object.entries(values).map(([column, value]) => `${column} = ${value}`)
      return mutate(`ALTER TABLE ${table} UPDATE ${set.join(', ')} WHERE ${condition}`, parameters)
    },

    async ping() {
      const answer = await client.ping({ select: true })
      if (!answer.success) throw analyticsError(answer.error)
    },

    close: () => client.close(),
  }
}
