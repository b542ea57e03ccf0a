import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { createSignalSource } from '../../test/support/person.ts'
import { sendSignal } from '../../test/support/sender.ts'
import { distinctText } from '../../test/support/texts.ts'
import { describeEveryState } from './every-state.ts'
import { describeLongList } from './triage/long-list.ts'
import { describePhone } from './triage/phone.ts'
import { startVisit, type Visit } from './visit.ts'

const PATH = '/app/triage'
const QUESTION = 'How do I invite a colleague to my workspace?'
const CRASH = 'The login crashes since the last update and shows an error.'
const REMARK = 'Lunch was good today.'
const MARKUP = '<script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'"> The page crashes.'
const TURNED = '\u202aThis error is written from left to right\u202c'
/** What is left of it: the marks could turn what stands behind them. */
const SHOWN = 'This error is written from left to right'
const ENDLESS = `Error${'x'.repeat(49_995)}`
const MANY = 8

describe('Triage', () => {
  let visit: Visit
  const ids: Record<string, string> = {}
  let send: (signal: { readonly text: string }) => Promise<string>

  before(async () => {
    visit = await startVisit()
    const source = await createSignalSource(visit.person)
    send = async signal => {
      const { body } = await sendSignal(source, signal)
      return String(body.snippet_id)
    }
  })
  after(() => visit?.end())

  interface Shown {
    readonly reference: string
    readonly state: string
    readonly version: number
    readonly classification: string
    readonly occurrences: number
    readonly claims: readonly { readonly reference: string }[]
  }
  const signalOf = async (text: string): Promise<Shown> =>
    (await visit.person.call<{ signal: Shown }>('lookup_signal', { id: ids[text] })).signal
  const stateOf = async (text: string) => (await signalOf(text)).state
  const becomes = (text: string, state: string) =>
    eventually(`it is ${state}`, async () => (await stateOf(text)) === state || null)

  const option = (text: string) => visit.page.getByRole('option').filter({ hasText: text })
  const current = () => visit.page.locator('[role=option][data-current]')
  const isAt = (text: string) => current().filter({ hasText: text }).waitFor()
  const press = async (...keys: string[]) => {
    for (const key of keys) await visit.page.keyboard.press(key)
  }
  const says = (text: RegExp) => visit.page.getByRole('status').filter({ hasText: text }).waitFor()
  const dialog = () => visit.page.getByRole('dialog')
  const count = async () => (await visit.page.locator('[data-count]').textContent())?.split(' ')[0]

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
    for (const part of [/SIG-\d+/, /problem \d+ %/, /CLM-\d+/, /1 repeat/, /Support desk/]) assert.match(line, part)
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
    await press('z')
    await isAt(QUESTION)
    assert.equal(await stateOf(QUESTION), 'triage')
  })

  it('keeps decided signals away while a list that was read before is answered after, and decides once for a double click', async () => {
    const { page, person, hold } = visit
    const { reference } = await signalOf(CRASH)
    const before = await count()
    const release = await hold('triage_signals')
    await option(QUESTION).click()
    await page.getByRole('button', { name: 'Accept' }).dblclick()
    await isAt(CRASH)
    // Something else changes: the list is read again while the decision is on its way.
    const elsewhere = async (decision: object) => {
      const { version } = await signalOf('1')
      await person.call('triage_signals', { ...decision, signals: [{ signal_id: ids[1], version }] })
    }
    await elsewhere({ action: 'snooze', more_signals: 9 })
    await option(distinctText(1)).waitFor({ state: 'detached' })
    assert.equal(await option(QUESTION).count(), 0)
    assert.equal(await count(), String(Number(before) - 2))
    await release()
    await says(/SIG-\d+ accepted$/)
    assert.deepEqual([await stateOf(QUESTION), await stateOf(CRASH)], ['accepted', 'triage'])
    assert.equal(await option(QUESTION).count(), 0)
    await elsewhere({ action: 'wake' })
    await option(distinctText(1)).waitFor()
    await press('z')
    await isAt(QUESTION)
    // Another tab shows nothing of this one while it is read.
    const releaseList = await hold('list_signals')
    await page.getByRole('tab', { name: 'Accepted' }).click()
    await option(CRASH).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: 'Accept', exact: true }).count(), 0)
    await releaseList()
    await page.getByRole('tab', { name: 'Triage' }).click()
    await option(CRASH).click()
    await page.waitForURL(url => url.searchParams.get('signal') === reference)
  })

  it('comes back to the line that one left or reloaded, and asks before one leaves with a decision unsent', async () => {
    const { page } = visit
    const { reference } = await signalOf(CRASH)
    await press('Enter')
    await page.waitForURL(`**/app/signals/${reference}`)
    await page.goBack()
    await isAt(CRASH)
    await page.reload()
    await isAt(CRASH)
    // The first decision never reaches the service, and the second waits for it.
    await page.evaluate(`{
      const ask = fetch
      let isFirst = true
      fetch = async (asked, options) => {
        if (asked.endsWith('/triage_signals') && isFirst) {
          isFirst = false
          await new Promise(() => {})
        }
        return ask(asked, options)
      }
    }`)
    await press('1')
    await isAt('Errorxxx')
    await press('1')
    await isAt(SHOWN)
    const asked = page.waitForEvent('dialog')
    const gone = page.goto(`${visit.installation.baseUrl}/livez`)
    await (await asked).accept()
    await gone
    for (const text of [CRASH, ENDLESS]) await becomes(text, 'accepted')
    await visit.open(PATH)
    await isAt(QUESTION)
    assert.equal(await option(CRASH).count(), 0)
    for (const text of [CRASH, ENDLESS]) await visit.person.call('triage', { action: 'undo', signal_id: ids[text] })
    await option('Errorxxx').waitFor()
    await option(CRASH).waitFor()
  })

  it('lists its keys, and leaves those alone that somebody types', async () => {
    const { page } = visit
    await press('?')
    await dialog().getByText('Repeat of').waitFor()
    await visit.screenshot('triage-keys')
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await page.getByLabel('Search signals').pressSequentially('1')
    await page.getByText('No signal is like that').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await isAt(QUESTION)
    assert.equal(await stateOf(QUESTION), 'triage')
  })

  it('runs its actions from the command palette', async () => {
    const { page } = visit
    await press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    await palette.getByRole('textbox', { name: 'Command' }).pressSequentially('accept')
    await palette.locator('[data-selected]').filter({ hasText: 'Accept' }).waitFor()
    await press('Enter')
    await becomes(QUESTION, 'accepted')
    await says(/SIG-\d+ accepted$/)
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

  it('snoozes until a time, and until more say it; what sleeps has a list of its own', async () => {
    const { page } = visit
    await press('h')
    await dialog().getByText('Snooze SIG-').waitFor()
    await visit.checkAccess()
    await visit.screenshot('triage-snooze')
    await press('1')
    await says(/SIG-\d+ snoozed/)
    await option(QUESTION).waitFor({ state: 'detached' })
    await isAt(CRASH)
    await press('h')
    await page.getByLabel('After this many more signals').fill('1')
    await page.getByRole('button', { name: 'Snooze until more signals' }).click()
    await option(CRASH).waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Snoozed' }).click()
    await option(CRASH).waitFor()
    assert.equal(await count(), '2')
    await press('j', 'k')
    await isAt(QUESTION)
    await press('w')
    await says(/back in Triage$/)
    await option(QUESTION).waitFor({ state: 'detached' })
    await send({ text: CRASH })
    await page.getByText('Nothing is snoozed').waitFor()
    await page.getByRole('tab', { name: 'Triage' }).click()
    await option(CRASH).getByText('back from snooze').waitFor()
  })

  it('says that one repeats another, which then counts it', async () => {
    const { page } = visit
    await option(distinctText(1)).click()
    await press('2')
    await page.getByLabel('The original').fill('login crashes update')
    await dialog().getByRole('option').filter({ hasText: CRASH }).waitFor()
    await visit.checkAccess()
    await visit.screenshot('triage-duplicate')
    await dialog().getByRole('option').filter({ hasText: CRASH }).click()
    await says(/counted as a repeat$/)
    await option(distinctText(1)).waitFor({ state: 'detached' })
    await option(CRASH).getByText('3 repeats').waitFor()
    await press('z')
    await option(distinctText(1)).waitFor()
    await option(CRASH).getByText('2 repeats').waitFor()
  })

  it('reclassifies, and promotes to a claim of its own or to one that there is', async () => {
    const { page } = visit
    await option(QUESTION).click()
    await press('p')
    await dialog().getByText('What is SIG-').waitFor()
    await visit.checkAccess()
    await dialog().getByText('A new opportunity').click()
    await dialog().getByLabel('Title').fill('Invite colleagues')
    await press('Enter')
    await says(/promoted$/)
    assert.equal((await signalOf(QUESTION)).claims.length, 1)
    await press('z')
    await isAt(QUESTION)
    const [claim] = (await signalOf(CRASH)).claims
    assert.ok(claim)
    await press('p')
    await dialog().getByText('A claim that there is').click()
    await page.getByLabel('The claim').fill(claim.reference.toLowerCase())
    await dialog().getByRole('option').filter({ hasText: claim.reference }).waitFor()
    await press('Enter')
    await says(/promoted$/)
    assert.equal((await signalOf(QUESTION)).claims[0]?.reference, claim.reference)
    await press('z')
    await isAt(QUESTION)
    await option(REMARK).click()
    await press('c', '2')
    await option(REMARK).getByText('idea 100 %').waitFor()
    await press('z')
    await option(REMARK).getByText('unclassified').waitFor()
  })

  it('merges the claim of a signal with another one, either way round, and takes that back', async () => {
    const { page, person } = visit
    const [claim] = (await signalOf(CRASH)).claims
    const [other] = (await signalOf(MARKUP)).claims
    assert.ok(claim && other)
    await option(CRASH).click()
    await press('m')
    await page.getByLabel('With which claim').fill(other.reference)
    await dialog().getByRole('option').filter({ hasText: other.reference }).click()
    await dialog().getByText('Survivor').waitFor()
    await visit.checkAccess()
    await dialog().getByRole('button', { name: 'Swap' }).click()
    await dialog().getByRole('button', { name: 'Merge', exact: true }).click()
    await says(new RegExp(`${other.reference} merged into ${claim.reference}`))
    assert.equal((await signalOf(MARKUP)).claims[0]?.reference, claim.reference)
    await press('z')
    await says(/undone/)
    await eventually(
      'they are two',
      async () => (await signalOf(MARKUP)).claims[0]?.reference === other.reference || null,
    )
    await person.call('lookup_claim', { id: other.reference })
  })

  it('refuses to decide on what has changed meanwhile, and shows what it has become', async () => {
    const { page, person, expectStatus, hold } = visit
    const { version } = await signalOf(REMARK)
    await option(REMARK).click()
    // What has changed does not reach the page before the decision does.
    const release = await hold('list_signals')
    const change = { action: 'reclassify', classification: 'question', signals: [{ signal_id: ids[REMARK], version }] }
    await person.call('triage_signals', change)
    expectStatus(409)
    await press('1')
    await page.getByText(/has changed since you read the list/).waitFor()
    await release()
    await option(REMARK).getByText('question 100 %').waitFor()
    assert.equal(await stateOf(REMARK), 'triage')
    await page.locator('.mantine-Notification-closeButton').click()
  })

  it('shows a decision undone at once that could not be sent, says so, and takes it again', async () => {
    const { page, expectFault } = visit
    expectFault('net::ERR_FAILED')
    await option(REMARK).click()
    const { reference } = await signalOf(REMARK)
    await page.route('**/api/app/*', route => route.abort())
    await press('1')
    await page.getByText(`Not done: ${reference} accepted`).waitFor()
    await page.getByText('It is shown as it was before.').waitFor()
    await option(REMARK).waitFor()
    await page.unroute('**/api/app/*')
    await page.locator('.mantine-Notification-closeButton').first().click()
    assert.equal(await stateOf(REMARK), 'triage')
  })

  it('keeps its search and filters in the address', async () => {
    const { page } = visit
    await page.getByLabel('Search signals').fill('login crash')
    await option(QUESTION).waitFor({ state: 'detached' })
    await option(CRASH).waitFor()
    await page.getByRole('combobox', { name: 'Classification' }).click()
    await page.getByRole('option', { name: 'idea' }).click()
    await page.getByText('No signal is like that').waitFor()
    const { searchParams } = new URL(page.url())
    assert.deepEqual([searchParams.get('text'), searchParams.get('classification')], ['login crash', 'idea'])
    await page.reload()
    await page.getByText('No signal is like that').waitFor()
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
    await page.getByText('No signal is like that').waitFor()
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
    await page.unroute('**/api/app/list_signals')
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

  describePhone(() => visit, QUESTION)

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
