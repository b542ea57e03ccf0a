import { Readable } from 'node:stream'
import type { Logger } from '../runtime/logger.ts'
import { type AnalyticsConnection, createClickHouseClient } from './client.ts'
import { analyticsError } from './errors.ts'

/** How rows travel as they are: text that the same engine reads again, every type and value of it. */
const FORMAT = 'TabSeparated'
const SECONDS = 1800

/** The tables of an analytics database as an operator's work sees them: whole, and as text. */
export interface AnalyticsTables {
  rows<Row extends object>(statement: string, parameters?: Readonly<Record<string, unknown>>): Promise<Row[]>
  /** The rows of a query as text, a line each, for `insertText`. */
  readText(statement: string, parameters: Readonly<Record<string, unknown>>): Promise<string>
  /** Adds rows that `readText` read, as one block. */
  insertText(table: string, columns: readonly string[], text: string): Promise<void>
  command(statement: string): Promise<void>
  close(): Promise<void>
}

export const openAnalyticsTables = (connection: AnalyticsConnection, logger: Logger): AnalyticsTables => {
  const client = createClickHouseClient(connection, logger)
  const limits = { max_execution_time: SECONDS }
  const translated = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw analyticsError(error)
    }
  }
  return {
    rows: <Row extends object>(query: string, parameters: Readonly<Record<string, unknown>> = {}) =>
      translated(
        client
          .query({ query, query_params: { ...parameters }, format: 'JSONEachRow', clickhouse_settings: limits })
          .then(result => result.json<Row>()),
      ),
    readText: (query, parameters) =>
      translated(
        client
          .query({ query, query_params: { ...parameters }, format: FORMAT, clickhouse_settings: limits })
          .then(result => result.text()),
      ),
    async insertText(table, columns, text) {
      if (text === '') return
      const [first, ...others] = columns
      if (first === undefined) return
      await translated(
        client.insert({
          table,
          columns: [first, ...others],
          values: Readable.from([text], { objectMode: false }),
          format: FORMAT,
          clickhouse_settings: { ...limits, insert_deduplicate: 0, async_insert: 0 },
        }),
      )
    },
    command: query => translated(client.command({ query, clickhouse_settings: limits }).then(() => undefined)),
    close: () => client.close(),
  }
}
