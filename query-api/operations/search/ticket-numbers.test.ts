import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { importKit } from '../../../processors/jobs/import/testing.ts'
import { type OperationsKit, startOperations } from '../testing.ts'

let kit: OperationsKit
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
const { bring, deliver } = importKit(() => kit.database)

const TWICE = 'The export of large boards fails with an error every time we try it'
const FILE = `ticket,text,who
HD-4711,The invoice shows the wrong address.,Ana
HD-4712,HD-4711 is not solved: the address is wrong again.,Ben
HD-4713,The calendar forgets what I typed in the office.,Cleo
HD-4714,${TWICE},Dora
HD-4715,${TWICE},Eve
`

it('a ticket is found first by the number that it has at the desk, with its claim, whatever mentions it', async () => {
  const workspace = await kit.workspace()
  await bring(workspace.id, FILE)
  await deliver()
  await workspace.inApp('merge_claims', { claim_id: 'CLM-3', into_claim_id: 'CLM-1', lift_refusal: true })
  const first = async (query: string, more: object = {}) =>
    (await workspace.inApp('lookup_search', { query, ...more })).data.items
      .slice(0, 2)
      .map(({ reference }: { reference: string }) => reference)
  assert.deepEqual(await first('HD-4711'), ['SIG-1', 'CLM-1'])
  assert.deepEqual(await first('#hd-4713'), ['SIG-3', 'CLM-1'])
  assert.deepEqual(await first('HD-4715'), ['SIG-4', 'CLM-4'])
  assert.deepEqual((await first('HD-4711', { types: ['signal'] }))[0], 'SIG-1')
  assert.deepEqual(await first('HD-4711', { filters: [{ field: 'state', op: 'in', values: ['dismissed'] }] }), [])
})
