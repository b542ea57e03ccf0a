import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import type { Person } from '../../test/support/person.ts'
import { type Arranged, arrange, inviteColleague } from './forms/arranged.ts'
import { startVisit, type Visit } from './visit.ts'

const comment = 'By a colleague.'

const TEXTS = [
  'The invoice shows the wrong tax amount for customers in Spain, which is a bug.',
  'Dark mode is hard to read, the grey text on white is a bug.',
  'Signing in with a long password fails with an error on the phone.',
] as const

interface Written {
  readonly signal: { readonly reference: string; readonly claims: readonly { readonly reference: string }[] } | null
}

/** Writes a signal by hand, and waits until it has a claim. */
const write = async (person: Person, text: string) => {
  const { snippet_id: id } = await person.call<{ snippet_id: string }>('capture_signal', { text })
  return eventually(`“${text}” has its claim`, async () => {
    const { signal } = await person.call<Written>('lookup_signal', { id }).catch((): Written => ({ signal: null }))
    const claim = signal?.claims[0]?.reference
    return signal === null || claim === undefined ? null : { signal: signal.reference, claim }
  })
}

describe('What a colleague does to what somebody has open', () => {
  let visit: Visit
  let arranged: Arranged
  let colleague: Person
  let other = ''
  const signals: { readonly signal: string; readonly claim: string }[] = []
  before(async () => {
    visit = await startVisit()
    arranged = await arrange(visit.person)
    colleague = await inviteColleague(visit.person)
    for (const text of TEXTS) signals.push(await write(visit.person, text))
    other = signals[1]?.claim ?? ''
  })
  after(() => visit?.end())

  const dialog = () => visit.page.getByRole('dialog').last()

  it('says that a claim was merged, keeps what was written about it, and gives its title to no other claim', async () => {
    const { page, person } = visit
    await visit.open(`/app/claims/${other}`)
    await page.getByRole('textbox', { name: 'A comment' }).fill('A thought on grey text.')
    await page.getByRole('textbox', { name: 'A note' }).fill('A note on grey text.')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Grey on white')
    const { title } = await person.call<{ title: string }>('lookup_claim', { id: arranged.claim })
    await colleague.call('merge_claims', { claim_id: other, into_claim_id: arranged.claim, comment })
    await page.getByText(`${other} was merged into ${arranged.claim}.`).waitFor()
    await page.getByText('You were calling it “Grey on white”, which was not saved.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'A comment' }).inputValue(), 'A thought on grey text.')
    assert.equal(await page.getByRole('textbox', { name: 'A note' }).inputValue(), 'A note on grey text.')
    assert.equal(await page.getByRole('textbox', { name: 'Title', exact: true }).count(), 0)
    assert.equal((await person.call<{ title: string }>('lookup_claim', { id: arranged.claim })).title, title)
    await visit.checkAccess()
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('listitem').getByText('A thought on grey text.').waitFor()
  })

  it('keeps the words of a comment that is deleted while its writer changes it', async () => {
    const { page, person } = visit
    await visit.open(`/app/solutions/${arranged.started}`)
    const { id } = await person.call<{ id: string }>('write_comment', { id: arranged.started, text: 'First words.' })
    await page.getByRole('button', { name: /^Change the comment of/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Your comment' }).fill('First words, and many more.')
    await person.call('delete_comment', { comment_id: id })
    await page.getByText('Your words are in the field for a new one.').waitFor()
    await eventually('the words are in the other field', async () => {
      const said = await page.getByRole('textbox', { name: 'A comment' }).inputValue()
      return said === 'First words, and many more.' || null
    })
  })

  it('says of a Solution that it is where it was to be moved, and by whose hand it is not moved again', async () => {
    const { page } = visit
    await visit.open(`/app/solutions/${arranged.solution}`)
    await page.getByRole('button', { name: 'Move to' }).click()
    await page.getByRole('menuitem', { name: 'Planned' }).click()
    await colleague.call('update_solution', { solution_id: arranged.solution, state: 'Planned', comment })
    await dialog().getByText('It is Planned already: somebody has moved it meanwhile.').waitFor()
    assert.equal(await dialog().getByRole('button', { name: 'Move to Planned' }).isDisabled(), true)
  })

  it('shows beside what is to be taken off the roadmap where it was and where it is', async () => {
    const { page } = visit
    await visit.open('/app/roadmap')
    await page.getByRole('button', { name: `Change ${arranged.solution}` }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    const place = { action: 'place', solution_id: arranged.solution, horizon: 'now', comment }
    await colleague.call('change_roadmap', place)
    const seen = dialog().getByRole('region', { name: 'Place' })
    await seen.getByText('Place, now').first().waitFor()
    await seen.getByText('Place, when you opened this').first().waitFor()
    assert.equal(await seen.getByRole('button', { name: 'Take theirs' }).count(), 0)
    await seen.getByRole('button', { name: 'Go on all the same' }).click()
    await seen.waitFor({ state: 'hidden' })
  })

  it('says that a source was deleted whose drawer somebody has open, and leads to who did it', async () => {
    const { page } = visit
    const { id } = await visit.person.call<{ id: string }>('create_source', { kind: 'connection', name: 'Hotline' })
    await visit.open(`/app/settings/sources/${id}`)
    await dialog().getByRole('button', { name: 'Delete source' }).waitFor()
    await colleague.call('delete_source', { id })
    await page.getByText('Somebody has deleted “Hotline” meanwhile.').waitFor()
    await dialog().waitFor({ state: 'detached' })
    await visit.checkAccess()
    await page.getByRole('link', { name: 'Who did it' }).click()
    const { user_name: name } = await colleague.call<{ user_name: string }>('list_workspaces')
    const line = page.getByRole('listitem').filter({ hasText: 'Hotline' })
    await line.getByText(`The source was deleted. ${name}, in the app.`).waitFor()
    await visit.checkAccess()
  })

  it('says in words that what is being changed was removed', async () => {
    const { page } = visit
    await visit.open('/app/strategy')
    await page
      .getByRole('button', { name: /^Change “/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog().getByRole('textbox', { name: 'Title' }).fill('Boards for everybody')
    await colleague.call('change_strategy', { action: 'remove', strategy_id: arranged.element, comment })
    visit.expectStatus(404)
    await dialog().getByRole('button', { name: 'Change it' }).click()
    await dialog().getByText('That strategy element is not in this workspace: somebody has removed it').waitFor()
    assert.equal(await dialog().getByRole('textbox', { name: 'Title' }).inputValue(), 'Boards for everybody')
    assert.doesNotMatch((await dialog().textContent()) ?? '', /[0-9a-f]{8}-/)
  })

  it('leaves the new name of a node in its field until Enter or Escape, and sends it at one Enter over another name', async () => {
    const { page, person } = visit
    await visit.open('/app/map')
    const line = page.getByRole('treeitem').first()
    await line.focus()
    await page.keyboard.press('F2')
    const field = page.getByRole('textbox', { name: /^New name of/ })
    await field.fill('Exports and downloads')
    await page.getByRole('heading', { level: 1 }).click()
    assert.equal(await field.inputValue(), 'Exports and downloads')
    await colleague.call('update_map_node', { id: arranged.node, name: 'Files' })
    await page.getByText('Somebody named it “Files” meanwhile. Enter keeps yours, Escape theirs.').waitFor()
    await field.press('Enter')
    await field.waitFor({ state: 'hidden' })
    const { node } = await person.call<{ node: { name: string } }>('lookup_node', { id: arranged.node })
    assert.equal(node.name, 'Exports and downloads')
  })

  describe('in Triage', () => {
    /** The colleague decides while the page hears of nothing. */
    const decideBefore = async (signal: string, action: 'accept' | 'dismiss', decide: () => Promise<void>) => {
      const { page } = visit
      await visit.open('/app/triage')
      await page.getByRole('option').filter({ hasText: signal }).click()
      const release = await visit.hold('list_signals')
      await colleague.call('triage', { action, signal_id: signal })
      visit.expectStatus(409)
      await decide()
      return release
    }

    it('says who has accepted what somebody accepts, as no failure', async () => {
      const { page } = visit
      const { signal = '' } = signals[0] ?? {}
      const release = await decideBefore(signal, 'accept', () => page.keyboard.press('1'))
      await page
        .getByRole('status')
        .getByText(new RegExp(`^${signal} accepted by `))
        .waitFor()
      assert.equal(await page.getByText('Not done').count(), 0)
      await release()
    })

    it('says who has decided otherwise, and gives back the reason that was written', async () => {
      const { page } = visit
      const { signal = '' } = signals[2] ?? {}
      const release = await decideBefore(signal, 'accept', async () => {
        await page.keyboard.press('3')
        await dialog().getByRole('textbox', { name: 'Another reason' }).fill('We said no twice.')
        await dialog().getByRole('button', { name: 'Dismiss', exact: true }).click()
      })
      await page.getByText(`Not done: ${signal} dismissed`).waitFor()
      await page.getByText(new RegExp(`${signal} accepted by .*Your reason was: We said no twice.`)).waitFor()
      await release()
    })
  })
})
