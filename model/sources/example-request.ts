import { createHmac } from 'node:crypto'
import type { CodeHost } from '../../schemas/domain/vocabulary.ts'
import { DESCRIPTIONS, type PostedKind } from './kinds/index.ts'
import type { ExampleOf, Proof } from './kinds/kind.ts'

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
