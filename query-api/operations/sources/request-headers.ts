import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { CodeHost, SourceKind } from '../../../schemas/domain/vocabulary.ts'
import type { SourceIdentity } from './source-address.ts'

/** A kind of source that requests are posted to. */
export type HttpSourceKind =
  | { readonly kind: Exclude<SourceKind, 'email' | 'code_host'>; readonly code_host: null }
  | { readonly kind: 'code_host'; readonly code_host: CodeHost }

/** Null for mail. */
export const httpSourceKindOf = ({
  kind,
  code_host: codeHost,
}: Pick<SourceIdentity, 'kind' | 'code_host'>): HttpSourceKind | null => {
  if (codeHost !== null) return { kind: 'code_host', code_host: codeHost }
  return kind === 'email' || kind === 'code_host' ? null : { kind, code_host: null }
}

/** One request as a sender would make it. */
export interface ExampleRequest {
  readonly secret: string
  readonly body: string
  /** Names this delivery. */
  readonly id: string
  readonly at: Date
}

/** The headers, by the names that their senders write, that prove a body to a source and say what it is. */
export const requestHeaders = (source: HttpSourceKind, sending: ExampleRequest): Readonly<Record<string, string>> => ({
  'Content-Type': 'application/json',
  ...proof(source, sending),
})

const proof = (source: HttpSourceKind, { secret, body, id, at }: ExampleRequest): Record<string, string> => {
  switch (source.kind) {
    case 'signal':
      return { 'X-Service-Signature': `sha256=${hmac(secret, body)}` }
    case 'metric':
      return { Authorization: `Bearer ${secret}` }
    case 'connection':
      return {
        'webhook-id': `msg_${id}`,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(`msg_${id}`, at, body),
      }
    case 'code_host':
      return { ...codeHostHeaders(source.code_host, id), 'X-Hub-Signature-256': `sha256=${hmac(secret, body)}` }
  }
}

const hmac = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('hex')

/** What the hosts that descend from Gitea send under names of their own, they send under GitHub's too. */
const codeHostHeaders = (codeHost: CodeHost, id: string): Record<string, string> => ({
  ...(codeHost !== 'github' && {
    [`X-${OWN_NAMES[codeHost]}-Event`]: 'ping',
    [`X-${OWN_NAMES[codeHost]}-Delivery`]: id,
  }),
  'X-GitHub-Event': 'ping',
  'X-GitHub-Delivery': id,
})

const OWN_NAMES = { gitea: 'Gitea', forgejo: 'Forgejo' } as const
