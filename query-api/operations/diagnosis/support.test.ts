import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { newId, type SignalId } from '../../../schemas/domain/ids.ts'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import { tools } from '../../tools/index.ts'
import { failsWith, type Workspace } from '../testing.ts'
import { type ActivityKit, startOperationsWithActivity, walked } from '../testing-activity.ts'
import { BREAKS } from './broken-workspaces.testing.ts'
import { MENDERS } from './finding.ts'
import { processorsSay, wellWorkspace, workingProcessors } from './well-workspace.testing.ts'

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
  assert.match(data.message, /anchor/)
  const { data: traced } = await workspace.call('service_support', 'signal', { id: id.toUpperCase() })
  assert.deepEqual(
    traced.steps.map((step: { step: string; outcome: string }) => `${step.step} ${step.outcome}`),
    ['received received', 'validate next', 'normalize next', 'scrub next', 'embed next', 'anchor next'],
  )
  const stranger = await kit.workspace()
  await assert.rejects(stranger.call('service_lookup', 'signal', { id }), failsWith('not_found'))
  await assert.rejects(stranger.call('service_support', 'signal', { id }), failsWith('not_found'))
})

interface Found {
  readonly finding: string
  readonly severity: string
  readonly evidence: string
  readonly remedy: string
  readonly cause: string
  readonly since: string
  readonly mended_by: string
  readonly next: { readonly tool: string; readonly mode: string; readonly arguments: object }
}

const diagnose = async (of: Workspace): Promise<{ healthy: boolean; items: readonly Found[] }> =>
  (await of.call('service_support', 'diagnose')).data

test('a workspace that is well has no finding but what the built-in embedder cannot do', async () => {
  const { healthy, items } = await diagnose(await wellWorkspace(kit))
  assert.deepEqual(
    [healthy, items.map(({ finding, severity }) => [finding, severity])],
    [true, [['limited_embedder', 'note']]],
  )
})

for (const { finding, evidence, happens, besides = [] } of BREAKS) {
  test(`diagnose finds ${finding} where it occurs, and nothing else; its next call works as it is`, async () => {
    const well = await wellWorkspace(kit)
    await happens(well)
    const { items, healthy } = await diagnose(well)
    assert.deepEqual(items.map(item => item.finding).toSorted(), [...besides, finding, 'limited_embedder'].toSorted())
    const found = items.find(item => item.finding === finding)
    assert.ok(found)
    assert.match(found.evidence, evidence)
    for (const [, name, mode] of found.remedy.matchAll(/(service_\w+) mode (\w+)/g)) {
      assert.ok(tools.find(tool => tool.name === name)?.modes[mode ?? ''], `${name} mode ${mode}`)
    }
    for (const item of items) {
      assert.ok(item.cause !== '' && item.evidence !== '' && MENDERS.some(one => one === item.mended_by), item.finding)
      assert.match(item.since, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, item.finding)
    }
    assert.equal(healthy, !items.some(({ severity }) => severity === 'broken' || severity === 'degraded'))
    for (const { next } of items) await well.call(next.tool, next.mode, next.arguments)
  })
}

test('everything wrong at once is answered within the budget, the worst first, with each cause once', async () => {
  const well = await wellWorkspace(kit)
  const apart = new Set([
    'no_source',
    'empty_map',
    'signals_without_vector',
    'triage_piles_up',
    'anchors_never_reached',
    'job_waiting',
  ])
  for (const { happens } of BREAKS.filter(({ finding }) => !apart.has(finding))) await happens(well)
  const answer = await well.call('service_support', 'diagnose')
  const items: readonly Found[] = answer.data.items
  assert.ok(items.length >= 28, `${items.length} findings`)
  assert.ok(countTokens(JSON.stringify(answer)) <= 10_000)
  const order = items.map(({ severity }) => ['broken', 'degraded', 'waiting', 'note'].indexOf(severity))
  assert.deepEqual(order, order.toSorted())
  assert.equal(new Set(items.map(({ finding }) => finding)).size, items.length)
})

test('a new workspace is told what to begin with', async () => {
  await processorsSay(kit, workingProcessors)
  const { items } = await diagnose(workspace)
  assert.deepEqual(
    items.map(({ finding }) => finding),
    ['no_source', 'empty_map', 'limited_embedder'],
  )
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
    embed.items.map((deadLetter: { message: string }) => deadLetter.message),
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
