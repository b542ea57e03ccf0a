import { createHash, createHmac } from 'node:crypto'
import { newId } from '../../schemas/domain/ids.ts'
import { RECEIVERS } from '../receivers/index.ts'
import type { Receiver } from '../receivers/receiver.ts'
import type { Source } from '../registry/source.ts'
import { sign } from '../testing.ts'

/** What a sender in good order does at one receiver: where the hostile ones begin. */
export interface Sender {
  readonly name: string
  readonly receiver: Receiver
  /** What the source of an endpoint has to be. */
  readonly source: Partial<Source>
  /** A JSON object that is accepted. */
  readonly body: string
  /** Headers that go with any body, and those that prove this one. */
  readonly headers: (body: Uint8Array) => Readonly<Record<string, string>>
}

const BEARER = 'a-bearer-secret'
const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

type Manners = Omit<Sender, 'name' | 'receiver'>

const MANNERS: Readonly<Record<string, (receiver: Receiver) => Manners>> = {
  signal: () => ({
    source: { kind: 'signal' },
    body: '{"text":"The export fails."}',
    headers: body => ({ 'x-service-signature': sign(body) }),
  }),
  metric: () => ({
    source: {
      kind: 'metric',
      secrets: [],
      secretHashes: [{ value: createHash('sha256').update(BEARER).digest(), until: null }],
    },
    body: '{"value":42}',
    headers: () => ({ authorization: `Bearer ${BEARER}` }),
  }),
  code_host: ({ path }) => ({
    // The path ends in the code host's own name.
    source: { kind: 'code_host', codeHost: path.split('/')[3] as NonNullable<Source['codeHost']> },
    body: '{"ref":"refs/heads/main","repository":{"full_name":"o/r"},"commits":[{"id":"1","message":"Fix it"}]}',
    headers: body => ({ 'x-github-event': 'push', 'x-hub-signature-256': sign(body) }),
  }),
  connection: () => ({
    source: { kind: 'connection', secrets: [{ value: WEBHOOK_SECRET, until: null }] },
    body: '{"type":"ticket.created","timestamp":"2026-01-01T00:00:00Z","data":{"text":"The export fails."}}',
    headers: body => {
      const [id, at] = [newId(), Math.floor(Date.now() / 1000)]
      // The library signs text alone, and here is any body.
      const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64')
      const digest = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')
      return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${digest}` }
    },
  }),
}

/** A sender for each receiver with endpoints: a new receiver has to be given manners before its tests can begin. */
export const SENDERS: readonly Sender[] = RECEIVERS.map(receiver => {
  const manners = MANNERS[receiver.name]
  if (manners === undefined) throw new Error(`Say in ${import.meta.url} how senders behave at "${receiver.name}".`)
  return { name: receiver.path.slice('/api/webhooks/'.length, -1), receiver, ...manners(receiver) }
})

/** The sender's body with more members, given as JSON text: `"a":1,"b":2`. */
export const withMembers = (body: string, members: string): string => `${body.slice(0, -1)},${members}}`
