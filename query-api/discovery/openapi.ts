import { KEYED_BODY, KEYLESS_BODY } from '../mcp/endpoint.ts'
import { MAX_BYTES_OF_A_BATCH, MAX_IN_A_BATCH } from '../mcp/messages.ts'
import { SURFACES } from '../mcp/surface.ts'
import { MetaSchema, strictSchema } from '../operations/call/contract.ts'
import type { Operation } from '../operations/define.ts'
import { CALL_BODY } from '../operations/parts/body-limits.ts'
import { flatInput, type Tool } from '../tools/define-tool.ts'
import { WEBHOOK_PATHS, WEBHOOK_SECRETS } from './webhooks.ts'

/** Guarantees for client programs, under `x-policies` of the OpenAPI description. */
const POLICIES = {
  versioning:
    'The MCP protocol version is negotiated by initialize: one that the server knows is echoed, 2024-11-05 is assumed when none is named. Tools, modes and fields are only added; a field is removed or changes its meaning only with a new major version of info.version. Clients ignore fields they do not know; the server refuses arguments it does not know.',
  pagination:
    'A list is data.items. It takes limit and cursor; meta.next_cursor continues it and is null at its end. A cursor is opaque and belongs to the arguments it came with.',
  sandbox:
    'A workspace marked as a sandbox behaves like any other, may be reset by its owner, and is never billed or reported. Use a key of a sandbox workspace to try calls out.',
  batching: `JSON-RPC batches of at most ${MAX_IN_A_BATCH} messages are taken from clients of MCP 2024-11-05 and 2025-03-26; a batch in a batch is not. A body has at most ${CALL_BODY.bytes} bytes with a valid key, ${KEYED_BODY.bytes} where it is one call of an operation that takes a long text, and ${KEYLESS_BODY.bytes} without; in all at most ${CALL_BODY.values} members and elements, ${CALL_BODY.depth} levels deep. Each message is authorised and metered by itself and they run in order, one at a time; initialize must stand alone. Once a batch has answered ${MAX_BYTES_OF_A_BATCH} bytes the rest of it is not run: each further request is answered -32003, and is to be sent again by itself or in another batch. Under X-Idempotency-Key each message of a batch has the key of its position.`,
  idempotency:
    'Writes take X-Idempotency-Key: the same key and arguments within 24 hours get the first answer and do nothing; other arguments are refused as a conflict. Secrets are not stored: a repeated answer carries null in their place.',
  metering:
    'Each call costs work units, which meta.work_units states: more for searches, writes and analyses than for reads, and for each of several things that one call works on. initialize, ping and tools/list cost none. There is no hard limit for a key but during an incident, when the operator gives each key so many units a minute: beyond it a call is answered 429 with -32002 and Retry-After. So is a call while 200 of the same tenant wait for their turn, and one of whoever has kept the service busy with reading large or malformed bodies: that takes bodies made for it.',
  quotas:
    'What an account or a workspace may have is limited by the operator. A write that would go beyond it makes nothing and is answered 409 with the code quota_exceeded: how many there are, how many are allowed, how a place is freed, and the setting that raises it.',
  without_a_key:
    'Messages without a key that the server knows are counted by client address, those of a batch each, and a long answer as several. Beyond what the operator allows a minute they are answered 429 with -32002 and Retry-After. Keep what tools/list answered; send the key with every request.',
} as const

interface Facts {
  readonly baseUrl: string
  readonly version: string
  readonly tools: readonly Tool[]
  readonly operations: readonly Operation[]
}

/** The OpenAPI 3.1 description, generated from the registry alone. */
export const openApi = ({ baseUrl, version, tools, operations }: Facts) => ({
  openapi: '3.1.0',
  info: {
    title: 'Assay',
    version,
    description:
      'Product evidence and the planning that rests on it. Agents use POST /api/mcp with a key; senders use the webhooks; the web app uses the same operations at /api/app with its session.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: baseUrl }],
  tags: [
    { name: 'mcp', description: 'The agents’ door.' },
    { name: 'webhooks', description: 'The senders’ door.' },
    { name: 'app', description: 'The signed-in people’s door.' },
  ],
  security: [{ key: [] }],
  paths: {
    '/api/mcp': { post: mcpPath(tools) },
    ...WEBHOOK_PATHS,
    ...Object.fromEntries(operations.map(operation => [`/api/app/${operation.name}`, { post: appPath(operation) }])),
  },
  components: {
    securitySchemes: {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: 'An MCP key that a person made under Settings → Account → Connect agents.',
        'x-scopes': {
          workspace: 'All agent work in the one workspace that the key is bound to.',
          provisioning: 'Creating and listing workspaces; issued by operators only.',
        },
      },
      ...WEBHOOK_SECRETS,
      session: { type: 'apiKey', in: 'cookie', name: 'better-auth.session_token', description: 'Set by signing in.' },
    },
    schemas: {
      Meta: MetaSchema,
      Problem: PROBLEM,
      ...Object.fromEntries(tools.map(tool => [tool.name, flatInput(tool)])),
    },
  },
  'x-policies': POLICIES,
})

