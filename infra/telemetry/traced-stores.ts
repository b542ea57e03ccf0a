import type { Analytics } from '../clickhouse/port.ts'
import type { Database } from '../postgres/port.ts'
import { askingStore, isTracing } from './spans.ts'

const POSTGRESQL = { 'db.system.name': 'postgresql' }
const CLICKHOUSE = { 'db.system.name': 'clickhouse' }

/**
 * The database, its transactions shown in traces. The statements are not: there are many, and a transaction is what one
 * waits for.
 */
export const tracedDatabase = (database: Database): Database =>
  isTracing()
    ? {
        ...database,
        transaction: (scope, work) =>
          askingStore('postgresql transaction', { ...POSTGRESQL, 'assay.role': scope.role }, () =>
            database.transaction(scope, work),
          ),
      }
    : database

/** The analytics engine, its questions and inserts shown in traces. */
export const tracedAnalytics = (analytics: Analytics): Analytics =>
  isTracing()
    ? {
        ...analytics,
        query: (statement, parameters) =>
          askingStore('clickhouse query', CLICKHOUSE, () => analytics.query(statement, parameters)),
        insert: (table, rows, token) =>
          askingStore('clickhouse insert', { ...CLICKHOUSE, 'db.collection.name': table }, () =>
            analytics.insert(table, rows, token),
          ),
      }
    : analytics
