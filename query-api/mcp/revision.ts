import { ErrorCode, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { isObject, type Params, type RpcRequest, WrittenResult } from './messages.ts'

/**
 * Supported revisions of the protocol: those that begin with `initialize`, and the stateless one, whose requests each
 * name their revision. https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */

const STATELESS_REVISION = '2026-07-28'
export const PROTOCOL_REVISIONS: readonly string[] = [STATELESS_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS]

const META = 'io.modelcontextprotocol/'
const REVISION_FIELD = `${META}protocolVersion`
const CAPABILITIES_FIELD = `${META}clientCapabilities`

/** Codes of the specification for a request that does not name its revision correctly. */
const HEADER_MISMATCH = -32020
const UNSUPPORTED_REVISION = -32022

/** A request that is refused before its method runs, with the specification's HTTP status and code. */
export class RevisionRefusal extends Error {
  readonly code: number
  readonly status: 200 | 400 | 404
  readonly data: object | undefined

  constructor(code: number, message: string, options: { readonly status?: 200 | 404; readonly data?: object } = {}) {
    super(message)
    this.code = code
    this.status = options.status ?? 400
    this.data = options.data
  }
}

/** Revision in the header of the HTTP request; null without one. */
export const revisionHeader = (headers: Headers): string | null => headers.get('mcp-protocol-version')

/** Refuses an unsupported revision; the client chooses a listed one and asks again. */
export const unsupportedRevision = (requested: string): RevisionRefusal =>
  new RevisionRefusal(
    UNSUPPORTED_REVISION,
    `Protocol revision ${requested} is not supported. Use one of ${PROTOCOL_REVISIONS.join(', ')}.`,
    { data: { supported: PROTOCOL_REVISIONS, requested } },
  )

/**
 * True for a request of the stateless revision. Throws a `RevisionRefusal` when the revision is missing or unknown, or
 * when the headers and the body differ.
 */
export const isStateless = ({ method, params }: RpcRequest, headers: Headers): boolean => {
  const header = revisionHeader(headers)
  const meta = isObject(params._meta) ? params._meta : {}
  const said = meta[REVISION_FIELD]
  if (said === undefined) {
    if (header === STATELESS_REVISION || method === 'server/discover') throw incomplete(REVISION_FIELD)
    if (header !== null && !PROTOCOL_REVISIONS.includes(header)) throw unsupportedRevision(header)
    return false
  }
  if (typeof said !== 'string') throw incomplete(REVISION_FIELD)
  if (!isObject(meta[CAPABILITIES_FIELD])) throw incomplete(CAPABILITIES_FIELD)
  requireHeader(headers, 'MCP-Protocol-Version', said)
  if (!PROTOCOL_REVISIONS.includes(said)) throw unsupportedRevision(said)
  if (said !== STATELESS_REVISION) return false
  requireHeader(headers, 'Mcp-Method', method)
  const name = nameOf(method, params)
  if (name !== undefined) requireHeader(headers, 'Mcp-Name', name)
  return true
}

const incomplete = (field: string) =>
  new RevisionRefusal(
    ErrorCode.InvalidParams,
    `A request of protocol revision ${STATELESS_REVISION} must have "params._meta" with "${REVISION_FIELD}" (a text) and "${CAPABILITIES_FIELD}" (an object); "${field}" is missing or of another type.`,
  )

/** The value that `Mcp-Name` repeats, for methods that have one; undefined when the body has no such text. */
const nameOf = (method: string, params: Params): string | undefined => {
  const value = method === 'resources/read' ? params.uri : params.name
  return NAMED_METHODS.includes(method) && typeof value === 'string' ? value : undefined
}

const NAMED_METHODS = ['tools/call', 'prompts/get', 'resources/read']

/** Throws unless the header repeats the body's value: programs between client and server decide by the header. */
const requireHeader = (headers: Headers, name: string, inBody: string): void => {
  const value = headers.get(name)
  if (value !== null && decoded(value) === inBody) return
  const found = value === null ? 'it is missing' : 'it says something else'
  throw new RevisionRefusal(HEADER_MISMATCH, `The header ${name} must repeat what the body says, and ${found}.`)
}

/** A value outside of plain ASCII is sent as `=?base64?…?=`. */
const decoded = (value: string): string => {
  if (!(value.startsWith('=?base64?') && value.endsWith('?='))) return value
  return Buffer.from(value.slice('=?base64?'.length, -'?='.length), 'base64').toString('utf8')
}

/** Refuses an unknown method: HTTP 404 in the stateless revision, 200 in earlier ones. */
export const unknownMethod = (method: string, known: readonly string[], stateless: boolean): RevisionRefusal =>
  new RevisionRefusal(ErrorCode.MethodNotFound, `Method not found: ${method}. Known are ${known.join(', ')}.`, {
    status: stateless ? 404 : 200,
  })

/** Time that a client may keep an answer, ms. The lists change only with a release. */
const KEPT_AN_HOUR = { ttlMs: 3_600_000, cacheScope: 'public' }
const NOT_KEPT = { ttlMs: 0, cacheScope: 'private' }
const CACHING: Readonly<Record<string, object>> = {
  'server/discover': KEPT_AN_HOUR,
  'tools/list': KEPT_AN_HOUR,
  'prompts/list': KEPT_AN_HOUR,
  'resources/templates/list': KEPT_AN_HOUR,
  'resources/list': NOT_KEPT,
  'resources/read': NOT_KEPT,
}

/** Additional fields of every result in the stateless revision, by method. */
export const statelessFields = (method: string, serverInfo: object): object => ({
  resultType: 'complete',
  _meta: { [`${META}serverInfo`]: serverInfo },
  ...CACHING[method],
})

/** A result with further fields; a result that was written once keeps its JSON. */
export const withFields = (value: object, fields: object): object =>
  value instanceof WrittenResult ? value.with(fields) : { ...value, ...fields }