const PROBLEM = {
  type: 'object',
  description: 'RFC 9457, with a machine-readable code.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was wrong, what is allowed, what to do.' },
    code: { type: 'string' },
    violations: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pointer: { type: 'string', description: 'JSON pointer.' }, message: { type: 'string' } },
        required: ['pointer', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail'],
}

const IDEMPOTENCY_PARAMETER = {
  name: 'X-Idempotency-Key',
  in: 'header',
  required: false,
  description: POLICIES.idempotency,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
}

const RPC = {
  type: 'object',
  properties: { jsonrpc: { const: '2.0' }, id: { type: ['string', 'integer', 'null'] } },
  required: ['jsonrpc'],
}

const RETRY_AFTER = { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds to wait.' } }

const mcpPath = (tools: readonly Tool[]) => ({
  operationId: 'mcp',
  summary: 'MCP over Streamable HTTP',
  description: `JSON-RPC 2.0: initialize, ping, notifications and tools/list need no key, tools/call does. Tools: ${tools.map(({ name }) => name).join(', ')}; their arguments are the schemas of those names.`,
  tags: ['mcp'],
  security: [{ key: [] }, {}],
  parameters: [
    IDEMPOTENCY_PARAMETER,
    {
      name: 'surface',
      in: 'query',
      required: false,
      description: 'What tools/list lists; every primitive can be called either way.',
      schema: { type: 'string', enum: SURFACES, default: 'default' },
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          ...RPC,
          properties: { ...RPC.properties, method: { type: 'string' }, params: { type: 'object' } },
          required: ['jsonrpc', 'method'],
        },
      },
    },
  },
  responses: {
    '200': { description: 'A result, or a JSON-RPC error.', content: { 'application/json': { schema: RPC } } },
    '202': { description: 'A notification was taken.' },
    '400': { description: 'A protocol version that is not known.', content: { 'application/json': { schema: RPC } } },
    '401': {
      description: `tools/call without a valid key, or a body over ${KEYLESS_BODY.bytes} bytes without one (-32000).`,
      headers: { 'WWW-Authenticate': { schema: { type: 'string' }, description: 'Names the resource metadata.' } },
      content: { 'application/json': { schema: RPC } },
    },
    '403': { description: 'A page of another Origin.', content: { 'application/json': { schema: RPC } } },
    '405': { description: 'Only POST is taken.', content: { 'application/json': { schema: RPC } } },
    '413': { description: 'The body is too large.', content: { 'application/json': { schema: RPC } } },
    '415': { description: 'The body is not application/json.', content: { 'application/json': { schema: RPC } } },
    '429': {
      description: 'Rate limit exceeded (-32002).',
      headers: RETRY_AFTER,
      content: { 'application/json': { schema: RPC } },
    },
    '503': { description: 'A store is away.', headers: RETRY_AFTER, content: { 'application/json': { schema: RPC } } },
  },
})

const appPath = (operation: Operation) => ({
  operationId: operation.name,
  summary: operation.title,
  description: `${operation.summary} Costs ${operation.units} work units; needs the role ${operation.role}.`,
  tags: ['app'],
  security: [{ session: [] }],
  parameters: [
    {
      name: 'X-Workspace-Id',
      in: 'header',
      required: false,
      description: 'Another workspace than the session’s.',
      schema: { type: 'string', format: 'uuid' },
    },
    ...(operation.effect === 'read' ? [] : [IDEMPOTENCY_PARAMETER]),
  ],
  requestBody: { required: true, content: { 'application/json': { schema: strictSchema(operation.input) } } },
  responses: {
    '200': {
      description: 'The answer.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { data: operation.output, meta: { $ref: '#/components/schemas/Meta' } },
            required: ['data', 'meta'],
          },
        },
      },
    },
    default: {
      description: 'What was wrong, what is allowed, what to do.',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  },
})
