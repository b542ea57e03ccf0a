import { CODE_HOSTS } from '../../schemas/domain/vocabulary.ts'
import { ConnectionBody } from '../../schemas/http/connection.ts'
import { MetricBody } from '../../schemas/http/metric.ts'
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

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', maxLength: 255 },
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
        header('X-Idempotency-Key', 'The sender’s own key: requests with the same one are one signal.', false),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: SignalBody } } },
      responses: { '200': taken({ ok, snippet_id: snippetId }, ['ok', 'snippet_id']), ...REFUSALS },
    },
  },
  '/api/webhooks/metric/{id}': {
    post: {
      operationId: 'receive_metric_point',
      summary: 'Send a value of a metric',
      description:
        'Shows on the nodes of the map that the metric is bound to; makes no signal. The first of occurred_at, timestamp, date and time dates the point, else its receipt. At most 60 requests a minute and address.',
      tags: ['webhooks'],
      security: [{ metric_secret: [] }],
      parameters: [
        id,
        header('X-Idempotency-Key', 'The sender’s own key: requests with the same one are one point.', false),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: MetricBody } } },
      responses: {
        '200': taken({ ok, metric_id: snippetId, occurred_at: { type: 'string', format: 'date-time' } }, [
          'ok',
          'metric_id',
          'occurred_at',
        ]),
        ...REFUSALS,
      },
    },
  },
  '/api/webhooks/connections/{id}': {
    post: {
      operationId: 'receive_connection_event',
      summary: 'Send an event of a connected source',
      description:
        'Proven by Standard Webhooks. data is a signal body, or the connection’s JSON pointers say where in the body the signal is. At most 500 requests a minute and connection.',
      tags: ['webhooks'],
      security: [],
      parameters: [
        id,
        header('webhook-id', 'The message’s own id: its attempts are one signal.'),
        header('webhook-timestamp', 'When the attempt was signed, in epoch seconds; at most 5 minutes away.'),
        header(
          'webhook-signature',
          '`v1,` and the base64 HMAC-SHA256 of id, timestamp and body; several apart by spaces.',
        ),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: ConnectionBody } } },
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
        header(
          'X-GitHub-Event',
          'The event. Gitea’s and Forgejo’s own X-Gitea-Event and X-Forgejo-Event count before it.',
        ),
        header(
          'X-GitHub-Delivery',
          'The delivery, or X-Gitea-Delivery, X-Forgejo-Delivery: sent again, it is the same event.',
          false,
        ),
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
