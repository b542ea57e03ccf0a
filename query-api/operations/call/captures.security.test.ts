import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
  const [first, beside] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let [underWay, most] = [0, 0]
  kit.beforeAppend = async ({ tenant_id: tenant }) => {
    if (tenant === good.caller.tenantId) return beside.resolve()
    underWay += 1
    most = Math.max(most, underWay)
    first.resolve()
    // In one queue for both the good tenant's call never comes beside it, and the append ends at its deadline.
    await beside.promise
    underWay -= 1
  }
  const many = Array.from({ length: 8 }, (_, number) => capture(hostile, `Hostile ${number} rings.`))
  await first.promise
  await Promise.all([...many, capture(good, 'The bell is cracked.')])
  const tenants = kit.appended.map(({ tenant_id: tenant }) => tenant)
  assert.equal(tenants.length, 9)
  assert.equal(most, 1)
  assert.ok(tenants.indexOf(good.caller.tenantId) <= 1, String(tenants.indexOf(good.caller.tenantId)))
})
