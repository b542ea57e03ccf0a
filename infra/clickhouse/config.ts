import type { ConfigSchema } from '../runtime/config.ts'
import { url } from '../runtime/settings.ts'

/** How programs of their own reach the analytics engine. */
export const CLICKHOUSE_CONFIG = {
  clickhouseUrl: url({
    env: 'CLICKHOUSE_URL',
    doc: 'ClickHouse’s HTTP interface: http://user:password@host:8123/assay. The database is made when it is missing.',
  }),
} satisfies ConfigSchema
