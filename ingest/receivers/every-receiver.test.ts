import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isUuid, newId, type WorkspaceId, wasAccepted } from '../../schemas/domain/ids.ts'
import { TEST_SUBJECT } from '../../schemas/domain/source-form.ts'
import { ConnectionBody } from '../../schemas/http/connection.ts'
import { TEST_HEADER } from '../../schemas/http/headers.ts'
import { MetricBody } from '../../schemas/http/metric.ts'
import { SignalBody } from '../../schemas/http/signal.ts'
import { JSON_SENDERS, SENDERS, type Sender } from '../hostile/senders.ts'
import { testSource } from '../testing.ts'
import { mailDraft } from './email/receiver.ts'
import { RECEIVERS } from './index.ts'
import type { Draft } from './receiver.ts'

/** Every header that some sender names a request with. */
const named = (key: string) =>
  Object.fromEntries(
    ['x-idempotency-key', 'webhook-id', ...['github', 'gitea', 'forgejo'].map(host => `x-${host}-delivery`)].map(
      name => [name, key],
    ),
  )

/** What is stored of a request: the ids of its records, but for activity that has a new one for each request. */
const idsOf = (drafts: readonly Draft[]): readonly string[] =>
  drafts.flatMap((draft): readonly string[] => {
    if (draft.what === 'signal') return [draft.record.signal_id]
    if (draft.what === 'metric_point') return [draft.record.point_id]
    return draft.record.kind === 'code_host.event' ? [draft.record.event_id] : []
  })

/** The body with another text or number in the place of what the sender says. */
const saying = (body: string, what: string): string =>
  body.replace(/The export fails\.|Fix it/, what).replace(/"value":[\d.]+/, `"value":${what.length}`)

const receiverOf = ({ receiver, headers, source: over }: Sender) => {
  const from = testSource(over)
  return (key: string, body: string, to = from, receivedAt = Date.now()) => {
    const bytes = Buffer.from(body)
    const request = { headers: { ...headers(bytes), ...named(key) }, body: bytes, source: to, receivedAt, traceId: '' }
    const taken = receiver.receive(request)
    assert.equal(taken.kind, 'taken', JSON.stringify(taken))
    return taken.kind === 'taken' ? { ids: idsOf(taken.drafts), drafts: taken.drafts } : { ids: [], drafts: [] }
  }
}

const mail = (text: string, subject = 'Export') => ({
  subject,
  text,
  cuts: [],
  author: { name: 'Sender', email: 'sender@example.com' },
  occurred_at: null,
  forward: null,
  automatic: false,
  thread: null,
  attachments: [],
  attachment_count: 0,
  shortened: false,
})

describe('a key that a sender uses again', () => {
  it('is tried at every receiver', () => {
    assert.deepEqual(
      new Set([
        ...SENDERS.map(({ receiver }) => receiver.path),
        ...RECEIVERS.filter(({ takes }) => takes === 'mail').map(({ path }) => path),
      ]),
      new Set(RECEIVERS.map(({ path }) => path)),
    )
  })

  for (const sender of SENDERS) {
    it(`is one with its retry, and another where it says something else: ${sender.name}`, () => {
      const receive = receiverOf(sender)
      const body = saying(sender.body, 'The export is empty.')
      const first = receive('key-1', body)
      assert.ok(first.ids.length > 0 && first.ids.every(isUuid))
      assert.deepEqual(receive('key-1', body, undefined, Date.now() + 60_000).ids, first.ids, 'a retry')
      const others = [
        receive('key-1', saying(sender.body, 'The import is slow.')),
        receive('key-2', body),
        receive('key-1', body, testSource(sender.source)),
      ]
      const all = [first, ...others].flatMap(({ ids }) => ids)
      assert.equal(new Set(all).size, all.length)
    })
  }

  it('is one with its retry, and another where it says something else: mail', () => {
    const to = testSource({ kind: 'email' })
    const id = (text: string, receivedAt = 0) =>
      mailDraft(to, { mail: mail(text), messageId: '<1@example.com>', automatic: null, receivedAt }).record.signal_id
    assert.equal(id('It is empty.', 1), id('It is empty.', 2))
    assert.notEqual(id('It is empty.'), id('It is slow.'))
  })

  it('leaves the workspace’s mark on the id of every signal, with a key and without', () => {
    for (const sender of SENDERS) {
      for (const key of ['key-1', '']) {
        for (const draft of receiverOf(sender)(key, sender.body).drafts) {
          if (draft.what !== 'signal') continue
          const { workspace_id: workspaceId, signal_id: id } = draft.record
          assert.ok(wasAccepted(workspaceId, id) && wasAccepted(workspaceId, id.toUpperCase()), sender.name)
          assert.ok(!wasAccepted(newId<WorkspaceId>(), id))
        }
      }
    }
    assert.ok(!wasAccepted(newId<WorkspaceId>(), newId()))
  })
})

