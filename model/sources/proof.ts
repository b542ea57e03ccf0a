import { createHash, createHmac, randomBytes } from 'node:crypto'
import { randomHex, type Sealer, sha256 } from '../../infra/runtime/secrets.ts'
import type { CodeHost, SourceKind } from '../../schemas/domain/vocabulary.ts'
import { DESCRIPTIONS, type PostedKind } from './kinds/index.ts'
import type { ExampleOf, Proof, ProofScheme } from './kinds/kind.ts'
import { WEBHOOK_KEY_BYTES, webhookKey } from './webhook-key.ts'

/** A source's new secret: as its owner sees it once, and as it is stored. */
export interface NewSecret {
  readonly shown: string | null
  /** Of a secret that signs: it must be known to verify. */
  readonly sealed: Uint8Array | null
  /** Of a secret that is sent along: it need not be known. */
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
  // The form that Standard Webhooks libraries take: the prefix, then 24 to 64 bytes in base64.
  standard_webhooks: seal => signing(`whsec_${randomBytes(SECRET_BYTES).toString('base64')}`, seal),
}

/** Of the form that the kind's senders want. Mail has none: it proves itself by the address that it is sent to. */
export const newSecret = (kind: SourceKind, seal: Sealer['seal']): NewSecret => {
  const { intake } = DESCRIPTIONS[kind]
  return intake.reachedBy === 'mail' ? { shown: null, sealed: null, hash: null } : SECRETS[intake.proof.scheme](seal)
}

/**
 * A secret that its sender has already: it is stored as ours are, and not shown again. Null where the kind has secrets
 * of another form, or it is not of this form.
 */
export const givenSecret = (kind: SourceKind, secret: string, seal: Sealer['seal']): NewSecret | null => {
  const { intake } = DESCRIPTIONS[kind]
  if (intake.reachedBy === 'mail' || intake.proof.scheme !== 'standard_webhooks') return null
  const bytes = webhookKey(secret)?.byteLength ?? 0
  const fits = bytes >= WEBHOOK_KEY_BYTES.least && bytes <= WEBHOOK_KEY_BYTES.most
  return fits ? { ...signing(secret, seal), shown: null } : null
}

/** A kind of source that requests are posted to; of a code host, which one. */
export interface PostedSource {
  readonly kind: PostedKind
  readonly code_host: CodeHost | null
}

/** A body, and what goes into its proof. */
interface Unsigned {
  readonly secret: string
  readonly body: string | Uint8Array
  /** Names this request. */
  readonly id: string
  readonly at: Date
}

type Headers = Readonly<Record<string, string>>

/** The headers, by the names that senders write, that prove a body. */
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

/** A first request as its sender would make it: it is taken. */
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
 * What a source is called in Prometheus: its id is half of an endpoint's secrecy, so the metrics show 12 hexadecimal
 * digits of the id's hash.
 */
export const metricsLabel = (sourceId: string): string =>
  createHash('sha256').update(sourceId).digest('hex').slice(0, 12)
