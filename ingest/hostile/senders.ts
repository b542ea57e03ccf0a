import { randomUUID } from 'node:crypto'
import { DESCRIPTIONS, POSTED_KINDS, type PostedKind, postedPath } from '../../model/sources/kinds/index.ts'
import { newSecret, proofHeaders } from '../../model/sources/proof.ts'
import type { CodeHost } from '../../schemas/domain/vocabulary.ts'
import { ENDPOINT_RECEIVERS } from '../receivers/index.ts'
import type { EndpointReceiver } from '../receivers/receiver.ts'
import type { Source } from '../registry/source.ts'

/** What a sender in good order does at one receiver: where the hostile ones begin. It follows from the description of the kind. */
export interface Sender {
  readonly name: string
  readonly receiver: EndpointReceiver
  /** What the source of an endpoint has to be. */
  readonly source: Partial<Source>
  readonly contentType: string
  /** A body that is accepted; a JSON object where the content type is JSON. */
  readonly body: string
  /** Headers that go with any body, and those that prove this one. */
  readonly headers: (body: Uint8Array) => Readonly<Record<string, string>>
}

/** A sender for each address that a kind of source has. */
const sendersOf = (kind: PostedKind): readonly Sender[] =>
  DESCRIPTIONS[kind].connectables.map(({ code_host: codeHost }) => senderOf(kind, codeHost))

const senderOf = (kind: PostedKind, codeHost: CodeHost | null): Sender => {
  const path = postedPath(kind, codeHost)
  const receiver = ENDPOINT_RECEIVERS.find(one => one.path === path)
  if (receiver === undefined) throw new Error(`The kind ${kind} has no receiver at ${path}.`)
  const { proof, sample, contentTypes } = DESCRIPTIONS[kind].intake
  const [contentType] = contentTypes
  const { shown, sealed, hash } = newSecret(kind, text => Buffer.from(text))
  const secret = shown ?? ''
  const given = { settings: {}, text: 'The export fails.', id: randomUUID(), at: new Date(), secret }
  const { headers, body } = sample ?? DESCRIPTIONS[kind].intake.example({ ...given, code_host: codeHost })
  return {
    name: path.slice('/api/webhooks/'.length, -1),
    receiver,
    source: {
      kind,
      codeHost,
      secrets: sealed === null ? [] : [{ value: secret, until: null }],
      secretHashes: hash === null ? [] : [{ value: hash, until: null }],
    },
    contentType,
    body,
    headers: bytes => {
      const proven = proofHeaders(proof, { secret, body: bytes, id: randomUUID(), at: new Date() })
      const all = { 'content-type': contentType, ...headers, ...proven }
      return Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]))
    },
  }
}

export const SENDERS: readonly Sender[] = POSTED_KINDS.flatMap(sendersOf)

/** Those whose bodies are JSON. */
export const JSON_SENDERS = SENDERS.filter(({ contentType }) => contentType === 'application/json')

/** The sender's body with more members, given as JSON text: `"a":1,"b":2`. */
export const withMembers = (body: string, members: string): string => `${body.slice(0, -1)},${members}}`
