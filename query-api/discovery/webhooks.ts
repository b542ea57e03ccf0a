import { DESCRIPTIONS, POSTED_KINDS, type PostedKind, postedPath } from '../../model/sources/kinds/index.ts'
import type { PostedIntake, Proof } from '../../model/sources/kinds/kind.ts'
import { CODE_HOSTS } from '../../schemas/domain/vocabulary.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../schemas/http/headers.ts'

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const REFUSALS = {
  '400': problem('The body is not of its content type, or a header is not of its form.'),
  '401': problem('The signature is missing or does not fit.'),
  '404': problem('No source has this id.'),
  '405': problem('Only POST is taken.'),
  '408': problem('The body took too long to arrive.'),
  '413': problem('The body is too large.'),
  '415': problem('The content type is not one that is taken.'),
  '422': problem('The body does not fit its schema; every violation is named.'),
  '429': problem('The limit of this address is used up: wait as Retry-After says, longer each time.'),
  '500': problem('An error that we did not expect. Send it again under the same key.'),
  '503': problem('The signal could not be made durable; send it again.'),
}

const ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The source’s id, from its URL under Settings → Sources.',
  schema: { type: 'string', format: 'uuid' },
}

const CODE_HOST = { name: 'code_host', in: 'path', required: true, schema: { type: 'string', enum: CODE_HOSTS } }

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
})

const IS_TEST =
  '“true”: the request is a test of its source. It is answered like any other, and what it says counts nowhere.'

/** Headers that prove a request, without `Authorization`, which OpenAPI describes as a security scheme. */
const proofParameters = (proof: Proof): readonly object[] => {
  switch (proof.scheme) {
    case 'hmac': {
      const description = '`sha256=` and the hexadecimal HMAC-SHA256 of the raw body, keyed with the source’s secret.'
      return [{ ...header(proof.header, description), schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' } }]
    }
    case 'bearer':
      return []
    case 'standard_webhooks':
      return [
        header(
          'webhook-id',
          'The message’s own id: its attempts are one signal. Svix’s names, such as svix-id, are taken for all three.',
        ),
        header('webhook-timestamp', 'When the attempt was signed, in epoch seconds; at most 5 minutes away.'),
        header(
          'webhook-signature',
          '`v1,` and the base64 HMAC-SHA256 of id, timestamp and body; several apart by spaces.',
        ),
      ]
  }
}

const securityOf = (kind: PostedKind, { scheme }: Proof) => (scheme === 'bearer' ? [{ [`${kind}_secret`]: [] }] : [])

const taken = ({ properties, required }: PostedIntake['answer']) => ({
  description: 'Durable, and on its way through the pipeline.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { ok: { type: 'boolean', const: true }, ...properties },
        required: ['ok', ...required],
      },
    },
  },
})

const pathOf = (kind: PostedKind) => {
  const { form, intake } = DESCRIPTIONS[kind]
  const { operation, limit, proof, headers, body, answer, contentTypes } = intake
  return {
    post: {
      operationId: operation.id,
      summary: operation.summary,
      description: `${operation.description} At most ${limit.requests} requests in ${limit.seconds} seconds for each address.`,
      tags: ['webhooks'],
      security: securityOf(kind, proof),
      parameters: [
        ...(form.fields.includes('code_host') ? [CODE_HOST] : []),
        ID,
        ...proofParameters(proof),
        ...headers.map(({ name, description, required }) => header(name, description, required)),
        header('X-Service-Test', IS_TEST, false),
      ],
      requestBody: { required: true, content: Object.fromEntries(contentTypes.map(type => [type, { schema: body }])) },
      responses: { '200': taken(answer), ...REFUSALS },
    },
  }
}

/** Supported webhooks as OpenAPI paths. */
export const WEBHOOK_PATHS = Object.fromEntries(
  POSTED_KINDS.map(kind => [`${postedPath(kind, null)}{id}`, pathOf(kind)]),
)

/** Secrets that senders send along, as OpenAPI security schemes. */
export const WEBHOOK_SECRETS = Object.fromEntries(
  POSTED_KINDS.filter(kind => DESCRIPTIONS[kind].intake.proof.scheme === 'bearer').map(kind => [
    `${kind}_secret`,
    {
      type: 'http',
      scheme: 'bearer',
      description: `The secret of a ${DESCRIPTIONS[kind].form.label.toLowerCase()}, shown once when it was created.`,
    },
  ]),
)
