import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import { type OperationsKit, startOperations } from '../testing.ts'
import { insertActivity, walked } from '../testing-activity.ts'

let analytics: TestAnalytics
let kit: OperationsKit
before(async () => {
  analytics = await startTestAnalytics()
  kit = await startOperations(analytics.analytics)
})
after(async () => {
  await kit.stop()
  await analytics.stop()
})

test('the owner of a workspace reads its ledger, and nothing of another’s', async () => {
  const [workspace, other] = [await kit.workspace(), await kit.workspace()]
  const told = await workspace.signal({ text: 'The export fails' })
  await insertActivity(analytics.analytics, workspace.id, kit.now, walked(told.id, 'insert', 'next'))
  await other.signal({ text: 'Of another workspace' })

  const { data } = await workspace.call('service_support', 'ledger')
  assert.deepEqual([data.verdict, data.received, data.inserted], ['balanced', 1, { postgres: 1, clickhouse: 1 }])

  const untold = await workspace.signal({ text: 'The import fails' })
  const { data: later } = await workspace.call('service_support', 'ledger')
  assert.equal(later.verdict, 'on_the_way')
  assert.deepEqual(later.differences, [{ end: 'inserted', only_in_postgres: [untold.id], only_in_clickhouse: [] }])
})
