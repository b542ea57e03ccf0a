import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { ATTACH_AT } from '../../model/map/fit.ts'
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

interface ProposedPlaces {
  readonly unplaced: number
  readonly items: readonly { readonly signals: readonly { readonly score: number }[] }[]
}

interface Signals {
  readonly items: readonly { readonly reference: string }[]
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
    const conflict = drawer().getByRole('alert').filter({ hasText: 'Somebody changed this meanwhile' })
    await conflict.getByText('Changed by somebody else.').waitFor()
    await conflict.getByText('Tables as text.').waitFor()
    await conflict.getByRole('button', { name: 'Keep yours' }).click()
    await conflict.waitFor({ state: 'detached' })
    await drawer().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await drawer().getByText('Tables as text.').waitFor()
    await drawer().getByText('Semicolons instead of commas.').waitFor()
    await page.getByRole('alert').filter({ hasText: 'Saved.' }).getByRole('button', { name: 'Undo' }).click()
    await drawer().getByText('Changed by somebody else.').waitFor()
    await drawer().getByText('Semicolons instead of commas.').waitFor({ state: 'detached' })
    await page.goBack()
    await drawer().waitFor({ state: 'detached' })
    await page.waitForURL(`**${PATH}`)
    await page.goForward()
    await drawer().getByText('Changed by somebody else.').waitFor()
    await closeDrawer()
    await page.waitForURL(`**${PATH}`)
  })

  it('is worked by keyboard alone: goes, renames, undoes, adds, moves and removes', async () => {
    const { page, open, checkAccess } = visit
    await open(PATH)
    await line('Billing').focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'F2']) await page.keyboard.press(key)
    await visit.type('Bills')
    const release = await visit.hold('update_map_node')
    await page.keyboard.press('Enter')
    // While the name is saved the keys are the tree’s, and stay where they have gone.
    await page.keyboard.press('ArrowUp')
    const focused = () => page.evaluate<string>(`document.activeElement.querySelector('bdi')?.textContent ?? 'a field'`)
    const above = await focused()
    assert.notEqual(above, 'a field')
    await release()
    await line('Bills').waitFor()
    assert.equal(await focused(), above)
    await page.getByRole('button', { name: 'Undo' }).click()
    await line('Billing').or(line('Invoices')).first().waitFor()
    await line('Bills').waitFor({ state: 'detached' })

    await line('Exports').focus()
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'Add a node' }).waitFor()
    await checkAccess()
    await visit.type('Spreadsheets')
    await page.keyboard.press('Enter')
    await page.getByText('“Spreadsheets” is on the map.').waitFor()
    await line('Spreadsheets').waitFor()
    assert.equal(await drawer().count(), 0)
    await eventually('the keyboard is in the tree again', async () => (await focused()) === 'Exports')
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'Add a node' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

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
    await asking.getByLabel('Move the 2 nodes directly below it to').waitFor()
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

  it('takes several nodes at once from a pasted list, below a node, with one undo', async () => {
    const { page, open, checkAccess } = visit
    await open(PATH)
    await line('CSV').waitFor()
    const before = await lines()
    await page.getByRole('button', { name: 'Several nodes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add several nodes' })
    await dialog.getByRole('textbox', { name: 'Names' }).fill('- Shortcuts\n2. Search\n\n  Shortcuts')
    await checkAccess()
    await dialog.getByRole('button', { name: 'Add 2 nodes' }).click()
    await page.getByRole('alert').filter({ hasText: 'On the map now: 2 nodes.' }).waitFor()
    await line('Shortcuts').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await line('Shortcuts').waitFor({ state: 'detached' })
    await stand(before)
  })

  it('names likely places by node, and places what is ticked by one press, with one undo', async () => {
    const { page, person, open, checkAccess, screenshot } = visit
    // As near to Billing as to Invoices, and not near enough to either.
    await person.call('capture_signal', { text: 'What we pay each month is not clear to me.' })
    const read = () => person.call<ProposedPlaces>('list_proposed_places')
    const proposed = async () => (await read()).unplaced
    await eventually('a signal is at no node', async () => (await proposed()) > 0)
    const { unplaced: count, items } = await read()
    const scores = items.flatMap(({ signals }) => signals.map(({ score }) => score))
    assert.ok(scores.length > 0 && scores.every(score => score < ATTACH_AT), `${scores}`)
    await open(PATH)
    await page.getByRole('button', { name: 'Likely places' }).click()
    await page.getByText('without a node; the likely node').waitFor()
    for (const box of await page.getByRole('checkbox').all()) await box.check()
    await checkAccess()
    await screenshot('map-places')
    await page.getByRole('button', { name: 'Place all that are ticked' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /Placed: \d+ signals?, at/ })
      .waitFor()
    await page.getByText('No signal waits for a place').waitFor()
    await page.keyboard.press('z')
    await eventually('they are at no node again', async () => (await proposed()) === count)
    await page.getByRole('button', { name: 'The map' }).click()
    await line('CSV').waitFor()
  })

  it('lists the present node of a signal as such, and Enter waits for what is found of the typed words', async () => {
    const { page, person, open, checkAccess } = visit
    const { items } = await person.call<Signals>('lookup_search', {
      query: 'The invoice has no tax number.',
      types: ['signal'],
      limit: 1,
    })
    const [signal] = items
    assert.ok(signal)
    await open(`/app/signals/${signal.reference}`)
    await page.getByRole('button', { name: 'Accept' }).waitFor()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: `${signal.reference} belongs to` })
    const field = dialog.getByRole('searchbox', { name: 'Find a node of the map' })
    const present = dialog.getByRole('button', { name: 'Invoices it is here now' })
    await field.fill('Invoices')
    await present.waitFor()
    assert.equal(await present.isDisabled(), true)
    await checkAccess()
    let placed = 0
    await page.route('**/api/app/move_signal', async route => {
      placed += 1
      await route.continue()
    })
    // It is where it belongs, and nothing else takes its place.
    await field.press('Enter')
    // Whatever the field found before, the search of what is typed is still on its way.
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/api/app/lookup_search', async route => {
      await held
      await route.continue()
    })
    await field.fill('Cards')
    await field.press('Enter')
    await dialog.locator('ul[aria-busy=true]').waitFor()
    await field.press('Enter')
    assert.equal(placed, 0)
    release()
    // Enter was pressed twice for the typed words: it moves to the first result, which another Enter chooses once.
    await dialog.getByRole('button', { name: 'Cards' }).and(page.locator(':focus')).waitFor()
    assert.equal(placed, 0)
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .filter({ hasText: `${signal.reference} is now at Cards` })
      .waitFor()
    assert.equal(placed, 1)
    await page.unroute('**/api/app/move_signal')
    await page.unroute('**/api/app/lookup_search')
    await page.keyboard.press('z')
    await eventually('it is back', async () => {
      const { items: nodes } = await person.call<Outline>('outline_map')
      assert.equal(nodes.find(({ name }) => name === 'Invoices')?.subtree_signals, 2)
    })
    await open(PATH)
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
