import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import type { OutgoingRecord } from '../../infra/log/port.ts'
import { createMemoryRegistry } from '../../infra/log/testing-registry.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { createShares } from '../../infra/runtime/shares.ts'
import { createByteBudget } from '../../ingest/append/byte-budget.ts'
import { receiveBody } from '../../ingest/http/body.ts'
import { createBodyDeadlines } from '../../ingest/http/body-flow.ts'
import { createIntake } from '../../ingest/intake/intake.ts'
import { createAcceptMail } from '../../ingest/intake/mail.ts'
import { createByteAllowance, createFailureBudget } from '../../ingest/limits/budgets.ts'
import { createRateLimit } from '../../ingest/limits/rate-limit.ts'
import { readMail } from '../../ingest/receivers/email/reading/mail.ts'
import { createRouter, RECEIVERS } from '../../ingest/receivers/index.ts'
import type { Source } from '../../ingest/registry/source.ts'
import { createCodecs } from '../../model/codecs.ts'
import { formatIngestionAddress } from '../../model/sources/ingestion-address.ts'
import { newId, type SourceId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Sent } from './receivers.testing.ts'

/** A body on its way in, or a mail. */
export type Incoming = Sent | { readonly receiver: 'email'; readonly body: string }

export const codecs = createCodecs(createMemoryRegistry())

const SECRET = 'a-shared-secret'
const KEY = Buffer.alloc(32, 1)
const MAIL_DOMAIN = 'in.example.com'
const PIECE_BYTES = 64 * 1024
/** So much of everything that no limit is met. */
const PLENTY = 1e12

const sources = new Map<SourceId, Source>()
let taken: readonly OutgoingRecord[] = []

const logger = createLogger({ level: 'silent', program: 'test' })
const deadlines = createBodyDeadlines({ totalMs: 60_000 })
const budget = createByteBudget(PLENTY)
const failures = createFailureBudget(PLENTY)
const registry = {
  find: (id: SourceId) => {
    const source = sources.get(id)
    return source === undefined ? ({ kind: 'unknown' } as const) : ({ kind: 'found', source } as const)
  },
}
const appending = {
  appender: {
    append: async (records: readonly OutgoingRecord[]) => {
      taken = records
    },
  },
  codecs,
  maxRecordBytes: PLENTY,
  share: () => 'live' as const,
}
const plenty = { requests: PLENTY, seconds: 1 }
const acceptMail = createAcceptMail({
  ...appending,
  limit: createRateLimit('email', plenty, { valkey: null }),
  reader: { read: (_tenant, mail) => readMail(Buffer.from(mail)) },
  now: Date.now,
})
const findReceiver = createRouter({
  ...appending,
  registry,
  failures,
  bytes: createByteAllowance(PLENTY, Date.now),
  memoryOf: createShares(PLENTY, PLENTY),
  memoryOfSender: createShares(PLENTY, PLENTY),
  // On this thread, whose CPU is measured.
  worker: {
    prove: (receiver, request) => receiver.prove(request) ?? { kind: 'complete', bytes: request.body },
    receive: (receiver, request) => receiver.receive(request),
    stop: async () => {},
  },
  receivers: RECEIVERS.map(receiver => ({ ...receiver, limit: plenty })),
  acceptMail,
  mailDomain: MAIL_DOMAIN,
  emailIngestSecret: SECRET,
  limits: { valkey: null },
  now: Date.now,
})
const intake = createIntake({ observe: () => {}, logger })

const sourceOf = ({ receiver, ...sent }: Incoming, workspaceId: WorkspaceId): Source => ({
  id: newId<SourceId>(),
  workspaceId,
  tenantId: newId<TenantId>(),
  kind: receiver,
  codeHost: receiver === 'code_host' ? 'github' : null,
  name: 'A source',
  secrets: [{ value: receiver === 'connection' ? `whsec_${KEY.toString('base64')}` : SECRET, until: null }],
  secretHashes: [{ value: createHash('sha256').update(SECRET).digest(), until: null }],
  paused: false,
  settings: 'settings' in sent ? (sent.settings ?? {}) : {},
})

const hmac = (bytes: Buffer): string => `sha256=${createHmac('sha256', SECRET).update(bytes).digest('hex')}`

const proof = (receiver: Incoming['receiver'], bytes: Buffer, source: Source): Readonly<Record<string, string>> => {
  if (receiver === 'signal') return { 'x-service-signature': hmac(bytes) }
  if (receiver === 'code_host') return { 'x-hub-signature-256': hmac(bytes) }
  if (receiver === 'metric') return { authorization: `Bearer ${SECRET}` }
  if (receiver === 'email') {
    return {
      authorization: `Bearer ${SECRET}`,
      'content-type': 'message/rfc822',
      'x-envelope-to': formatIngestionAddress({ slug: 'w', sourceId: source.id, domain: MAIL_DOMAIN }),
    }
  }
  const seconds = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', KEY).update(`1.${seconds}.`).update(bytes).digest('base64')
  return { 'webhook-id': '1', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` }
}

/** What the edge uses of a response of uWebSockets.js, with a body that comes in pieces. */
const responseWith = (body: Buffer) => {
  const pieces = Array.from(
    { length: Math.max(1, Math.ceil(body.byteLength / PIECE_BYTES)) },
    (_, place) => new Uint8Array(body.subarray(place * PIECE_BYTES, (place + 1) * PIECE_BYTES)).buffer,
  )
  let onData = (_piece: ArrayBuffer, _isLast: boolean): void => {}
  const response = {
    onAborted: () => {},
    onData: (handler: typeof onData) => {
      onData = handler
    },
    pause: () => {},
    resume: () => {},
  }
  return {
    // The rest of a response is not asked for before there is an answer.
    response: response as unknown as Parameters<typeof receiveBody>[0],
    send: () => {
      for (const [place, piece] of pieces.entries()) onData(piece, place === pieces.length - 1)
    },
  }
}

export interface AtEdge {
  readonly status: number
  /** What would go to the log; nothing for a refusal. */
  readonly records: readonly OutgoingRecord[]
}

/**
 * A request as its sender signs it, ready to be taken by the edge: its body in pieces, proof, parsing, projection and
 * encoding, without what uWebSockets.js does in native code. A mail is read on this thread.
 */
export const atEdge = (incoming: Incoming, workspaceId: WorkspaceId): (() => Promise<AtEdge>) => {
  const { receiver: name, body: text } = incoming
  const body = Buffer.from(text)
  const source = sourceOf(incoming, workspaceId)
  const path = (RECEIVERS.find(one => one.name === name)?.path ?? '') + (name === 'email' ? '' : source.id)
  const sent = 'headers' in incoming ? incoming.headers : {}
  const headers = { 'content-type': 'application/json', ...sent, ...proof(name, body, source) }
  const { response, send } = responseWith(body)
  const head = { method: 'POST', path, query: '', headers, address: () => '192.0.2.1', contentLength: body.byteLength }
  return async () => {
    sources.clear()
    sources.set(source.id, source)
    taken = []
    const found = findReceiver(path)
    assert.ok(found, path)
    const answer = intake(found, head, receiveBody(response, found.receiver.maxBodyBytes, { budget, deadlines }))
    send()
    return { status: (await answer)?.status ?? 0, records: taken }
  }
}
