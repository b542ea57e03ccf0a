import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId, type SourceId } from '../../../schemas/domain/ids.ts'
import type { Content } from '../../../schemas/events/signal.ts'
import { failsWith } from '../testing.ts'
import { type ActivityKit, startOperationsWithActivity } from '../testing-activity.ts'

const content: Content = {
  text: 'I am away.',
  text_hash: '00',
  event: null,
  source: 'email',
  source_url: null,
  actor_name: 'Kim',
  actor_email: '[EMAIL]',
  actor_key: null,
  signal_origin: 'customer',
  actor_role: 'system',
  occurred_at: null,
  metadata: '{}',
  cut_signature: null,
  cut_quoted: null,
  cut_footer: null,
  cut_omitted: null,
}

let kit: ActivityKit
before(async () => {
  kit = await startOperationsWithActivity()
})
after(() => kit.stop())

test('automatic mail is seen at its source, alarms nobody, and one call makes it a signal', async () => {
  const workspace = await kit.workspace()
  const support = (mode: string, input: object = {}) => workspace.call('service_support', mode, input)
  const { id } = (await workspace.call('service_connect', 'create', { name: 'Inbox' })).data
  const held = (kind: string, subject: string, source_id: SourceId) =>
    workspace.deadLetter({
      step: 'embed',
      topic: 'signals.embed',
      fault: 'automatic',
      errorClass: kind,
      message: 'An answer that a program gave: its header Auto-Submitted says so.',
      sealed: false,
      record: {
        source_id,
        received: null,
        content: { ...content, metadata: JSON.stringify({ subject }) },
        scrubbed: { version: '2', replaced: {} },
      },
    })
  const away = await held('automatic_reply', 'Automatic reply: Export', id)
  await held('delivery_report', 'failure notice', id)
  await held('delivery_report', 'of another', newId<SourceId>())

  const { automatic_mail: mails } = (await support('source', { id })).data
  assert.deepEqual([mails.waiting, mails.last_at !== null], [2, true])
  assert.deepEqual(mails.kinds, [
    { kind: 'automatic_reply', count: 1 },
    { kind: 'delivery_report', count: 1 },
  ])
  const [shown] = mails.items.filter((item: { signal_id: string }) => item.signal_id === away)
  assert.deepEqual([shown.subject, shown.sender, shown.kind], ['Automatic reply: Export', 'Kim', 'automatic_reply'])
  assert.match(shown.reason, /Auto-Submitted/)

  assert.deepEqual((await support('pipeline')).data.items, [])
  assert.equal((await support('pipeline', { fault: 'automatic' })).data.items.length, 3)
  assert.equal((await support('replay', { all: true, dry_run: true })).data.dead_letters, 0)
  assert.equal((await support('replay', { fault: 'automatic', dry_run: true })).data.dead_letters, 3)
  await assert.rejects(support('discard', { all: true, reason: 'They are old.' }), failsWith('not_found'))
  const { job_id: job, dead_letters: letters } = (await support('replay', { signal_id: away })).data
  assert.deepEqual([typeof job, letters], ['string', 1])
})
