import { createHash, createHmac, randomBytes } from 'node:crypto'
import { randomHex, type Sealer, sha256 } from '../../infra/runtime/secrets.ts'
import type { CodeHost, SourceKind } from '../../schemas/domain/vocabulary.ts'
import { DESCRIPTIONS, type PostedKind } from './kinds/index.ts'
import type { ExampleOf, Proof, ProofScheme } from './kinds/kind.ts'
import { WEBHOOK_KEY_BYTES, webhookKey } from './webhook-key.ts'

/** A source's new secret: shown once to its owner, and in its stored form. */
export interface NewSecret {
  readonly shown: string | null
  /** For a secret that signs, which must be known to verify. */
  readonly sealed: Uint8Array | null
  /** For a secret that is sent along, which need not be known. */
  readonly hash: Uint8Array | null
}

const SECRET_BYTES = 32

type MakeSecret = (seal: Sealer['seal']) => NewSecret

const signing = (shown: string, seal: Sealer['seal']): NewSecret => ({ shown, sealed: seal(shown), hash: null })

const SECRETS: Readonly<Record<ProofScheme, MakeSecret>> = {
  hmac: seal => signing(randomHex(SECRET_BYTES), seal),
  bearer: () => {
    const shown = randomHex(SECRET_BYTES)
    return { shown, sealed: null, hash: sha256(shown) }
  },
  // The form of Standard Webhooks libraries: the prefix, then 24 to 64 bytes in base64.
  standard_webhooks: seal => signing(`whsec_${randomBytes(SECRET_BYTES).toString('base64')}`, seal),
}

/** A new secret in the form of the kind's senders. Mail has none: its address is its proof. */
export const newSecret = (kind: SourceKind, seal: Sealer['seal']): NewSecret => {
  const { intake } = DESCRIPTIONS[kind]
  return intake.reachedBy === 'mail' ? { shown: null, sealed: null, hash: null } : SECRETS[intake.proof.scheme](seal)
}

/**
 * A secret that its sender has already. It is stored like ours and not shown again. Null when it does not have the
 * kind's form, or when the kind has another form.
 */
export const givenSecret = (kind: SourceKind, secret: string, seal: Sealer['seal']): NewSecret | null => {
  const { intake } = DESCRIPTIONS[kind]
  if (intake.reachedBy === 'mail' || intake.proof.scheme !== 'standard_webhooks') return null
  const bytes = webhookKey(secret)?.byteLength ?? 0
  const fits = bytes >= WEBHOOK_KEY_BYTES.least && bytes <= WEBHOOK_KEY_BYTES.most
  return fits ? { ...signing(secret, seal), shown: null } : null
}

/** A kind of source with a URL, and its code host if it has one. */
export interface PostedSource {
  readonly kind: PostedKind
  readonly code_host: CodeHost | null
}

/** A body with the values of its proof. */
interface Unsigned {
  readonly secret: string
  readonly body: string | Uint8Array
  /** Id of this request. */
  readonly id: string
  readonly at: Date
}

type Headers = Readonly<Record<string, string>>

/** Headers that prove a body, in the senders' spelling. */
export const proofHeaders = (proof: Proof, { secret, body, id, at }: Unsigned): Headers => {
  switch (proof.scheme) {
    case 'hmac':
      return { [proof.header]: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }
    case 'bearer':
      return { Authorization: `Bearer ${secret}` }
    case 'standard_webhooks': {
      const [name, timestamp] = [`msg_${id}`, String(Math.floor(at.getTime() / 1000))]
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const signature = createHmac('sha256', key).update(`${name}.${timestamp}.`).update(body).digest('base64')
      return { 'webhook-id': name, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
    }
  }
}

interface Example extends Omit<ExampleOf, 'code_host'> {
  readonly secret: string
}

/** A first request as its sender would send it. The edge accepts it. */
export const exampleRequest = (
  { kind, code_host }: PostedSource,
  { secret, ...example }: Example,
): { readonly headers: Headers; readonly body: string } => {
  const { contentTypes, proof, example: make } = DESCRIPTIONS[kind].intake
  const { headers, body } = make({ ...example, code_host })
  const { id, at } = example
  const signed = proofHeaders(proof, { secret, body, id, at })
  return { body, headers: { 'Content-Type': contentTypes[0], ...headers, ...signed } }
}

/**
 * Label of a source in Prometheus: 12 hexadecimal digits of its id's hash, because the id is half of an endpoint's
 * secret.
 */
export const metricsLabel = (sourceId: string): string =>
  createHash('sha256').update(sourceId).digest('hex').slice(0, 12)
