import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { MAIL_ENVIRONMENT } from '../../test/support/mail.ts'
import { describeEveryState } from './every-state.ts'
import { describeBegun } from './merges/begun.ts'
import { describeClaims } from './merges/claims.ts'
import { describeSignalsAndDecisions } from './merges/signals-and-decisions.ts'
import { EXPORTS, INVOICES, MARKUP, QUESTION, startJudge, tell } from './merges-story.ts'
import { startVisit, type Visit } from './visit.ts'

interface Claim {
  readonly reference: string
  readonly state: string
  readonly merged_references: readonly string[]
  readonly evidence: { readonly count: number }
  readonly answering_solutions: readonly { readonly reference: string }[]
}

interface Group {
  readonly survivor: { readonly reference: string }
  readonly pairs: readonly { readonly id: string }[]
}

describe('Proposed merges, claims, signals and Decisions', () => {
  let visit: Visit
  let judge: Awaited<ReturnType<typeof startJudge>>
  let send: (text: string) => Promise<{ readonly signal: string; readonly claim: string }>
  const claims: Record<string, string> = {}
  const signals: Record<string, string> = {}

  const claimOf = (text: string) => visit.person.call<Claim>('lookup_claim', { id: claims[text] })
  const group = (text: string) => visit.page.getByRole('listitem', { name: `Merges with ${claims[text]}`, exact: true })
  const says = (text: string | RegExp) => visit.page.getByRole('alert').filter({ hasText: text }).first().waitFor()
  /** Goes down from the first group to this one. */
  const moveTo = async (text: string) => {
    const { page } = visit
    const selected = () => page.locator('li[aria-current=true]').getAttribute('aria-label')
    for (let moves = 5; moves > 0; moves -= 1) await page.keyboard.press('k')
    for (let moves = 5; moves > 0 && (await selected()) !== `Merges with ${claims[text]}`; moves -= 1) {
      await page.keyboard.press('j')
    }
    assert.equal(await selected(), `Merges with ${claims[text]}`)
  }

  before(async () => {
    judge = await startJudge()
    visit = await startVisit({ ...judge.environment, ...MAIL_ENVIRONMENT })
  })
  after(async () => {
    await visit?.end()
    judge?.stop()
  })

  it('says what will come where nothing waits, nothing was merged, and no claim is there', async () => {
    const { page, open, go, checkAccess } = visit
    await open('/app/proposals')
    await page.getByText('No merge waits').waitFor()
    await checkAccess()
    await page.getByRole('tab', { name: 'Merged' }).click()
    await page.getByText('Nothing is merged').waitFor()
    await page.getByRole('tab', { name: 'Kept apart' }).click()
    await page.getByText('Nothing is kept apart').waitFor()
    await go('/app/claims')
    await page.getByText('No claim matches').waitFor()
    await go('/app/decisions')
    await page.getByText('Nothing is decided yet').waitFor()
  })

  it('lets an owner have people confirm, and the judge’s yes then waits with its reason', async () => {
    const { page, person, open, go } = visit
    await go('/app/proposals')
    await page.getByRole('combobox', { name: 'Who merges' }).click()
    await page.getByRole('option', { name: 'The judge only proposes' }).click()
    await says(/The judge only proposes/)
    const sender = await tell(person)
    const sent = { source: '<i>Desk</i>', actor_name: '<b>Ana</b>', source_url: 'https://desk.example.com/7' }
    send = text => sender(text, sent)
    for (const text of [...EXPORTS, ...INVOICES, QUESTION, MARKUP]) {
      const { signal, claim } = await send(text)
      Object.assign(signals, { [text]: signal })
      Object.assign(claims, { [text]: claim })
    }
    await open('/app/proposals')
    await group(EXPORTS[0]).waitFor()
    await group(EXPORTS[0]).getByText('The judge test-judge says that they are the same').first().waitFor()
  })

  it('shows pairs side by side, with the spans that match, grouped by the claim in common', async () => {
    const exports = group(EXPORTS[0])
    assert.ok((await exports.locator('mark').allTextContents()).some(text => /large board|error 500/i.test(text)))
    const [left, right] = await exports
      .getByRole('link', { name: /^CLM-/ })
      .evaluateAll(links => [links.at(0), links.at(-1)].map(link => link?.getBoundingClientRect().x ?? 0))
    assert.ok(left !== undefined && right !== undefined && left < right)
    assert.ok(((await exports.textContent())?.match(/\d\s?%/g) ?? []).length <= 1)
  })

  describeEveryState(() => visit, {
    screen: 'proposals',
    path: '/app/proposals',
    reads: 'list_merge_groups',
    shows: 'says that they are the same',
  })

  it('is worked by keyboard alone: swap, merge a whole group, undo, keep apart, undo', async () => {
    const { page, open } = visit
    const [older, newer] = INVOICES
    const announced = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).first().waitFor()
    await open('/app/proposals')
    await group(older).waitFor()
    await moveTo(older)
    await page.keyboard.press('x')
    await group(older).getByText(`is merged into ${claims[newer]}`).waitFor()
    await page.keyboard.press('1')
    await announced(`${claims[older]} merged into ${claims[newer]}.`)
    await eventually('it is merged', async () => (await claimOf(older)).reference === claims[newer] || null)
    await group(older).waitFor({ state: 'detached' })
    await page.keyboard.press('z')
    await announced(/^Undone:/)
    assert.equal((await claimOf(older)).reference, claims[older])
    // It is the one that is worked on again.
    await page.locator(`li[aria-current=true][aria-label="Merges with ${claims[older]}"]:focus`).waitFor()
    await page.keyboard.press('3')
    await announced(/kept apart from .*: not proposed again/)
    await group(older).waitFor({ state: 'detached' })
    await page.keyboard.press('z')
    await group(older).waitFor()
  })

  it('acts on what was seen: on no other group where others have decided on the one that is worked on', async () => {
    const { page, person, open } = visit
    const [older] = INVOICES
    await open('/app/proposals')
    await group(older).waitFor()
    await moveTo(older)
    const { items } = await person.call<{ items: readonly Group[] }>('list_merge_groups')
    const proposal_ids = items.find(({ survivor }) => survivor.reference === claims[older])?.pairs.map(({ id }) => id)
    const { decision } = await person.call<{ decision: { id: string } }>('triage', {
      action: 'refuse_merge',
      proposal_ids,
    })
    await group(older).getByText('Somebody has decided on the merges').waitFor()
    await page.keyboard.press('1')
    await page.getByText('Fewer than two of these claims are left to decide on').waitFor()
    await group(older).getByRole('button', { name: 'Go on' }).click()
    await group(older).waitFor({ state: 'detached' })
    await person.call('triage', { action: 'undo', decision_id: decision.id })
    await group(older).getByRole('button', { name: 'Not the same' }).waitFor()
    assert.equal((await claimOf(EXPORTS[2])).reference, claims[EXPORTS[2]])
  })

  it('skips a group until the others are decided, takes a claim out of one, and opens its claim', async () => {
    const { page, open } = visit
    const [older] = INVOICES
    const others = EXPORTS.length - 1
    await open('/app/proposals')
    await group(EXPORTS[0]).waitFor()
    await moveTo(EXPORTS[0])
    await page.keyboard.press('s')
    await page.locator(`li[aria-current=true][aria-label="Merges with ${claims[older]}"]:focus`).waitFor()
    await page.keyboard.press('j')
    await page.locator(`li[aria-current=true][aria-label="Merges with ${claims[EXPORTS[0]]}"]:focus`).waitFor()
    await page.keyboard.press('J')
    await page.keyboard.press('t')
    await group(EXPORTS[0])
      .getByRole('button', { name: `Merge ${others - 1} into` })
      .waitFor()
    await page.keyboard.press('t')
    await group(EXPORTS[0])
      .getByRole('button', { name: `Merge all ${others} into` })
      .waitFor()
    // Without the oldest, the next one stays.
    await page.keyboard.press('T')
    await group(EXPORTS[0])
      .getByRole('button', { name: new RegExp(`Merge ${others - 1} into (?!${claims[EXPORTS[0]]}$)`) })
      .waitFor()
    await page.keyboard.press('T')
    await group(EXPORTS[0])
      .getByRole('button', { name: `Merge all ${others} into ${claims[EXPORTS[0]]}` })
      .waitFor()
    await page.keyboard.press('o')
    await page.waitForURL(`**/app/claims/${claims[EXPORTS[0]]}`)
  })

  it('tells a viewer why nothing can be decided', async () => {
    const { page, open, asViewer } = visit
    await asViewer(async () => {
      await open('/app/proposals')
      await page.getByText('You are a viewer and cannot decide').waitFor()
      assert.equal(await page.getByRole('button', { name: /^Merge|Not the same|Skip/ }).count(), 0)
    })
  })

  it('merges what is likeliest as one decision, after a look at it, and takes all of it back', async () => {
    const { page, open, checkAccess, screenshot } = visit
    const [older, newer] = INVOICES
    await open('/app/proposals')
    await page.getByRole('button', { name: /^Merge the \d above 90 %/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge the likeliest' })
    await dialog.getByText('One decision').waitFor()
    await checkAccess()
    await screenshot('proposals-likeliest')
    for (const box of await dialog.getByRole('checkbox').all()) {
      if (
        !(await box.getAttribute('id').then(id => dialog.locator(`label[for="${id}"]`).textContent()))?.includes(
          `${claims[newer]}`,
        )
      )
        await box.click()
    }
    await dialog.getByRole('button', { name: 'Merge 1 pair' }).click()
    await eventually('it is merged', async () => (await claimOf(newer)).reference === claims[older] || null)
    await group(older).waitFor({ state: 'detached' })
    // The button that opened it may be gone: the focus is at the card that is worked on.
    await page.locator('li[aria-current=true]:focus').waitFor()
    await page.keyboard.press('z')
    await group(older).waitFor()
    assert.equal((await claimOf(newer)).reference, claims[newer])
  })

  it('merges ten of a kind as one decision, and keeps a pair apart for good', async () => {
    const { page, open } = visit
    await open('/app/proposals')
    await group(EXPORTS[0])
      .getByRole('button', { name: /^Merge all \d into/ })
      .click()
    await eventually('all are one', async () => (await claimOf(EXPORTS[2])).reference === claims[EXPORTS[0]] || null)
    assert.equal((await claimOf(EXPORTS[0])).evidence.count, EXPORTS.length)
    await group(INVOICES[0]).getByRole('button', { name: 'Not the same' }).click()
    await page.getByText('No merge waits').waitFor()
    await page.getByText(/\d+ pairs are settled: \d+ merged, \d+ kept apart/).waitFor()
    await page.getByRole('tab', { name: 'Kept apart' }).click()
    await page.getByText('by Product manager').first().waitFor()
  })

  it('logs what the judge did by itself where it merges, each with a way back', async () => {
    const { page, person, open, checkAccess, screenshot } = visit
    await person.call('set_workspace_rules', { who_merges: 'judge' })
    const { signal, claim } = await send('The export of a large board ends in error 500.')
    assert.equal(claim, claims[EXPORTS[0]])
    await open('/app/proposals?show=merged')
    const entry = page.getByRole('listitem', { name: `${signal} attached to ${claim}` })
    await entry.getByText('by the judge test-judge').waitFor()
    await checkAccess()
    await screenshot('proposals-merged')
    await entry.getByRole('button', { name: 'Detach' }).click()
    await says(/has a claim of its own/)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await eventually('it is undone', async () => {
      return (await claimOf(EXPORTS[0])).evidence.count === EXPORTS.length + 1 || null
    })
    // One that stays attached, for the claim’s page.
    await send('Large boards: the export fails, error 500 again.')
  })

  const story = () => ({ visit, claims, signals })
  describeClaims(story)
  describeBegun(story)
  describeSignalsAndDecisions(story)

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
