import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { CreatedSource } from './person.ts'

export interface SenderAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Headers
}

/** The value of `X-Service-Signature` and of `X-Hub-Signature-256` for a body. */
export const sign = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Posts a body to a source's address; headers given replace the right ones. */
export const post = async (
  url: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<SenderAnswer> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return {
    status: response.status,
    body: (await response.json().catch(() => ({}))) as Record<string, unknown>,
    headers: response.headers,
  }
}

/** The headers that prove a body of Standard Webhooks, as a connection takes it. */
export const webhookHeaders = (secret: string, id: string, at: Date, body: string): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(secret).sign(id, at, body),
})

/** Sends a signed signal. */
export const sendSignal = (
  source: CreatedSource,
  signal: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<SenderAnswer> => {
  const body = JSON.stringify(signal)
  return post(source.url, body, { 'x-service-signature': sign(source.secret, body), ...headers })
}
