import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { createLogger } from '../../infra/runtime/logger.ts'
import { formatIngestionAddress } from '../../model/sources/ingestion-address.ts'
import { newId, type SourceId } from '../../schemas/domain/ids.ts'
import { emailReceiver } from '../receivers/email/receiver.ts'
import type { Source } from '../registry/source.ts'
import { createFakeSources, startTestEdge } from '../testing.ts'
import { exchange, JSON_SENDERS, SENDERS, type Sender } from './senders.ts'

/** For each property; together they stay within some seconds. */
const RUNS = { numRuns: 120, interruptAfterTimeLimit: 4000 }
/** So many that no source reaches its limit. */
const SOURCES = 40

/** What uWebSockets.js answers by itself to what is no HTTP/1.1. */
const NO_HTTP = 505

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const NAMES = [
  ...['text', 'source', 'source_url', 'occurred_at', 'actor_name', 'actor_email', 'signal_origin', 'actor_role'],
  ...['metadata', 'event', 'value', 'timestamp', 'date', 'time', 'type', 'data', 'ref', 'commits', 'repository'],
  ...['action', 'pull_request', 'release', 'deployment', 'sender', '__proto__', 'constructor', 'toString', ''],
]
const TEXTS = ['\u0000', '\ud800', '\udc00x', '\ufeff', '2026-01-01', '9'.repeat(20), 'customer', 'x'.repeat(60_000)]
const NUMBERS = [0, -0, 1e308, 5e-324, 2 ** 53, -(2 ** 53) - 1, 1e11, 99_999_999_999, 8.64e15 + 1, -1]

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...TEXTS))
const scalar = fc.oneof(fc.constant(null), fc.boolean(), fc.double(), fc.constantFrom(...NUMBERS), text)
/** Objects whose names are often those that a receiver looks for. */
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), fc.string()), tie('value'), { maxKeys: 6 }),
  ),
})).value

/** Every place in a value: the names and numbers that lead there. */
const placesIn = (value: Json, path: readonly string[] = []): (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]))]
    : [path]

/** The value with another one put in one of its places. */
const replacedAt = (value: Json, [name, ...rest]: readonly string[], other: Json): Json => {
  if (name === undefined || typeof value !== 'object' || value === null) return other
  const inner = replacedAt(Reflect.get(value, name), rest, other)
  return Array.isArray(value) ? value.with(Number(name), inner) : { ...value, [name]: inner }
}

const mutated = (examples: readonly Json[]): fc.Arbitrary<Json> =>
  fc
    .constantFrom(...examples)
    .chain(example => fc.tuple(fc.constant(example), fc.constantFrom(...placesIn(example)), json))
    .map(([example, place, other]) => replacedAt(example, place, other))

const EVENTS = ['push', 'pull_request', 'release', 'deployment'] as const
const require = createRequire(import.meta.url)
// The package's main file lists events, each with its examples.
const published = require('@octokit/webhooks-examples') as { name: string; examples: Json[] }[]
const examplesOf = (event: string): Json[] => published.find(({ name }) => name === event)?.examples.slice(0, 3) ?? []

const MAIL_DOMAIN = 'in.example.com'
const MAIL_SECRET = 'a-mail-secret'
const MAIL_PARTS = [
  ...['From: a@example.com', 'Subject: =?utf-8?B?////?=', 'Date: never', 'Message-ID: <a@b>', 'MIME-Version: 1.0'],
  ...['Content-Type: multipart/mixed; boundary=b', '--b', '--b--', 'Content-Type: text/html; charset=x-none'],
  ...[
    'Content-Transfer-Encoding: base64',
    'Content-Type: message/rfc822',
    '',
    '> quoted',
    'On Monday, A wrote:',
    '-- ',
  ],
]

const headerName = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/)
const headerValue = fc.oneof(fc.stringMatching(/^[\x21-\x7e][\x20-\x7e]{0,60}$/), fc.constantFrom('', 'x'.repeat(3000)))
const KNOWN_HEADERS = [
  ...['Content-Type', 'Content-Encoding', 'X-Idempotency-Key', 'X-Service-Signature', 'X-Hub-Signature-256'],
  ...['Authorization', 'X-GitHub-Event', 'X-GitHub-Delivery', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
  ...['traceparent', 'Expect', 'Connection', 'Upgrade', 'X-Forwarded-For', 'Content-Length', 'Transfer-Encoding'],
]
const headers = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...KNOWN_HEADERS), headerName), headerValue), {
  maxLength: 8,
})

