import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ActivityKit, startOperationsWithActivity, walked } from '../testing-activity.ts'

let kit: ActivityKit
before(async () => {
  kit = await startOperationsWithActivity()
})
after(() => kit.stop())

test('the owner of a workspace reads its ledger, and nothing of another’s', async () => {
  const [workspace, other] = [await kit.workspace(), await kit.workspace()]
  const told = await workspace.signal({ text: 'The export fails' })
  await kit.record(workspace.id, ...walked(told.id, 'insert', 'next'))
  await other.signal({ text: 'Of another workspace' })

  const { data } = await workspace.call('service_support', 'ledger')
  assert.deepEqual([data.verdict, data.received, data.inserted], ['balanced', 1, { postgres: 1, clickhouse: 1 }])

  const unreported = await workspace.signal({ text: 'The import fails' })
  const { data: later } = await workspace.call('service_support', 'ledger')
  assert.equal(later.verdict, 'in_progress')
  assert.deepEqual(later.differences, [{ end: 'inserted', only_in_postgres: [unreported.id], only_in_clickhouse: [] }])
})
