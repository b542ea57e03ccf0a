import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { mailOf, NEEDS_SAID_TWICE } from '../../model/themes/testing.ts'
import { tell } from './merges-story.ts'
import { comesToBe, startVisit, type Visit } from './visit.ts'

/** What is told beside each mail of its customer. */
const CUSTOMERS = [
  { company: 'Acme', plan: 'Team', revenue: '12.000 €', tags: ['urgent'] },
  { company: 'Borealis', plan: 'Free', revenue: '900', tags: ['later'] },
]
const NEEDS = NEEDS_SAID_TWICE.slice(0, 6)

describe('Mails of one template', () => {
  let visit: Visit
  const sent: { readonly signal: string; readonly claim: string }[] = []
  /** The mail that says a need for the first or the second time. */
  const mail = (need: number, time: 0 | 1) => sent[time * NEEDS.length + need] ?? assert.fail('it was not sent')

  before(async () => {
    visit = await startVisit()
    const send = await tell(visit.person)
    for (const time of [0, 1])
      for (const [at, said] of NEEDS.entries()) {
        const metadata = CUSTOMERS[at % 2]
        sent.push(await send(mailOf(said[time] ?? '', at + time * 20), { metadata, actor_name: `Writer ${at}` }))
      }
    await send('How do I invite a colleague?')
  })
  after(() => visit?.end())

  const dialog = () => visit.page.getByRole('dialog')

  it('are offered in Triage by what they mean: the one that says the same first, with its count', async () => {
    const { page, open, checkAccess, screenshot } = visit
    await open(`/app/triage?signal=${mail(1, 1).signal}`)
    await page
      .getByRole('option', { selected: false })
      .filter({ hasText: mail(1, 1).signal })
      .waitFor()
    await page.getByRole('listbox', { name: 'Signals' }).focus()
    await page.keyboard.press('2')
    const first = dialog().getByRole('option').first()
    await first.filter({ hasText: mail(1, 0).signal }).waitFor()
    assert.match((await first.textContent()) ?? '', /1 signal/)
    await checkAccess()
    await screenshot('triage-repeat-of')
    await dialog().getByLabel('The original').fill('barcode pallet')
    await dialog().getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await page.keyboard.press('m')
    await dialog()
      .getByRole('option')
      .first()
      .filter({ hasText: mail(1, 0).claim })
      .waitFor()
    await page.keyboard.press('Escape')
  })

  it('are offered for a claim by what they mean', async () => {
    const { page, open, checkAccess } = visit
    await open(`/app/claims/${mail(2, 1).claim}`)
    await page.getByRole('button', { name: 'Merge into…' }).click()
    await dialog()
      .getByRole('listitem')
      .first()
      .filter({ hasText: mail(2, 0).claim })
      .waitFor()
    assert.match((await dialog().getByRole('listitem').first().textContent()) ?? '', /1 signal/)
    await checkAccess()
    await page.keyboard.press('Escape')
  })

  it('are listed by company, plan, revenue and tags, in Triage and in claims', async () => {
    const { page, open, checkAccess, screenshot } = visit
    await open('/app/triage')
    const choose = async (label: string, option: string, isOfCustomers = true) => {
      if (isOfCustomers) await page.getByRole('button', { name: 'By customer' }).click()
      await page.getByRole('combobox', { name: label, exact: true }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
      if (isOfCustomers) await page.keyboard.press('Escape')
    }
    const references = () =>
      page
        .getByRole('listbox', { name: 'Signals' })
        .getByRole('option')
        .evaluateAll(rows => rows.map(row => /SIG-\d+/.exec(row.textContent ?? '')?.[0]))
    await choose('Order', 'By revenue')
    await page.waitForURL(/order=revenue/)
    const acmes = [0, 2, 4].flatMap(need => [mail(need, 0).signal, mail(need, 1).signal])
    await comesToBe(async () => (await references()).slice(0, 6).toSorted().join(), acmes.toSorted().join())
    const row = page.getByRole('option').filter({ hasText: new RegExp(`${mail(0, 0).signal}\\D`) })
    for (const fact of ['Acme', 'Team', '12.000 €', 'urgent']) await row.getByText(fact, { exact: true }).waitFor()
    await choose('Company', 'Acme')
    await choose('Tag', 'urgent')
    await page.waitForURL(/account=Acme/)
    await comesToBe(async () => (await references()).toSorted().join(), acmes.toSorted().join())
    await checkAccess()
    await screenshot('triage-customers')

    await open('/app/claims?query=warehouse%20tablet')
    await page.getByText('found, the best first').waitFor()
    await choose('Owner', 'Mine', false)
    await page.waitForURL(({ searchParams }) => searchParams.get('owner') === 'me' && searchParams.has('query'))
    await page.getByText('Nothing found').waitFor()
    await choose('Owner', 'Without an owner', false)
    await page.getByText('found, the best first').waitFor()
    await choose('Order', 'By revenue', false)
    await page.waitForURL(({ searchParams }) => searchParams.get('order') === 'revenue' && searchParams.has('query'))
    await page.getByText('without a Solution').waitFor()
    const table = page.getByRole('table', { name: 'Claims' })
    await table.getByRole('columnheader', { name: 'Companies' }).waitFor()
    await table.getByRole('columnheader', { name: 'Revenue' }).waitFor()
    await table
      .getByText(/Plan: Team.* · Tag: urgent/)
      .first()
      .waitFor()
    await choose('Order', 'By plan', false)
    await page.waitForURL(({ searchParams }) => searchParams.get('order') === 'plan')
    await checkAccess()
    await screenshot('claims-customers')
  })

  it('are shown by what each says itself, with the whole beginning for whoever wants it', async () => {
    const { page, open, person } = visit
    await person.call('start_job', { job_kind: 'find_themes' })
    const { claim, signal } = mail(2, 1)
    const piece = page.getByRole('listitem', { name: signal, exact: true })
    await eventually('what they share is known', async () => {
      const { evidence } = await person.call<{ evidence: { items: readonly { lead?: string }[] } }>('lookup_claim', {
        id: claim,
        depth: 'full',
      })
      return evidence.items.some(({ lead }) => lead !== undefined)
    })
    await open(`/app/claims/${claim}`)
    await piece.getByText(`…${NEEDS[2]?.[1]}`).waitFor()
    assert.equal(await piece.getByText('Dear support team').count(), 0)
    await piece.getByRole('button', { name: /Show all/ }).click()
    await piece.getByText('Dear support team').waitFor()
  })

  it('are compared by what each says itself, for a reason about the two, with one percentage a card', async () => {
    const { page, open } = visit
    await open('/app/proposals')
    const cards = page.getByRole('list', { name: 'Proposed merges' }).locator('> li')
    await cards.first().waitFor()
    for (const card of await cards.all()) {
      const text = (await card.textContent()) ?? ''
      assert.ok((text.match(/\d\s?%/g) ?? []).length <= 1, text)
      for (const difference of await card.getByText(/only CLM-\d+ has/).allTextContents())
        assert.doesNotMatch(difference, /\b(?:Please|Dear|Kind|The|Our|Nobody|Only)\b/, difference)
      assert.doesNotMatch(text, /judge/i)
      assert.match(text, /In both: |mean much the same|share only words/)
    }
    await page
      .getByText(/No judge is configured.*JUDGE_URL/)
      .first()
      .waitFor()
  })
})
