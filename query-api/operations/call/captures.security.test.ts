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
  const begun = new Set<string>()
  const bothBegan = Promise.withResolvers<void>()
  // No append ends before one of each tenant is under way: a queue that both share would wait here for ever.
  kit.beforeAppend = ({ tenant_id: tenant }) => {
    begun.add(tenant)
    if (begun.size === 2) bothBegan.resolve()
    return bothBegan.promise
  }
  const many = Array.from({ length: 8 }, (_, number) => capture(hostile, `Hostile ${number} rings.`))
  await Promise.all([...many, capture(good, 'The bell is cracked.')])
  assert.equal(kit.appended.length, 9)
})
