import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  kit.appended.length = 0
})

const capture = (input: object, idempotencyKey?: string) =>
  workspace.call('service_capture', 'signal', input, idempotencyKey)

test('a captured signal is appended to the head of the pipeline, as a received one', async () => {
  const { data } = await capture({ text: 'The export never ends.', source: 'interview', metadata: { round: 2 } })
  const [record] = kit.appended
  assert.ok(record)
  assert.equal(record.signal_id, data.snippet_id)
  assert.deepEqual([record.workspace_id, record.tenant_id], [workspace.id, workspace.caller.tenantId])
  assert.deepEqual([record.channel, record.source_id, record.content], ['capture', null, null])
  assert.equal(record.received?.format, 'signal')
  assert.deepEqual(JSON.parse(record.received?.body ?? ''), {
    text: 'The export never ends.',
    source: 'interview',
    metadata: { round: 2 },
  })
})

test('the same idempotency key gives the same signal, and keys of other callers another', async () => {
  const first = await capture({ text: 'It hangs.' }, 'once')
  const second = await capture({ text: 'It hangs.' }, 'once')
  assert.equal(second.data.snippet_id, first.data.snippet_id)
  assert.equal(new Set(kit.appended.map(record => record.signal_id)).size, 1)
  const other = await kit.workspace()
  const { data } = await other.call('service_capture', 'signal', { text: 'It hangs.' }, 'once')
  assert.notEqual(data.snippet_id, first.data.snippet_id)
})

test('what the webhook refuses is refused here too, and nothing is appended', async () => {
  let deep: object = {}
  for (let level = 0; level < 40; level += 1) deep = { deep }
  const refused = [
    { input: { text: ' ' }, pointer: '/text' },
    { input: { text: 'x'.repeat(50_001) }, pointer: '/text' },
    { input: { text: 'It hangs.', occurred_at: 'yesterday' }, pointer: '/occurred_at' },
    { input: { text: 'It hangs.', occurred_at: '1999-12-31' }, pointer: '/occurred_at' },
    { input: { text: 'It hangs.', metadata: deep }, pointer: '/metadata' },
    { input: { text: 'It hangs.', tenant: 'another' }, pointer: '/tenant' },
  ]
  for (const { input, pointer } of refused) {
    await assert.rejects(capture(input), error => {
      assert.ok(isAssayError(error))
      assert.deepEqual(
        error.violations.map(violation => violation.pointer),
        [pointer],
      )
      return true
    })
  }
  assert.deepEqual(kit.appended, [])
})

test('a note is kept on the one object that its id, reference or name stands for', async () => {
  await workspace.call('service_map', 'add_node', { name: 'Exports' })
  const claim = await workspace.claim('Exports')
  const note = (id: string) => workspace.call('service_capture', 'knowledge', { id, text: ' CSV is limited to 4 GB. ' })
  await assert.rejects(note('exports'), failsWith('ambiguous'))
  await assert.rejects(note('SOL-9'), failsWith('not_found'))
  const { data } = await note(claim.reference)
  assert.deepEqual([data.about.kind, data.about.reference], ['claim', claim.reference])
  const { rows } = await kit.database.pool.query(
    `select text, author_name, key_label from knowledge_notes where id = $1`,
    [data.id],
  )
  assert.deepEqual(rows, [{ text: 'CSV is limited to 4 GB.', author_name: 'Owner', key_label: 'Agent' }])
  const { data: found } = await workspace.call('service_lookup', 'search', { query: 'csv', types: ['note'] })
  assert.equal(found.items[0].id, data.id)
})

