import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isUuid, newId, type WorkspaceId, wasAccepted } from '../../schemas/domain/ids.ts'
import { SENDERS, type Sender } from '../hostile/senders.ts'
import { testSource } from '../registry/testing.ts'
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

const mail = (text: string) => ({
  subject: 'Export',
  text,
  quoted: '',
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
      mailDraft(to, { mail: mail(text), messageId: '<1@example.com>', receivedAt }).record.signal_id
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
