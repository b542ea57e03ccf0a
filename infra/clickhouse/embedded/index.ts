import { randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { AssayError } from '../../runtime/errors.ts'
import type { Logger } from '../../runtime/logger.ts'
import { endsWithin } from '../../runtime/promises.ts'
import { EngineError, openEngine } from './engine.ts'

/** A request to ClickHouse's HTTP interface. */
interface StatementRequest {
  /** Settings and parameters first. A statement with data is a text of its own. */
  readonly statements: readonly string[]
  /** The answer's format unless the statement names one. */
  readonly format: string
}

/** URL parameters for HTTP or for a server with users and sessions, which the engine does not know. */
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

class BadRequest extends Error {}

const literal = (value: string): string => `'${value.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`
const identifier = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Fields of a form, which replaces a long URL; the statement is among them. */
const readForm = async (body: Buffer, contentType: string, fields: URLSearchParams): Promise<void> => {
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
  for (const [name, value] of form) if (typeof value === 'string') fields.set(name, value)
}

/**
 * The embedded engine limits a statement to 256 KiB, including its values; a setting raises the limit. A server gets
 * values separately, at most 128 KiB each.
 */
const READ_CHARACTERS = 64 * 1024
const READS_LONG = `SET max_query_size = ${64 * 1024 * 1024}`

/**
 * Reads `query` (continued in the body), `param_*`, `database`, `default_format` and settings, as in
 * https://clickhouse.com/docs/interfaces/http . Settings and parameters become SET statements, which last as long as
 * their session; therefore each request needs a session.
 */
const readStatements = async (request: IncomingMessage): Promise<StatementRequest> => {
  const fields = new URL(request.url ?? '/', 'http://localhost').searchParams
  const body = await readBody(request)
  const contentType = request.headers['content-type'] ?? ''
  const isForm = contentType.startsWith('multipart/form-data')
  if (isForm) await readForm(body, contentType, fields)

  const database = fields.get('database')
  const settings: string[] = []
  for (const [name, value] of fields) {
    if (NOT_SETTINGS.has(name)) continue
    if (!NAME.test(name)) throw new BadRequest(`${JSON.stringify(name)} is not the name of a setting or parameter`)
    settings.push(`${name} = ${literal(value)}`)
  }
  const before = database ? [`USE ${identifier(database)}`] : []
  // One statement for all, since each statement has a fixed cost.
  if (settings.length > 0) before.push(`SET ${settings.join(', ')}`)
  const parts = [fields.get('query') ?? '', isForm ? '' : body.toString('utf8')].filter(part => part !== '')
  const query = parts.join('\n')
  const hasData = parts.length > 1
  const statements = hasData && before.length > 0 ? [before.join('; '), query] : [[...before, query].join('; ')]
  const isLong = statements.some(text => text.length > READ_CHARACTERS)
  return {
    statements: isLong ? [READS_LONG, ...statements] : statements,
    format: fields.get('default_format') ?? DEFAULT_FORMAT,
  }
}

const AUTHENTICATION_FAILED = 516
/** HTTP statuses by ClickHouse's error code; 500 for all others. */
const STATUSES: Readonly<Record<number, number>> = {
  36: 400, // BAD_ARGUMENTS
  60: 404, // UNKNOWN_TABLE
  62: 400, // SYNTAX_ERROR
  81: 404, // UNKNOWN_DATABASE
  159: 408, // TIMEOUT_EXCEEDED
  [AUTHENTICATION_FAILED]: 403,
}

/** Answers an error as ClickHouse does: the code in a header, and the text that clients parse. */
const answerError = (response: ServerResponse, code: number, message: string): void => {
  const text = message.startsWith('Code:') ? message : `Code: ${code}. DB::Exception: ${message}`
  response.writeHead(STATUSES[code] ?? 500, {
    'content-type': 'text/plain; charset=UTF-8',
    'x-clickhouse-exception-code': String(code),
  })
  response.end(`${text}\n`)
}

const answerUnauthorized = (response: ServerResponse): void =>
  answerError(
    response,
    AUTHENTICATION_FAILED,
    'Authentication failed: the user or the password is wrong. (AUTHENTICATION_FAILED)',
  )

interface Progress {
  readonly readRows: number
  readonly readBytes: number
}

const answerResult = (response: ServerResponse, bytes: Uint8Array, { readRows, readBytes }: Progress): void => {
  response.writeHead(200, {
    'content-type': 'text/plain; charset=UTF-8',
    'content-length': bytes.byteLength,
    'x-clickhouse-summary': JSON.stringify({ read_rows: String(readRows), read_bytes: String(readBytes) }),
  })
  response.end(bytes)
}

const BAD_ARGUMENTS = 36
const UNKNOWN_EXCEPTION = 1002
/** Parameters are in the URL, which Node counts among the headers. */
const MAX_HEADER_BYTES = 1024 * 1024

interface EmbeddedClickHouseOptions {
  /** The data directory, created if missing. Only one process may use it. */
  readonly directory: string
  readonly logger: Logger
  /** The port on the loopback interface; any free port unless given. */
  readonly port?: number
  /** The password of the user `assay`; random unless given. */
  readonly password?: string
}

export interface EmbeddedClickHouse {
  readonly url: string
  readonly username: string
  readonly password: string
  /**
   * Hard-links the current content of every table into `shadow/<name>` of the directory, where it stays until removed.
   */
  freeze(name: string): Promise<void>
  /**
   * Resolves once the files that mutations replaced are removed, and the texts of these mutations forgotten. Tables are
   * closed and opened again, while statements wait. Rejects with `unavailable` when running statements leave no gap.
   */
  forget(): Promise<void>
  stop(): Promise<void>
}

const USERNAME = 'assay'
const KEEPING_TABLES =
  "select concat('`', database, '`.`', name, '`') from system.tables where engine like '%MergeTree' and database <> 'system'"

/** Folders of replaced parts, and the tables that have some. */
const REPLACED = `select path from system.parts where not active and database <> 'system'`
const TABLES_WITH_REPLACED = `
  select distinct concat('\`', database, '\`.\`', table, '\`') from system.parts where not active and database <> 'system'`
const REPLACED_POLL_MS = 1000
const REPLACED_POLLS = 180
/** The engine keeps the texts of the last hundred mutations, which hold the searched values. */
const FORGET_MUTATIONS = `kill mutation where is_done and database <> 'system' sync`
/** How long new statements wait for running ones to end, ms; otherwise the closing is tried again later. */
const DRAIN_MS = 1000
const DRAIN_PAUSE_MS = 3000
const DRAIN_TRIES = 20

const credentialsOf = (request: IncomingMessage): string => {
  const user = request.headers['x-clickhouse-user']
  if (user !== undefined) return `${user}:${request.headers['x-clickhouse-key'] ?? ''}`
  const [scheme, encoded] = (request.headers.authorization ?? '').split(' ')
  return scheme?.toLowerCase() === 'basic' ? Buffer.from(encoded ?? '', 'base64').toString('utf8') : ''
}

const sameText = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * ClickHouse's engine on the calling thread, which must be the main thread, behind the part of ClickHouse's HTTP
 * interface that its clients use, on the loopback interface. Queries run off the event loop. Answers are kept in memory
 * as a whole.
 */
export const startEmbeddedClickHouse = async (options: EmbeddedClickHouseOptions): Promise<EmbeddedClickHouse> => {
  const { directory, logger, port = 0, password = randomBytes(24).toString('base64url') } = options
  const engine = openEngine(directory)
  const running = new Set<Promise<void>>()
  /** Clients' statements under way. */
  const asking = new Set<Promise<unknown>>()
  /** Pending while tables are closed. */
  let opening = Promise.resolve()
  let isStopping = false

  /** The engine is closed when nothing runs any more: running work would continue to write. */
  const tracked = (work: Promise<void>): Promise<void> => {
    const ended = work.finally(() => running.delete(ended))
    running.add(ended)
    return ended
  }

  const lines = async (statement: string): Promise<readonly string[]> => {
    if (isStopping) throw new AssayError('unavailable', 'The analytics engine is being stopped.')
    const { bytes } = await engine.run([statement], 'TabSeparated')
    return Buffer.from(bytes).toString('utf8').split('\n').filter(Boolean)
  }

  const freezeAll = async (name: string): Promise<void> => {
    for (const table of await lines(KEEPING_TABLES)) await lines(`alter table ${table} freeze with name '${name}'`)
  }

  const reopen = async (tables: readonly string[]): Promise<void> => {
    for (const table of tables) {
      await lines(`detach table ${table} sync`)
      await lines(`attach table ${table}`)
    }
  }

  /** Runs work while no other statement runs; false when running statements do not end in time. */
  const alone = async (work: () => Promise<void>): Promise<boolean> => {
    const ended = Promise.withResolvers<void>()
    opening = ended.promise
    try {
      // A statement that passed `opening` just before has started after one turn of the event loop.
      await setImmediate()
      if (!(await endsWithin(Promise.allSettled(asking), DRAIN_MS))) return false
      await work()
      return true
    } finally {
      opening = Promise.resolve()
      ended.resolve()
    }
  }

  /**
   * Removes replaced files by reopening tables: the engine removes them half a minute after a table was opened, and
   * later only at times. A table that a crash leaves closed opens at the next start.
   */
  const forgetAll = async (): Promise<void> => {
    await lines(FORGET_MUTATIONS)
    const replaced = await lines(REPLACED)
    const tables = await lines(TABLES_WITH_REPLACED)
    for (let tries = 1; !(await alone(() => reopen(tables))); tries += 1) {
      if (tries === DRAIN_TRIES) throw new AssayError('unavailable', 'The analytics engine is never without work.')
      await setTimeout(DRAIN_PAUSE_MS)
    }
    for (let polls = 0; replaced.some(path => existsSync(path)); polls += 1) {
      if (isStopping || polls === REPLACED_POLLS)
        throw new AssayError('unavailable', 'The analytics engine still keeps files that were replaced.')
      await setTimeout(REPLACED_POLL_MS)
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/ping') return void response.end('Ok.\n')
    if (!sameText(credentialsOf(request), `${USERNAME}:${password}`)) return answerUnauthorized(response)
    try {
      const { statements, format } = await readStatements(request)
      await opening
      const running = engine.run(statements, format)
      asking.add(running)
      const { bytes, rowsRead, bytesRead } = await running.finally(() => asking.delete(running))
      answerResult(response, bytes, { readRows: rowsRead, readBytes: bytesRead })
    } catch (error) {
      if (error instanceof EngineError) return answerError(response, error.code, error.message)
      if (error instanceof BadRequest) return answerError(response, BAD_ARGUMENTS, `${error.message}. (BAD_ARGUMENTS)`)
      logger.error({ err: error }, 'the analytics engine could not answer')
      answerError(response, UNKNOWN_EXCEPTION, 'an unexpected error occurred. (UNKNOWN_EXCEPTION)')
    }
  }

  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    void tracked(answer(request, response))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
  // A server on host and port has an address of this kind.
  const address = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${address.port}`,
    username: USERNAME,
    password,
    freeze: name => tracked(freezeAll(name)),
    forget: () => tracked(forgetAll()),
    async stop() {
      isStopping = true
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeIdleConnections()
      await Promise.allSettled(running)
      server.closeAllConnections()
      await closed
      engine.close()
    },
  }
}
