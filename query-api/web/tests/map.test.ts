import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { CreatedSource } from '../../../test/support/person.ts'
import { sendSignal } from '../../../test/support/sender.ts'
import { describeEveryState } from './every-state.ts'
import { startVisit, type Visit } from './visit.ts'

const PATH = '/app/map'
const HOSTILE = '<img src=x onerror=alert(1)> \u202eevil'

interface Node {
  readonly id: string
}

describe('Map', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  const add = (name: string, parent_id: string | null = null, more: object = {}) =>
    visit.person.call<Node>('add_map_node', { name, parent_id, ...more })
  const line = (name: string) => visit.page.getByRole('treeitem', { name: new RegExp(`^${name}, `) })
  const arrange = async () => {
    const { person } = visit
    const exports = await add('Exports', null, { description: 'Getting data out of the product.' })
    const csv = await add('CSV', exports.id, {
      description: 'Comma separated files.',
      examples: ['The CSV is broken.'],
    })
    await add('PDF', exports.id, { examples: ['The PDF export has no page numbers.'] })
    const billing = await add('Billing', null, { description: 'Invoices and payments.' })
    await add('Invoices', billing.id, { examples: ['My invoice is wrong.'] })
    await add('Sign-in', null, { examples: ['I cannot sign in.'] })
    const signals = await person.call<CreatedSource>('create_source', { kind: 'signal', name: 'Support desk' })
    for (const text of [
      'The CSV is broken.',
      'My invoice is wrong.',
      'I cannot sign in.',
      'The PDF export has no page numbers.',
    ])
      await sendSignal(signals, { text, source: 'support desk' })
    const metric = await person.call<CreatedSource>('create_source', { kind: 'metric', name: 'Failed exports' })
    for (const [day, value] of [9, 8, 8, 6, 7, 4, 3].entries())
      await sendSignal(metric, { value, occurred_at: new Date(Date.now() - (7 - day) * 86_400_000).toISOString() })
    await person.call('bind_metric', { id: csv.id, metric_id: metric.id, direction: 'down_is_good', target: 2 })
  }

  it('says what to do where there is no map', async () => {
    const { page, open, checkAccess } = visit
    await open(PATH)
    await page.getByText('The map is empty').waitFor()
    await checkAccess()
  })

  it('shows', async () => {
    await arrange()
    await visit.open(PATH)
    await line('CSV').waitFor()
    await visit.page.waitForTimeout(6000)
    await visit.screenshot('map-try')
    await line('CSV').click()
    await visit.page.waitForTimeout(3000)
    await visit.screenshot('map-try-node')
    await visit.checkAccess()
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
