import { CODE_HOSTS } from '../../schemas/domain/vocabulary.ts'
import { SignalBody } from '../../schemas/http/signal.ts'

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const REFUSALS = {
  '400': problem('The body is not JSON.'),
  '401': problem('The signature is missing or does not fit.'),
  '404': problem('No source has this id.'),
  '413': problem('The body is too large.'),
  '415': problem('The content type is not one that is taken.'),
  '422': problem('The body does not fit its schema; every violation is named.'),
  '429': problem('The limit of this address is used up: wait as Retry-After says, longer each time.'),
  '503': problem('The signal could not be made durable; send it again.'),
}

const id = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The source’s id, from its URL under Settings → Sources.',
  schema: { type: 'string', format: 'uuid' },
}

const taken = (properties: object, required: readonly string[]) => ({
  description: 'Durable, and on its way through the pipeline.',
  content: { 'application/json': { schema: { type: 'object', properties, required } } },
})

const signature = (name: string) => ({
  name,
  in: 'header',
  required: true,
  description: '`sha256=` and the hexadecimal HMAC-SHA256 of the raw body, keyed with the source’s secret.',
  schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
})

const ok = { type: 'boolean', const: true }
const snippetId = { type: 'string', format: 'uuid' }

/** The inbound webhooks that this version takes, as OpenAPI paths. */
export const WEBHOOK_PATHS = {
  '/api/webhooks/custom/{id}': {
    post: {
      operationId: 'receive_signal',
      summary: 'Send a signal',
      description: 'At most 100 requests a minute and address. X-Idempotency-Key makes repeated requests one signal.',
      tags: ['webhooks'],
      security: [],
      parameters: [
        id,
        signature('X-Service-Signature'),
        { name: 'X-Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: SignalBody } } },
      responses: { '200': taken({ ok, snippet_id: snippetId }, ['ok', 'snippet_id']), ...REFUSALS },
    },
  },
  '/api/webhooks/{code_host}/{id}': {
    post: {
      operationId: 'receive_code_host_event',
      summary: 'Send an event of a code host',
      description:
        'Takes push, pull_request, release and deployment; other events are answered with ignored. At most 500 a minute and address.',
      tags: ['webhooks'],
      security: [],
      parameters: [
        { name: 'code_host', in: 'path', required: true, schema: { type: 'string', enum: CODE_HOSTS } },
        id,
        signature('X-Hub-Signature-256'),
        { name: 'X-GitHub-Event', in: 'header', required: true, schema: { type: 'string' } },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object', description: 'The host’s own event payload.' } } },
      },
      responses: {
        '200': taken({ ok, event: { type: 'string' }, snippet_id: snippetId, ignored: { type: 'boolean' } }, [
          'ok',
          'event',
        ]),
        ...REFUSALS,
      },
    },
  },
} as const
