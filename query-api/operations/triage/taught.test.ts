import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type OperationsKit, startOperations } from '../testing.ts'

let kit: OperationsKit

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())

it('An acceptance teaches a class where a person decided about that signal alone, and a given class always', async () => {
  const workspace = await kit.workspace()
  const signals = []
  for (let count = 0; count < 8; count += 1)
    signals.push((await workspace.signal({ text: `Number ${count} hangs.`, classification: 'problem' })).reference)
  const taught = async () => {
    const { data } = await workspace.inApp('read_workspace_rules')
    return [data.taught.lessons, data.taught.corrections]
  }
  await workspace.inApp('triage_signals', { action: 'accept', signal_ids: signals.slice(0, 3) })
  await workspace.inApp('triage_signals', { action: 'gather', signal_ids: signals.slice(3, 6) })
  assert.deepEqual(await taught(), [0, 0])
  await workspace.inApp('triage', { action: 'accept', signal_id: signals[6] })
  assert.deepEqual(await taught(), [1, 0])
  const reclassify = { action: 'reclassify', classification: 'idea' }
  await workspace.inApp('triage_signals', { ...reclassify, signal_ids: [signals[0], signals[7]] })
  assert.deepEqual(await taught(), [3, 2])
})
