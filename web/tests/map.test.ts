import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import type { CreatedSource } from '../../test/support/person.ts'
import { post, sendSignal } from '../../test/support/sender.ts'
import { describeEveryState } from './every-state.ts'
import { comesToBe, startVisit, type Visit } from './visit.ts'

const PATH = '/app/map'
const HOSTILE = '<img src=x onerror=alert(1)> evil'

/** What senders write, by the node that it is an example of. */
const TEXTS = {
  CSV: ['The CSV is broken.', 'Quotes in CSV cells are lost.', 'CSV with umlauts is garbled.'],
  PDF: ['The PDF export has no page numbers.'],
  Invoices: ['My invoice is wrong.', 'The invoice has no tax number.'],
  Cards: ['Cards jump when I drag them.'],
}

interface Outline {
  readonly items: readonly {
    readonly id: string
    readonly name: string
    readonly subtree_signals: number
    readonly metrics: readonly { readonly change: string | null }[]
  }[]
}

describe('Map', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  const add = async (name: string, parent_id: string | null, more: object = {}): Promise<string> =>
    (await visit.person.call<{ id: string }>('add_map_node', { name, parent_id, ...more })).id
  const line = (name: string) => visit.page.getByRole('treeitem', { name: new RegExp(`^${name} `) })
  const lines = () => visit.page.locator('[role=treeitem] bdi').allTextContents()
  const stand = (expected: string[]) => comesToBe(lines, expected)
  const drawer = () => visit.page.getByRole('dialog')
  const closeDrawer = async () => {
    await visit.page.keyboard.press('Escape')
    await drawer().waitFor({ state: 'detached' })
  }

  const bind = async (name: string, node: string, direction: string, values: readonly number[], target?: number) => {
    const metric = await visit.person.call<CreatedSource>('create_source', { kind: 'metric', name })
    for (const [day, value] of values.entries()) {
      const occurred_at = new Date(Date.now() - (values.length - day) * DAY_MS).toISOString()
      const body = JSON.stringify({ value, occurred_at })
      const { status } = await post(metric.url, body, { authorization: `Bearer ${metric.secret}` })
      assert.equal(status, 200)
    }
    await visit.person.call('bind_metric', { id: node, metric_id: metric.id, direction, ...(target && { target }) })
  }

  /** A map of three areas, with evidence, a metric that gets better and one that gets worse. */
  const arrange = async () => {
    const { person } = visit
    const exports = await add('Exports', null, { description: 'Getting data out of the product.' })
    const csv = await add('CSV', exports, { description: 'Comma separated files.', examples: TEXTS.CSV })
    await add('PDF', exports, { examples: TEXTS.PDF })
    const invoices = await add('Invoices', await add('Billing', null), { examples: TEXTS.Invoices })
    await add('Cards', await add('Boards', null), { examples: TEXTS.Cards })
    const desk = await person.call<CreatedSource>('create_source', { kind: 'signal', name: 'Support desk' })
    for (const text of Object.values(TEXTS).flat()) await sendSignal(desk, { text, source: 'support desk' })
    await bind('Failed exports', csv, 'down_is_good', [9, 8, 8.5, 6, 7, 4, 3], 2)
    await bind('Late invoices', invoices, 'down_is_good', [2, 3, 5])
    await eventually('the evidence is anchored, and the points are there', async () => {
      const { items } = await person.call<Outline>('outline_map')
      assert.equal(items.find(({ id }) => id === exports)?.subtree_signals, 4)
      const billed = items.find(({ id }) => id === invoices)
      assert.equal(billed?.subtree_signals, 2)
      assert.equal(billed.metrics[0]?.change, 'worse')
    })
  }

  it('says what to do where there is no map', async () => {
    const { page, open, checkAccess } = visit
    await open(PATH)
    await page.getByRole('button', { name: 'Add the first node' }).waitFor()
    await checkAccess()
  })

  it('shows evidence as areas and metrics as colours, and the same in the tree', async () => {
    const { page, open } = visit
    await arrange()
    await open(PATH)
    assert.match((await line('CSV').textContent()) ?? '', /3 signals, Better/)
    assert.match((await line('Invoices').textContent()) ?? '', /2 signals, Worse/)
    const area = async (name: string) => {
      const cell = page.locator('g[data-node]', { hasText: `${name} · ` })
      const box = await cell.locator('rect').boundingBox()
      return { standing: await cell.getAttribute('data-standing'), size: (box?.width ?? 0) * (box?.height ?? 0) }
    }
    const [csv, pdf] = [await area('CSV'), await area('PDF')]
    assert.deepEqual([csv.standing, pdf.standing], ['better', 'none'])
    assert.ok(csv.size > pdf.size * 2.5 && csv.size < pdf.size * 3.5, `${csv.size} beside ${pdf.size}`)
  })

  it('opens a node from the picture, with its evidence and its metric’s points', async () => {
    const { page, checkAccess, screenshot } = visit
    await page.locator('g[data-node]', { hasText: 'CSV · ' }).click()
    await drawer().getByText('Quotes in CSV cells are lost.').first().waitFor()
    await drawer().locator('[data-line]').waitFor()
    await drawer()
      .getByText(/better, from 4/)
      .waitFor()
    await drawer().getByRole('heading', { name: 'Signals 3' }).waitFor()
    await checkAccess()
    await screenshot('map-node')
  })

  it('unbinds a metric, binds it again when that is undone, and binds another', async () => {
    const { page, person } = visit
    await drawer().getByRole('button', { name: 'Change Failed exports' }).click()
    await page.getByRole('menuitem', { name: 'Unbind' }).click()
    await drawer().getByText('None is bound.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await drawer()
      .getByText(/target 2, not reached/)
      .waitFor()
    await person.call('create_source', { kind: 'metric', name: 'Export seconds' })
    await drawer().getByRole('button', { name: 'Bind a metric' }).click()
    await drawer().getByRole('combobox', { name: 'Metric' }).click()
    await page.getByRole('option', { name: 'Export seconds' }).click()
    await drawer().getByRole('button', { name: 'Bind', exact: true }).click()
    await drawer().getByRole('region', { name: 'Export seconds' }).getByText('No point has come yet').waitFor()
  })

  it('edits a node’s texts, and refuses to write over what somebody else changed meanwhile', async () => {
    const { page, person, expectStatus } = visit
    await drawer().getByRole('button', { name: 'Edit' }).click()
    await drawer().getByLabel('Description').fill('Tables as text.')
    await drawer().getByRole('button', { name: 'Add an example' }).click()
    await drawer().getByLabel('Example 4', { exact: true }).fill('Semicolons instead of commas.')
    const { items } = await person.call<Outline>('outline_map')
    const id = items.find(({ name }) => name === 'CSV')?.id
    await person.call('update_map_node', { id, description: 'Changed by somebody else.' })
    expectStatus(409)
    await drawer().getByRole('button', { name: 'Save' }).click()
    await drawer().getByRole('alert').filter({ hasText: 'has changed' }).waitFor()
    await drawer().getByRole('button', { name: 'Cancel' }).click()
    await drawer().getByRole('button', { name: 'Edit' }).click()
    await drawer().getByLabel('Description').fill('Tables as text.')
    await drawer().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await drawer().getByText('Tables as text.').waitFor()
    await page.goBack()
    await drawer().waitFor({ state: 'detached' })
    await page.waitForURL(`**${PATH}`)
    await page.goForward()
    await drawer().getByText('Tables as text.').waitFor()
    await closeDrawer()
    await page.waitForURL(`**${PATH}`)
  })

  it('is worked by keyboard alone: goes, renames, undoes, adds, moves and removes', async () => {
    const { page, open, checkAccess } = visit
    await open(PATH)
    await line('Billing').focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'F2']) await page.keyboard.press(key)
    await visit.type('Bills')
    await page.keyboard.press('Enter')
    await line('Bills').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await line('Billing').or(line('Invoices')).first().waitFor()
    await line('Bills').waitFor({ state: 'detached' })

    await line('Exports').focus()
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'Add a node' }).waitFor()
    await checkAccess()
    await visit.type('Spreadsheets')
    await page.keyboard.press('Enter')
    await drawer().getByText('Exports / Spreadsheets').waitFor()
    await closeDrawer()

    await line('Spreadsheets').focus()
    await page.keyboard.press('m')
    await page.getByRole('combobox', { name: 'Parent' }).fill('Boards')
    for (const key of ['ArrowDown', 'Enter', 'Enter']) await page.keyboard.press(key)
    await page.getByText('“Spreadsheets” is moved: Boards / Spreadsheets.').waitFor()

    await line('Boards').focus()
    await page.keyboard.press('ArrowLeft')
    assert.ok(!(await lines()).includes('Spreadsheets'))
    await page.keyboard.press('ArrowRight')
    await line('Spreadsheets').focus()
    await page.keyboard.press('Delete')
    await page.getByText('No signal is anchored to it.').waitFor()
    await page.getByRole('button', { name: 'Remove node' }).focus()
    await page.keyboard.press('Enter')
    await line('Spreadsheets').waitFor({ state: 'detached' })
  })

  it('moves a node that is dragged onto another, with what is below it', async () => {
    // The events of a drag, since this Chromium has no drag of its own.
    const dataTransfer = await visit.page.evaluateHandle('new DataTransfer()')
    await line('Billing').dispatchEvent('dragstart', { dataTransfer })
    await visit.page.getByText('Drop here for the top level').waitFor()
    await line('Exports').dispatchEvent('dragover', { dataTransfer })
    await line('Exports').dispatchEvent('drop', { dataTransfer })
    await visit.page.getByText('“Billing” is moved: Exports / Billing.').waitFor()
    await stand(['Boards', 'Cards', 'Exports', 'Billing', 'Invoices', 'CSV', 'PDF'])
    await visit.page.getByRole('button', { name: 'Undo' }).last().click()
    await eventually('the node is back', async () => (await lines())[0] === 'Billing')
  })

  it('says what becomes of evidence and of nodes below before one is removed', async () => {
    const { page } = visit
    await line('Exports').click()
    await drawer().getByRole('button', { name: 'Remove' }).click()
    const asking = page.getByRole('dialog', { name: 'Remove this node?' })
    await asking.getByText('cannot be undone').waitFor()
    await asking.getByLabel('2 node(s) right below it go below').waitFor()
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await closeDrawer()
  })

  it('shows one part of the map, which its address keeps, and finds nodes by name', async () => {
    const { page } = visit
    await line('Exports').click()
    await drawer().getByRole('button', { name: 'Show only this part' }).click()
    await line('Billing').waitFor({ state: 'detached' })
    await page.reload()
    await line('CSV').waitFor()
    await stand(['Exports', 'CSV', 'PDF'])
    await page.getByRole('button', { name: 'Whole map' }).click()
    await page.getByLabel('Find a node').fill('invo')
    await line('CSV').waitFor({ state: 'detached' })
    await stand(['Billing', 'Invoices'])
  })

  it('offers a viewer nothing that they may not do', async () => {
    const { page, open } = visit
    await visit.asViewer(async () => {
      await open(PATH)
      await line('CSV').click()
      await drawer().getByText('Quotes in CSV cells are lost.').first().waitFor()
      for (const name of ['Edit', 'Add child', 'Move', 'Remove', 'Bind a metric', 'Change Failed exports'])
        assert.equal(await drawer().getByRole('button', { name }).count(), 0, name)
      await closeDrawer()
      assert.equal(await page.getByRole('button', { name: 'Add node' }).count(), 0)
      await page.keyboard.press('n')
      assert.equal(await drawer().count(), 0)
    })
  })

  describeEveryState(() => visit, { screen: 'map', path: PATH, reads: 'outline_map', shows: 'Invoices' })

  it('shows a hostile name and hostile texts as text', async () => {
    const { page, open, noSideScroll } = visit
    await add(HOSTILE, null, { description: `${HOSTILE}${'x'.repeat(3000)}`, examples: [HOSTILE] })
    await open(PATH)
    await page.getByRole('treeitem').filter({ hasText: 'onerror' }).click()
    await drawer().getByText('onerror=alert(1)').first().waitFor()
    assert.equal(await page.locator('main img, [role=dialog] img').count(), 0)
    await noSideScroll()
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
