import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId, type SignalId } from '../../../schemas/domain/ids.ts'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import { failsWith, type Workspace } from '../testing.ts'
import { type ActivityKit, startOperationsWithActivity, walked } from '../testing-activity.ts'

let kit: ActivityKit
let workspace: Workspace

before(async () => {
  kit = await startOperationsWithActivity()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const record = (...records: Partial<ActivityRecord>[]) => kit.record(workspace.id, ...records)

test('a signal on its way answers with its step, to its own workspace only', async () => {
  const id = newId<SignalId>()
  await record(...walked(id, 'anchor', 'next'))
  const { data } = await workspace.call('service_lookup', 'signal', { id })
  assert.deepEqual([data.status, data.signal], ['in_pipeline', null])
  assert.match(data.says, /anchor/)
  const { data: traced } = await workspace.call('service_support', 'signal', { id: id.toUpperCase() })
  assert.deepEqual(
    traced.steps.map((step: { step: string; outcome: string }) => `${step.step} ${step.outcome}`),
    ['received received', 'validate next', 'normalize next', 'scrub next', 'embed next', 'anchor next'],
  )
  const stranger = await kit.workspace()
  await assert.rejects(stranger.call('service_lookup', 'signal', { id }), failsWith('not_found'))
  await assert.rejects(stranger.call('service_support', 'signal', { id }), failsWith('not_found'))
})

test('diagnose finds what is wrong with a new workspace, the worst first, and signals that are stuck', async () => {
  await record({
    kind: 'signal.received',
    subject_id: newId(),
    occurred_at: kit.now.getTime() - 10 * 60_000,
  })
  await record(...walked(newId(), 'insert', 'next', { occurred_at: kit.now.getTime() - 10 * 60_000 }))
  await workspace.deadLetter({ step: 'embed', sealed: false, message: 'No words.' })
  const { data } = await workspace.call('service_support', 'diagnose')
  assert.equal(data.healthy, false)
  const found = Object.fromEntries(data.items.map((item: { finding: string }) => [item.finding, item]))
  assert.deepEqual(Object.keys(found), ['no_source', 'stuck_signals', 'dead_letters', 'empty_map', 'limited_embedder'])
  assert.match(found.stuck_signals.evidence, /^1 of the last day/)
  assert.match(found.dead_letters.evidence, /1 waiting: 1 at embed \(fault: sender\)/)
  assert.deepEqual([found.dead_letters.next.tool, found.dead_letters.next.mode], ['service_support', 'pipeline'])
})

test('the pipeline shows what each step did in the last hour, and a sealed letter by its metadata only', async () => {
  await record(...walked(newId(), 'cluster', 'next'))
  await record(...walked(newId(), 'dedup', 'skip'))
  await workspace.deadLetter({ step: 'embed', sealed: false, message: 'No words.' })
  await workspace.deadLetter({ step: 'scrub', sealed: true, message: 'somebody@example.com' })
  const { data } = await workspace.call('service_support', 'pipeline')
  assert.deepEqual(
    data.last_hour.map((step: { step: string }) => step.step),
    [...STEPS],
  )
  const dedup = data.last_hour.find((step: { step: string }) => step.step === 'dedup')
  assert.deepEqual([dedup.signals, dedup.next, dedup.skipped], [2, 1, 1])
  assert.equal(data.count, 2)
  assert.ok(!JSON.stringify(data).includes('somebody@example.com'))
  const { data: embed } = await workspace.call('service_support', 'pipeline', { step: 'embed' })
  assert.deepEqual(
    embed.items.map((letter: { message: string }) => letter.message),
    ['No words.'],
  )
})

test('a source shows its address and when something last arrived, never a secret', async () => {
  const id = newId()
  await kit.database.pool.query(
    `insert into sources (id, workspace_id, kind, name, sealed_secret) values ($1, $2, 'signal', 'Desk', 'sealed')`,
    [id, workspace.id],
  )
  await record({ kind: 'signal.received', subject_id: newId(), source_id: id })
  const { data } = await workspace.call('service_connect', 'list')
  const [source] = data.items
  assert.equal(source.url, `https://assay.example.com/api/webhooks/custom/${id}`)
  assert.equal(new Date(source.last_seen_at).getTime(), kit.now.getTime() - 60_000)
  assert.equal(source.accepted_last_day, 1)
  assert.ok(!JSON.stringify(data).includes('sealed'))
})
