import type { ConfigSchema } from '../runtime/config.ts'
import { AssayError } from '../runtime/errors.ts'
import { url } from '../runtime/settings.ts'
import type { AnalyticsConnection } from './client.ts'

/** How separately running programs reach the analytics engine. */
export const CLICKHOUSE_CONFIG = {
  clickhouseUrl: url({
    env: 'CLICKHOUSE_URL',
    doc: 'ClickHouse’s HTTP interface: http://user:password@host:8123/assay. The database is made when it is missing.',
  }),
} satisfies ConfigSchema

const DEFAULT_USERNAME = 'default'
const DEFAULT_DATABASE = 'assay'

const refuse = (why: string): never => {
  // The URL may hold a password, and is not repeated.
  throw new AssayError(
    'invalid_configuration',
    `The URL of ClickHouse ${why}. It must be of the form http://user:password@host:8123/database (or https://), special characters in user, password and database percent-encoded.`,
  )
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return refuse('has a "%" that begins no percent-encoded character')
  }
}

/**
 * Parses `http://user:password@host:8123/database`, percent-decoded. Defaults: user `default`, empty password, database
 * `assay`. Throws `invalid_configuration` for anything else, without repeating the URL.
 */
export const parseClickHouseUrl = (url: string): AnalyticsConnection => {
  const parsed = URL.canParse(url) ? new URL(url) : refuse('is not an absolute URL')
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') refuse('begins with neither http:// nor https://')
  if (parsed.search !== '' || parsed.hash !== '') refuse('has something after the database')
  const database = parsed.pathname.replace(/^\/|\/$/g, '')
  if (database.includes('/')) refuse('has more than one name in its path')
  return {
    url: parsed.origin,
    username: decode(parsed.username) || DEFAULT_USERNAME,
    password: decode(parsed.password),
    database: decode(database) || DEFAULT_DATABASE,
  }
}