test('a Signal is attached to another claim with who did it and why, and triage takes that back', async () => {
  const signal = await workspace.signal({ text: 'The export never ends.' })
  const own = await workspace.claim('Exports hang', [signal])
  const told = await workspace.signal({ text: 'They left for another tool.' })
  const other = await workspace.claim('Customers leave over exports', [told])
  const attach = (input: object = {}) =>
    workspace.call('service_capture', 'evidence', {
      signal_id: signal.reference,
      claim_id: other.reference,
      reason: 'They cancelled the next day.',
      ...input,
    })
  const { data } = await attach({ version: 1 })
  assert.deepEqual([data.signal.state, data.claim.reference], ['accepted', other.reference])
  const evidence = async () =>
    (await workspace.call('service_lookup', 'claim', { id: other.id })).data.evidence.items.filter(
      ({ attached_by }: { attached_by: string }) => attached_by === 'member',
    )
  const [attached] = await evidence()
  assert.deepEqual(
    [attached.attached_by, attached.actor, attached.reason],
    ['member', 'Owner, through the key "Agent"', 'They cancelled the next day.'],
  )
  await assert.rejects(attach(), failsWith('conflict', /evidence of CLM-2 already/))
  await assert.rejects(attach({ claim_id: own.id, version: 1 }), failsWith('conflict', /you read version 1/))

  const undo = { action: 'undo', decision_id: data.decision.reference }
  const { data: undone } = await workspace.call('service_decide', 'triage', undo)
  assert.deepEqual([undone.undone, undone.signal.state], [['attach'], 'triage'])
  assert.deepEqual(await evidence(), [])
  assert.equal((await workspace.call('service_lookup', 'claim', { id: own.id })).data.evidence.count, 1)

  await workspace.call('service_decide', 'triage', { action: 'dismiss', signal_id: signal.id })
  await assert.rejects(attach(), failsWith('conflict', /is dismissed\. Accept it first/))
  assert.deepEqual(await evidence(), [])
})

test('a key that is used again for something else, once its answer is forgotten, makes a signal of its own', async () => {
  const first = await capture({ text: 'It hangs.' }, 'again')
  await assert.rejects(capture({ text: 'It is slow.' }, 'again'), failsWith('conflict', /already used/))
  await kit.database.pool.query(`update idempotent_answers set created_at = created_at - interval '25 hours'`)
  const [same, other] = [await capture({ text: 'It hangs.' }, 'again'), await capture({ text: 'It is slow.' }, 'later')]
  await kit.database.pool.query(`update idempotent_answers set created_at = created_at - interval '25 hours'`)
  const reused = await capture({ text: 'It is slow.' }, 'again')
  assert.equal(same.data.snippet_id, first.data.snippet_id)
  assert.equal(new Set([first, other, reused].map(({ data }) => data.snippet_id)).size, 3)
})

/** Every way to ask for a signal by its id, and what else the call needs; `$` stands for the id. */
const PATHS: Readonly<Record<string, object>> = {
  'service_lookup signal': { id: '$' },
  'service_support signal': { id: '$' },
  'service_lookup reference': { query: '$' },
  'service_lookup search': { query: '$' },
  'service_lookup repeats': { id: '$' },
  'service_lookup decision': { about: '$' },
  'service_support dead_letter': { signal_id: '$' },
  'service_capture evidence': { signal_id: '$', claim_id: 'CLM-1', reason: 'It says so.' },
  'service_decide triage': { action: 'accept', signal_id: '$' },
  'service_map move_signal': { signal_id: '$', node_id: null },
  'service_decide decision': { statement: 'It is so.', about: ['$'] },
}

test('a signal that was just accepted answers with its step on every path, and another’s id is not found', async () => {
  await workspace.claim('Exports')
  const { data } = await capture({ text: 'It hangs.' })
  const strangers = await (await kit.workspace()).call('service_capture', 'signal', { text: 'It hangs.' })
  for (const [path, input] of Object.entries(PATHS)) {
    const [tool = '', mode = ''] = path.split(' ')
    const ask = (id: string) => workspace.call(tool, mode, JSON.parse(JSON.stringify(input).replaceAll('$', id)))
    const answered = await ask(data.snippet_id).catch(error => error)
    if (isAssayError(answered)) {
      assert.deepEqual([answered.code, answered.retriable, answered.context.step], ['conflict', true, 'validate'], path)
      assert.match(answered.publicMessage, /waits for the first step, validate/, path)
    } else assert.deepEqual([answered.data.status, answered.data.step], ['in_pipeline', 'validate'], path)
    if (mode !== 'search') await assert.rejects(ask(strangers.data.snippet_id), failsWith('not_found'), path)
  }
})
