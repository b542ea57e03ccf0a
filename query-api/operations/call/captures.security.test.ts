import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type OperationsKit, startOperations } from '../testing.ts'

let kit: OperationsKit
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())

test('a tenant’s captures wait behind each other, and another tenant’s goes beside the first of them', async () => {
  const [hostile, good] = [await kit.workspace(), await kit.workspace()]
  // Each has been admitted before.
  for (const workspace of [hostile, good]) await workspace.run('lookup_triage', {})
  const capture = (workspace: typeof hostile, text: string) => workspace.call('service_capture', 'signal', { text })
  // The good tenant's call comes as far as the queue while the first few of the hostile one are appended.
  kit.beforeAppend = () => pause(200)
  const many = Array.from({ length: 8 }, (_, number) => capture(hostile, `Hostile ${number} rings.`))
  await Promise.all([...many, capture(good, 'The bell is cracked.')])
  const tenants = kit.appended.map(({ tenant_id: tenant }) => tenant)
  assert.equal(tenants.length, 9)
  // In one queue for both it would be the last.
  assert.notEqual(tenants.at(-1), good.caller.tenantId)
})
