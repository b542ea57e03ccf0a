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
  // The good tenant calls while the hostile one's second signal is appended, and six wait: for so long that a busy
  // machine has the call in its queue by then.
  const second = Promise.withResolvers<void>()
  let begun = 0
  kit.beforeAppend = () => {
    begun += 1
    if (begun === 2) second.resolve()
    return pause(begun === 2 ? 2_000 : 10)
  }
  const many = Array.from({ length: 8 }, (_, number) => capture(hostile, `Hostile ${number} rings.`))
  await second.promise
  await Promise.all([...many, capture(good, 'The bell is cracked.')])
  const tenants = kit.appended.map(({ tenant_id: tenant }) => tenant)
  assert.equal(tenants.length, 9)
  // In one queue for both it would come behind the four calls of the hostile tenant that may be under way at once.
  assert.ok(tenants.indexOf(good.caller.tenantId) <= 3, String(tenants.indexOf(good.caller.tenantId)))
})
