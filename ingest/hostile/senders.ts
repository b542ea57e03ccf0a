import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { timerMs } from '../../infra/runtime/timers.ts'
import { DESCRIPTIONS, POSTED_KINDS, type PostedKind, postedPath } from '../../model/sources/kinds/index.ts'
import { newSecret, proofHeaders } from '../../model/sources/proof.ts'
import type { CodeHost } from '../../schemas/domain/vocabulary.ts'
import { ENDPOINT_RECEIVERS } from '../receivers/index.ts'
import type { EndpointReceiver } from '../receivers/receiver.ts'
import type { Source } from '../registry/source.ts'

interface RawAnswer {
  /** Null when the connection ended without an answer. */
  readonly status: number | null
  readonly text: string
}

/** What the server sent: one whole answer, or everything until it hung up. `withoutBody` is for HEAD. */
export const readAnswer = async (socket: Socket, withoutBody = false): Promise<RawAnswer> => {
  let text = ''
  socket.setEncoding('latin1')
  const closed = once(socket, 'close')
  const complete = new Promise<void>(resolve => {
    socket.on('data', chunk => {
      text += chunk
      const [head = '', body] = text.split('\r\n\r\n')
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? Number.NaN)
      if (body !== undefined && (withoutBody || body.length >= length)) resolve()
    })
  })
  await Promise.race([closed, complete])
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]
  return { status: status === undefined ? null : Number(status), text }
}

/** A connection on which the bytes are sent as they are. */
export const open = (port: number, bytes: string | Uint8Array): Socket => {
  const socket = connect(port, '127.0.0.1')
  // A server that hangs up while it is written to is what some of this is about.
  socket.on('error', () => {})
  socket.write(bytes)
  return socket
}

interface ExchangeOptions {
  /** For HEAD, whose answer announces a body that does not come. */
  readonly withoutBody?: boolean
  /** Hangs up when there is no answer by then; without it, the server is waited for. */
  readonly hangUpAfterMs?: number
}

/** Sends the bytes as they are, reads what comes back, and hangs up. */
export const exchange = async (
  port: number,
  bytes: string | Uint8Array,
  { withoutBody = false, hangUpAfterMs }: ExchangeOptions = {},
): Promise<RawAnswer> => {
  const socket = open(port, bytes)
  const timer = hangUpAfterMs === undefined ? undefined : setTimeout(() => socket.destroy(), timerMs(hangUpAfterMs))
  try {
    return await readAnswer(socket, withoutBody)
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/**
 * What a sender in good order does at one receiver: where the hostile ones begin. It follows from the description of
 * the kind.
 */
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
