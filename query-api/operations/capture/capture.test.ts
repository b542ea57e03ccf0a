import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'

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