const nullFor = (optional: readonly string[]) => Object.fromEntries(optional.map(name => [name, null]))

/** Of each receiver whose body is described: the names that may be left out. */
const OPTIONAL = [SignalBody, MetricBody, ConnectionBody].map(({ properties, required }) =>
  Object.keys(properties).filter(name => !required.includes(name as never)),
)

describe('an optional field that is null', () => {
  it('is absent at every receiver of JSON, however deep the signal is', () => {
    const names = OPTIONAL.flat()
    for (const sender of JSON_SENDERS) {
      const { receiver, headers, body } = sender
      const from = testSource(sender.source)
      const receivedAt = Date.now()
      const contentOf = (sent: object) => {
        const bytes = Buffer.from(JSON.stringify(sent))
        const taken = receiver.receive({ headers: headers(bytes), body: bytes, source: from, receivedAt, traceId: '' })
        assert.equal(taken.kind, 'taken', `${sender.name}: ${JSON.stringify(taken)}`)
        const [draft] = taken.kind === 'taken' ? taken.drafts : []
        if (draft?.what === 'signal') return draft.record.received?.body
        return draft?.what === 'metric_point' ? [draft.record.value, draft.record.occurred_at] : undefined
      }
      const { type: _, timestamp: __, source: ___, ...bare } = JSON.parse(body)
      const data = bare.data === undefined ? {} : { data: { ...nullFor(OPTIONAL[0] ?? []), text: bare.data.text } }
      const without = bare.data === undefined ? {} : { data: { text: bare.data.text } }
      assert.deepEqual(contentOf({ ...nullFor(names), ...bare, ...data }), contentOf({ ...bare, ...without }))
    }
  })
})

describe('a test of a source', () => {
  for (const { name, receiver, headers, body, source: over } of SENDERS) {
    it(`leaves signals that are marked as tests, and nothing else: ${name}`, () => {
      const bytes = Buffer.from(body)
      const receive = (more: Readonly<Record<string, string>>) => {
        const request = { headers: { ...headers(bytes), ...more }, body: bytes, source: testSource(over), traceId: '' }
        const taken = receiver.receive({ ...request, receivedAt: Date.now() })
        assert.equal(taken.kind, 'taken', JSON.stringify(taken))
        return taken.kind === 'taken' ? taken : assert.fail()
      }
      const marks = ({ drafts }: ReturnType<typeof receive>) =>
        drafts.map(draft => (draft.what === 'signal' ? draft.record.is_test : draft.what))
      const real = receive({})
      const test = receive({ [TEST_HEADER]: 'true' })
      assert.deepEqual(Object.keys(test.answer), Object.keys(real.answer))
      assert.ok(real.drafts.length > 0 && !marks(real).includes(true))
      assert.deepEqual(
        marks(test),
        real.drafts.filter(({ what }) => what === 'signal').map(() => true),
      )
      assert.ok(!marks(receive({ [TEST_HEADER]: 'false' })).includes(true))
    })
  }

  it('is a mail with its own subject, and no other', () => {
    const to = testSource({ kind: 'email' })
    const isTest = (subject: string) =>
      mailDraft(to, {
        mail: mail('Does it arrive?', subject),
        messageId: null,
        automatic: null,
        receivedAt: Date.now(),
      }).record.is_test
    assert.equal(isTest(` ${TEST_SUBJECT} `), true)
    assert.equal(isTest(`Re: ${TEST_SUBJECT}`), false)
  })
})
