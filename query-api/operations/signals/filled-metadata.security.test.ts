import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { watchStatements } from '../../../infra/postgres/testing.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

/** What statements answered to the main thread, as JSON. */
let answered = 0
let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations(undefined, {
    through: own =>
      watchStatements(own, rows => {
        answered += JSON.stringify(rows).length
      }),
  })
  workspace = await kit.workspace()
})
after(() => kit.stop())

const SIGNALS = 40
/** As many keys as a signal may have, none of them twice. */
const filled = (signal: number) =>
  Object.fromEntries(Array.from({ length: 498 }, (_, key) => [`key ${signal} ${key}`.padEnd(60, 'x'), 'v']))

/** As long as a value may be. */
const LONG = 'y'.repeat(32_000)

test('a filter by metadata that no Signal has costs little, however much senders told', async () => {
  for (let signal = 0; signal < SIGNALS; signal += 1)
    await workspace.signal({ text: `It fails ${signal}`, metadata: { ...filled(signal), plan: `plan ${signal}` } })
  for (let signal = 0; signal < SIGNALS; signal += 1)
    await workspace.signal({ text: `It fails again ${signal}`, metadata: { long: `${signal}${LONG}` } })
  // The words of the workspace are read before.
  await workspace.run('list_signals', { text: 'fails' })
  for (const metadata of [{ missing: 'x' }, { plan: 'none' }, { long: 'none' }]) {
    answered = 0
    await assert.rejects(
      workspace.run('list_signals', { metadata }),
      failsWith('invalid_input', /Nothing has metadata/),
    )
    assert.ok(answered < 256 * 1024, `${JSON.stringify(metadata)}: ${answered} bytes`)
  }
  const { data } = await workspace.call('service_lookup', 'signals', { metadata: { plan: 'PLAN 7' } })
  assert.equal(data.count, 1)
})