describe('requests of every kind', () => {
  const sources = createFakeSources()
  const errors: string[] = []
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  let turn = 0
  const known = new Map<Sender, readonly Source[]>(
    SENDERS.map(sender => [sender, Array.from({ length: SOURCES }, () => sources.add(sender.source))]),
  )

  before(async () => {
    const destination = { write: (line: string) => void errors.push(line) }
    const logger = createLogger({ level: 'error', program: 'ingest', destination })
    edge = await startTestEdge(
      { maxFailuresPerMinute: 10_000, mailDomain: MAIL_DOMAIN, emailIngestSecret: MAIL_SECRET },
      { sources: sources.loader, logger },
    )
  })
  after(() => edge.stop())

  const pathOf = (sender: Sender) => `${sender.receiver.path}${known.get(sender)?.[++turn % SOURCES]?.id}`

  /** Posts a body as the sender does, proven; checks that the answer is one of the documented ones. */
  const post = async (sender: Sender, body: Buffer, more: Record<string, string> = {}): Promise<void> => {
    const response = await fetch(edge.url + pathOf(sender), {
      method: 'POST',
      headers: { ...sender.headers(body), ...more },
      body: new Uint8Array(body),
    })
    const answer = await response.text()
    assert.ok([200, 400, 413, 422].includes(response.status), `${response.status}: ${answer}`)
    assert.equal(JSON.parse(answer).ok, response.status === 200)
  }

  for (const sender of JSON_SENDERS) {
    it(`are answered without a failure at ${sender.name}: any JSON`, async () => {
      const anything = fc.oneof(json, mutated([JSON.parse(sender.body)]))
      const property = fc.asyncProperty(anything, value => post(sender, Buffer.from(JSON.stringify(value))))
      await fc.assert(property, RUNS)
    })
  }

  for (const sender of SENDERS) {
    it(`are answered without a failure at ${sender.name}: any bytes`, async () => {
      const valid = Buffer.from(sender.body)
      const anything = fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.tuple(fc.nat({ max: valid.length - 1 }), fc.nat({ max: 255 })).map(([at, byte]) => {
          const changed = Buffer.from(valid)
          changed[at] = byte
          return changed
        }),
      )
      await fc.assert(
        fc.asyncProperty(anything, bytes => post(sender, Buffer.from(bytes))),
        RUNS,
      )
    })

    it(`are answered without a failure at ${sender.name}: any headers`, async () => {
      const property = fc.asyncProperty(headers, async given => {
        const lines = given.map(([name, value]) => `${name}: ${value}`)
        const own = Object.entries(sender.headers(Buffer.from(sender.body)))
        const written = [...own.map(([name, value]) => `${name}: ${value}`), ...lines]
        const length = `Content-Length: ${sender.body.length}`
        const head = [`POST ${pathOf(sender)} HTTP/1.1`, 'Host: edge', length, ...written, '', '']
        const { status, text } = await exchange(edge.port, head.join('\r\n') + sender.body, { hangUpAfterMs: 200 })
        assert.ok(status === null || status < 500 || status === NO_HTTP, text)
      })
      await fc.assert(property, RUNS)
    })
  }

  it('are answered without a failure: the published payloads of a code host, changed in any place', async () => {
    for (const sender of SENDERS.filter(({ receiver }) => receiver.name === 'code_host')) {
      const deliveries = fc
        .constantFrom(...EVENTS)
        .chain(event => fc.tuple(fc.constant(event), mutated(examplesOf(event))))
      const property = fc.asyncProperty(deliveries, ([event, payload]) =>
        post(sender, Buffer.from(JSON.stringify(payload)), { 'x-github-event': event }),
      )
      await fc.assert(property, RUNS)
    }
  })

  it('are answered without a failure: any mail', async () => {
    const mails = Array.from({ length: SOURCES }, () => sources.add({ kind: 'email', secrets: [] }))
    const part = fc.oneof(text, fc.constantFrom(...MAIL_PARTS))
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 500 }),
      fc.array(part, { maxLength: 12 }).map(lines => Buffer.from(lines.join('\r\n'))),
    )
    const property = fc.asyncProperty(anything, async mail => {
      const sourceId = mails[++turn % SOURCES]?.id ?? newId<SourceId>()
      const response = await fetch(edge.url + emailReceiver.path, {
        method: 'POST',
        headers: {
          'content-type': 'message/rfc822',
          authorization: `Bearer ${MAIL_SECRET}`,
          'x-envelope-to': formatIngestionAddress({ slug: 'acme', sourceId, domain: MAIL_DOMAIN }),
        },
        body: new Uint8Array(mail),
      })
      const answer = await response.text()
      assert.ok([200, 400, 413, 422].includes(response.status), `${response.status}: ${answer}`)
    })
    await fc.assert(property, RUNS)
  })

  it('are answered or hung up on: any bytes that are no request', async () => {
    const lines = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('POST / HTTP/1.1', 'Host: e', '', ':')),
    )
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 500 }),
      lines.map(all => Buffer.from(all.join('\r\n'))),
    )
    const property = fc.asyncProperty(anything, async bytes => {
      const { status, text } = await exchange(edge.port, bytes, { hangUpAfterMs: 200 })
      assert.ok(status === null || status < 500 || status === NO_HTTP, text)
    })
    await fc.assert(property, RUNS)
  })

  it('leave the edge as it was', async () => {
    assert.deepEqual(errors, [])
    for (const sender of SENDERS) await post(sender, Buffer.from(sender.body))
    const metrics = await (await fetch(`${edge.url}/metrics`)).text()
    assert.match(metrics, /^assay_ingest_in_flight_bytes\{.*\} 0$/m)
  })
})
