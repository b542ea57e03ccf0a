import type { IncomingMessage } from 'node:http'

/** What a request of ClickHouse's HTTP interface asks for. */
export interface StatementRequest {
  /** The statements to run, settings and parameters first. */
  readonly statements: string
  /** The format of the answer where the statement names none. */
  readonly format: string
}

/** URL parameters that are about HTTP or about a server with users and sessions, and mean nothing to the engine. */
const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'session_id',
  'role',
  'user',
  'password',
  'database',
  'default_format',
  'wait_end_of_query',
  'enable_http_compression',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_zlib_compression_level',
  'buffer_size',
])

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const DEFAULT_FORMAT = 'TabSeparated'

export class BadRequest extends Error {}

const literal = (value: string): string => `'${value.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`
const identifier = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Parameters that would make a long URL come as a form instead, the statement among them. */
const readForm = async (body: Buffer, contentType: string, fields: URLSearchParams): Promise<void> => {
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
  for (const [name, value] of form) if (typeof value === 'string') fields.set(name, value)
}

/**
 * Reads `query` (its end may be in the body), `param_*`, `database`, `default_format` and settings, as
 * https://clickhouse.com/docs/interfaces/http describes them. Settings and parameters become SET statements, which hold for the
 * session that runs them, so each request needs a session of its own.
 */
export const readStatements = async (request: IncomingMessage): Promise<StatementRequest> => {
  const fields = new URL(request.url ?? '/', 'http://localhost').searchParams
  const body = await readBody(request)
  const contentType = request.headers['content-type'] ?? ''
  const isForm = contentType.startsWith('multipart/form-data')
  if (isForm) await readForm(body, contentType, fields)

  const before: string[] = []
  const database = fields.get('database')
  if (database) before.push(`USE ${identifier(database)}`)
  for (const [name, value] of fields) {
    if (NOT_SETTINGS.has(name)) continue
    if (!NAME.test(name)) throw new BadRequest(`${JSON.stringify(name)} is not the name of a setting or parameter`)
    before.push(`SET ${name} = ${literal(value)}`)
  }
  const query = [fields.get('query') ?? '', isForm ? '' : body.toString('utf8')].filter(part => part !== '').join('\n')
  return { statements: [...before, query].join('; '), format: fields.get('default_format') ?? DEFAULT_FORMAT }
}
