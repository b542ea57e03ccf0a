import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { distinctText } from '../../test/support/texts.ts'
import { describeEveryState } from './every-state.ts'
import {
  actsOf,
  CRASH,
  ENDLESS,
  MARKUP,
  PATH,
  QUESTION,
  QUESTION_ACCEPTED,
  REMARK,
  SHOWN,
  TURNED,
} from './triage/acts.ts'
import { describeDecided } from './triage/decided.ts'
import { describeDialogs } from './triage/dialogs.ts'
import { describeLongList } from './triage/long-list.ts'
import { describePhone } from './triage/phone.ts'
import { describeRefused } from './triage/refused.ts'
import { startVisit, type Visit } from './visit.ts'

const MANY = 8

describe('Triage', () => {
  let visit: Visit
  const acts = actsOf(() => visit)
  const { ids, send, stateOf, becomes, option, isAt, press, says, dialog, count } = acts

  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  it('says what to expect where nothing waits, and shows the first signal arrive by itself', async () => {
    const { page, open, checkAccess, screenshot } = visit
    await open(PATH)
    await page.getByText('Nothing waits in Triage').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await checkAccess()
    await screenshot('triage-empty')
    ids[REMARK] = await send({ text: REMARK })
    await isAt(REMARK)
  })

  it('keeps up with what comes in, and with what is decided elsewhere', async () => {
    for (let number = 0; number < MANY; number += 1) ids[number] = await send({ text: distinctText(number) })
    for (const text of [MARKUP, TURNED, ENDLESS])
      ids[text] = await send({ text, actor_name: '<b>Ana</b>', source: '<i>Desk</i>' } as never)
    // Signals overtake each other on their way: what comes next is sent once these are there.
    for (const text of [MARKUP, SHOWN, 'Errorxxx']) await option(text).waitFor()
    for (const text of [CRASH, QUESTION]) {
      ids[text] = await send({
        text,
        source: 'Support desk',
        source_url: 'https://desk.example.com/t/7',
        actor_name: 'Ana',
      } as never)
      await option(text).waitFor()
    }
    await send({ text: CRASH })
    await option(CRASH).getByText('1 repeat').waitFor()
    await eventually('all are counted', async () => {
      const { counts } = await visit.person.call<{ counts: { signals_in_triage: number } }>('orient_snapshot')
      return (await count()) === String(counts.signals_in_triage) || null
    })
    const elsewhere = { action: 'dismiss', signal_id: ids[0] }
    await visit.person.call('triage', elsewhere)
    await option(distinctText(0)).waitFor({ state: 'detached' })
  })

  it('shows what the pipeline made of each, and where it came from', async () => {
    const { page } = visit
    await option(CRASH).click()
    const line = (await option(CRASH).textContent()) ?? ''
    for (const part of [/SIG-\d+/, /problem \d+\s%/, /CLM-\d+/, /1 repeat/, /Support desk/]) assert.match(line, part)
    const side = page.getByRole('complementary', { name: 'The signal' })
    await side.getByText(CRASH).first().waitFor()
    await side.getByText('Ana').waitFor()
    const link = side.getByRole('link', { name: 'desk.example.com' })
    assert.equal(await link.getAttribute('href'), 'https://desk.example.com/t/7')
    assert.match((await link.getAttribute('rel')) ?? '', /noopener/)
  })

  describeEveryState(() => visit, { screen: 'triage', path: PATH, reads: 'list_signals', shows: CRASH })

  it('is worked by keyboard alone: move, accept, dismiss with a reason, undo', async () => {
    const { open } = visit
    await open(PATH)
    await isAt(QUESTION)
    await press('j')
    await isAt(CRASH)
    await press('k', '1')
    await isAt(CRASH)
    await says(/SIG-\d+ accepted/)
    assert.equal(await stateOf(QUESTION), 'accepted')
    await press('3')
    await dialog().getByText('Why dismiss SIG-').waitFor()
    await visit.checkAccess()
    await press('4')
    await says(/SIG-\d+ dismissed/)
    const { items } = await visit.person.call<{ items: { text: string }[] }>('lookup_decision', { limit: 1 })
    assert.equal(items[0]?.text, 'We decided against it.')
    await press('z')
    await isAt(CRASH)
    assert.equal(await stateOf(CRASH), 'triage')
    await press('Control+z')
    await isAt(QUESTION)
    assert.equal(await stateOf(QUESTION), 'triage')
  })

  describeDecided(() => visit, acts)

  it('lists its keys, and leaves those alone that somebody types', async () => {
    const { page } = visit
    await press('?')
    await dialog().getByText('Repeat of').waitFor()
    await dialog().getByRole('listitem').filter({ hasText: 'Undo' }).getByText('Ctrl', { exact: true }).waitFor()
    await visit.screenshot('triage-keys')
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await page.getByLabel('Search signals').pressSequentially('1')
    await page.getByText('No signal matches').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await isAt(QUESTION)
    assert.equal(await stateOf(QUESTION), 'triage')
  })

  it('runs its actions from the command palette', async () => {
    const { page } = visit
    await press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    await palette.getByRole('combobox', { name: 'Command' }).pressSequentially('accept')
    await palette.locator('[data-selected]').filter({ hasText: 'Accept' }).waitFor()
    await press('Enter')
    await becomes(QUESTION, 'accepted')
    await says(QUESTION_ACCEPTED)
    await press('z')
    await isAt(QUESTION)
    await says(/undone$/)
  })

  it('decides on a range as one, and takes it back as one', async () => {
    await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowUp')
    await visit.page.getByText('3 chosen').waitFor()
    await visit.screenshot('triage-range')
    const before = await count()
    await press('1')
    await says(/3 signals accepted/)
    assert.equal(Number(await count()), Number(before) - 3)
    assert.deepEqual([await stateOf(QUESTION), await stateOf(CRASH)], ['accepted', 'accepted'])
    await press('z')
    await isAt(QUESTION)
    assert.deepEqual([await stateOf(QUESTION), await stateOf(CRASH)], ['triage', 'triage'])
    assert.equal(await count(), before)
  })

  describeDialogs(() => visit, acts)

  describeRefused(() => visit, acts)

  it('says what is known of what nobody could classify, and shows the noise alone with one click, and how much it is', async () => {
    const { page } = visit
    const thanks = 'Thank you very much, that solved it!'
    ids[thanks] = await send({ text: thanks })
    await option(thanks).getByText('Nothing that asks for a change').waitFor()
    const { count: noise } = await visit.person.call<{ count: number }>('list_signals', {
      state: 'triage',
      perhaps: 'noise',
    })
    const tab = page.getByRole('tab', { name: 'Noise' })
    await tab.getByText(String(noise), { exact: true }).waitFor()
    await tab.click()
    await option(CRASH).waitFor({ state: 'detached' })
    await option(thanks).waitFor()
    assert.equal(await count(), String(noise))
    await option(thanks).click()
    await press('3')
    await dialog().getByText('Why dismiss SIG-').waitFor()
    await press('4')
    await option(thanks).waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Triage' }).click()
    await option(CRASH).waitFor()
  })

  it('keeps its search and filters in the address', async () => {
    const { page } = visit
    await page.getByLabel('Search signals').fill('login crash')
    await option(QUESTION).waitFor({ state: 'detached' })
    await option(CRASH).waitFor()
    await page.getByRole('combobox', { name: 'Classification' }).click()
    await page.getByRole('option', { name: 'idea' }).click()
    await page.getByText('No signal matches').waitFor()
    const { searchParams } = new URL(page.url())
    assert.deepEqual([searchParams.get('text'), searchParams.get('classification')], ['login crash', 'idea'])
    await page.reload()
    await page.getByText('No signal matches').waitFor()
    // Where the cursor was leaves the address a moment after its line has left the list.
    await page.waitForURL(url => !url.searchParams.has('signal'))
    const view = new URL(page.url()).search
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view…' }).click()
    await dialog().getByLabel('Name').fill('Ideas about crashes')
    await press('Enter')
    await dialog().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear' }).click()
    await option(QUESTION).waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Ideas about crashes' }).click()
    await page.getByText('No signal matches').waitFor()
    assert.equal(new URL(page.url()).search, view)
    await page.getByRole('button', { name: 'Clear' }).click()
    await isAt(QUESTION)
    assert.equal(new URL(page.url()).search, '')
  })

  it('shows hostile text as text, all of it when asked, and links to the web alone', async () => {
    const { page, open, noSideScroll } = visit
    await option(MARKUP).click()
    const side = page.getByRole('complementary', { name: 'The signal' })
    await side.getByText(MARKUP).first().waitFor()
    for (const hostile of ['<b>Ana</b>', '<i>Desk</i>']) await side.getByText(hostile).waitFor()
    assert.equal(await page.locator('main script, main img, main b, main i').count(), 0)
    assert.equal(await page.title(), 'Triage · Assay')
    await option(SHOWN).click()
    await option('Errorxxx').click()
    await side.getByRole('button', { name: 'Show all 50,000 characters' }).click()
    await eventually('all is shown', async () => ((await side.textContent()) ?? '').includes(ENDLESS) || null)
    await noSideScroll()
    await page.route('**/api/app/list_signals', async route => {
      const response = await route.fetch()
      const answered = await response.json()
      for (const signal of answered.data.items) signal.source_url = 'javascript:document.title="taken"'
      await route.fulfill({ response, json: answered })
    })
    await open(PATH)
    await side.getByText('javascript:').waitFor()
    assert.equal(await page.locator('a[href^="javascript"]').count(), 0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('offers a viewer nothing that a viewer may not do', async () => {
    const { page, open } = visit
    await visit.asViewer(async () => {
      await open(PATH)
      await page.getByText('Its members decide').waitFor()
      await press('1')
      assert.equal(await page.getByRole('button', { name: 'Accept' }).count(), 0)
      assert.equal(await stateOf(QUESTION), 'triage')
    })
  })

  describeLongList(() => visit)

  describePhone(() => visit)

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
