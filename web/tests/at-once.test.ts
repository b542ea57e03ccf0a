import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../../infra/runtime/testing.ts'
import { signInBrowser } from '../../test/support/browser.ts'
import type { Person } from '../../test/support/person.ts'
import { type Arranged, arrange, inviteColleague } from './forms/arranged.ts'
import { comesToBe, startVisit, type Visit } from './visit.ts'

const comment = 'By a colleague.'

interface Comments {
  readonly items: readonly { readonly author_name: string; readonly text: string }[]
}

interface Board {
  readonly items: readonly { readonly id: string; readonly reference: string; readonly state: string }[]
}

interface Member {
  readonly user_id: string
  readonly is_you: boolean
}

/** Has the page lose the answers of an operation, which is done. */
const lose = (page: Page, operation: string) => page.evaluate(`window.lostAnswersOf = '/api/app/${operation}'`)
const find = (page: Page) => page.evaluate('delete window.lostAnswersOf')

describe('What somebody does while a colleague does something else', () => {
  let visit: Visit
  let arranged: Arranged
  let colleague: Person
  let me = ''
  before(async () => {
    visit = await startVisit()
    arranged = await arrange(visit.person)
    colleague = await inviteColleague(visit.person)
    const { items } = await visit.person.call<{ items: readonly Member[] }>('list_members')
    me = items.find(({ is_you }) => is_you)?.user_id ?? ''
    const colleagueId = items.find(({ is_you }) => !is_you)?.user_id
    await visit.person.call('change_role', { user_id: colleagueId, role: 'owner' })
    // The first is still being done when the same is sent again.
    visit.expectStatus(409)
  })
  after(() => visit?.end())

  const dialog = () => visit.page.getByRole('dialog').last()
  const saidOn = async (id: string) =>
    (await visit.person.call<Comments>('list_comments', { id })).items.map(({ text }) => text)
  const stateOf = async (id: string) =>
    (await visit.person.call<Board>('list_board')).items.find(({ reference }) => reference === id)?.state
  const ownerOf = async (id: string) =>
    (await visit.person.call<{ owner: { id: string } | null }>('lookup_solution', { id })).owner?.id ?? null
  const create = async (title: string): Promise<string> =>
    (await visit.person.call<{ solution: { reference: string } }>('create_solution', { title, comment })).solution
      .reference

  describe('by the keys of the board', () => {
    const lift = async (reference: string, title: string): Promise<void> => {
      const { page } = visit
      await page
        .getByRole('link', { name: new RegExp(`${reference}|${title}`) })
        .first()
        .focus()
      await page.keyboard.press('r')
      await page.keyboard.press('Space')
      await page
        .getByRole('status')
        .filter({ hasText: `${reference}: ` })
        .waitFor({ state: 'attached' })
    }
    const rows = () =>
      visit.page
        .locator('table tbody tr[data-movable]')
        .evaluateAll(found => found.map(row => /SOL-\d+/.exec(row.textContent ?? '')?.[0] ?? ''))

    it('moves what was lifted, also where others changed the order meanwhile', async () => {
      const { page } = visit
      for (const title of ['Alpha', 'Beta', 'Gamma']) await create(title)
      await visit.open('/app/board')
      await page.getByText('Gamma').first().waitFor()
      const [first = '', second = '', third = ''] = await rows()
      const last = (await rows()).at(-1) ?? ''
      await lift(second, second)
      await colleague.call('rank_solutions', { solutions: [{ solution_id: last }], manual_rank: 1, comment })
      await comesToBe(async () => (await rows()).slice(0, 3), [last, first, second])
      await page.keyboard.press('ArrowUp')
      await page
        .getByRole('status')
        .filter({ hasText: `${second}: place 2 of` })
        .waitFor({ state: 'attached' })
      await page.keyboard.press('Space')
      await page.getByText(`${second} is at position 2.`).waitFor()
      await comesToBe(async () => (await rows()).slice(0, 4), [last, second, first, third])
    })

    it('leaves a card where a colleague put it who moved it after it was lifted, and says so', async () => {
      const { page } = visit
      const reference = await create('Delta')
      await colleague.call('update_solution', { solution_id: reference, state: 'Planned', comment })
      await visit.open('/app/board?view=columns')
      await page.getByRole('link', { name: 'Delta' }).waitFor()
      await lift(reference, 'Delta')
      await colleague.call('update_solution', { solution_id: reference, state: 'Dropped', comment: 'We drop it.' })
      await page.getByText('Somebody else moved it meanwhile.').waitFor()
      await page.keyboard.press('ArrowLeft')
      assert.equal(await stateOf(reference), 'Dropped')
    })
  })

  it('is not called done where an earlier call did it, whose answer was lost, and a colleague took it back', async () => {
    const { page } = visit
    const id = arranged.solution
    const take = async () => {
      await page.getByRole('combobox', { name: 'Owner' }).click()
      await page.getByRole('option', { name: /\(you\)/ }).click()
    }
    await visit.open(`/app/solutions/${id}`)
    await lose(page, 'assign_owner')
    await take()
    await page.getByText('It is not known if this was saved').waitFor()
    await find(page)
    await comesToBe(() => ownerOf(id), me)
    // The page has read by then what became of it, more than the clocks of two programs may differ.
    await visit.page.waitForTimeout(2500)
    await colleague.call('assign_owner', { id, owner: 'nobody' })
    await eventually(
      'the page shows it',
      async () => (await page.getByRole('combobox', { name: 'Owner' }).inputValue()) === '' || null,
    )
    await take()
    await page.getByText('This was done before; only the answer was lost.').waitFor()
    assert.equal(await ownerOf(id), null)
    await take()
    await comesToBe(() => ownerOf(id), me)
  })

  it('keeps what is written on after a comment was sent', async () => {
    const { page } = visit
    await visit.open(`/app/solutions/${arranged.solution}`)
    const field = page.getByRole('textbox', { name: 'A comment' })
    await field.fill('One sentence.')
    const release = await visit.hold('write_comment')
    await field.press('Control+Enter')
    await field.pressSequentially(' And another.')
    await release()
    await page.getByRole('listitem').getByText('One sentence.', { exact: true }).waitFor()
    await comesToBe(() => field.inputValue(), 'And another.')
    assert.equal((await saidOn(arranged.solution)).filter(text => text.startsWith('One sentence')).length, 1)
    await field.fill('')
  })

  it('takes a paste of 2 MB, says that it is too long, and keeps the focus in its field', async () => {
    const { page } = visit
    await visit.open(`/app/solutions/${arranged.solution}`)
    const field = page.getByRole('textbox', { name: 'A comment' })
    const long = 'Some words. '.repeat(170_000)
    await field.fill(long)
    await page.getByText(/characters too long: /).waitFor()
    assert.equal((await field.inputValue()).length, long.length)
    // The field that grows with its text would measure all of it at each key.
    assert.equal(await field.evaluate(element => element.getAttribute('rows')), '12')
    await field.and(page.locator(':focus')).waitFor()
    await field.fill('Short.')
    await page.getByText(/characters too long: /).waitFor({ state: 'detached' })
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type(' And more.')
    assert.equal(await field.inputValue(), 'Short. And more.')
    await field.fill('')
  })

  it('takes no more words into a form that is on its way, and goes on where it was refused', async () => {
    const { page } = visit
    await visit.open(`/app/solutions/${arranged.solution}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    const summary = dialog().getByRole('textbox', { name: 'Summary' })
    await summary.fill('As it was sent.')
    const release = await visit.hold('update_solution')
    await dialog().getByRole('button', { name: 'Change it' }).click()
    await summary.pressSequentially(' More.')
    assert.equal(await summary.inputValue(), 'As it was sent.')
    await release()
    await dialog().waitFor({ state: 'detached' })
  })

  it('looks up what became of an edit whose answer was lost, also once the page shows it', async () => {
    const { page, person } = visit
    const reference = await create('Epsilon')
    await visit.open(`/app/solutions/${reference}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await dialog().getByRole('textbox', { name: 'Title', exact: true }).fill('Zeta')
    await lose(page, 'update_solution')
    await dialog().getByRole('button', { name: 'Change it' }).click()
    await page.getByText('It is not known if this was saved').first().waitFor()
    await page.getByRole('heading', { name: 'Zeta', level: 1, includeHidden: true }).waitFor({ state: 'attached' })
    await find(page)
    await dialog().getByRole('button', { name: 'Change it' }).click()
    await dialog().waitFor({ state: 'detached' })
    const { version } = await person.call<{ version: number }>('lookup_solution', { id: reference })
    assert.equal(version, 2)
  })

  it('takes a title and a changed comment as saved that are sent again after a lost answer, also before the page shows them', async () => {
    const { page, person } = visit
    const { claim } = arranged
    const says = async (text: string) => {
      await colleague.call('write_comment', { id: claim, text })
      await page.getByText(text, { exact: true }).waitFor()
    }
    const calls = async (title: string) => {
      await colleague.call('update_claim', { claim_id: claim, title, comment })
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
    const sendAgain = async (
      operation: string,
      reads: string,
      press: () => Promise<void>,
      newer: () => Promise<void>,
    ) => {
      const succeed = await visit.fail(reads)
      await lose(page, operation)
      await press()
      await page.getByText('It is not known if this was saved').waitFor()
      await find(page)
      // Something newer is read, by more than the clocks of two programs may differ.
      await page.waitForTimeout(2500)
      await newer()
      await press()
      await page.getByText('It is not known if this was saved').waitFor({ state: 'detached' })
      assert.equal(await page.getByText('This was done before').count(), 0)
      await succeed()
    }
    await visit.open(`/app/claims/${claim}`)
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.fill('Sent again')
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
    await sendAgain('update_claim', 'lookup_claim', save, () => says('Newer than the title.'))
    await title.waitFor({ state: 'detached' })
    assert.equal((await person.call<{ title: string }>('lookup_claim', { id: claim })).title, 'Sent again')
    await visit.open(`/app/claims/${claim}`)
    await page
      .getByRole('button', { name: /^Change the comment of / })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const text = page.getByRole('textbox', { name: 'Your comment' })
    await text.fill('Sent again.')
    await sendAgain('edit_comment', 'list_comments', save, () => calls('Newer than the comment'))
    await text.waitFor({ state: 'detached' })
    assert.deepEqual((await saidOn(claim)).filter(each => each === 'Sent again.').length, 1)
  })

  describe('who removes it', () => {
    it('is shown no group that is gone', async () => {
      const { page } = visit
      const made = await visit.person.call<{ group: { id: string } }>('change_group', {
        action: 'create',
        name: 'Soon gone',
        solution_ids: [arranged.solution],
        comment,
      })
      await visit.open(`/app/groups/${made.group.id}`)
      await page.getByRole('heading', { name: 'Soon gone' }).waitFor()
      visit.expectStatus(404)
      await colleague.call('change_group', { action: 'delete', group_id: made.group.id, comment })
      await page.getByText('There is nothing here').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Add Solutions' }).count(), 0)
    })

    it('is shown no words of a signal that was erased', async () => {
      const { page, person } = visit
      const workspace = (
        await person.call<{ items: readonly { name: string; current: boolean }[] }>('list_workspaces')
      ).items.find(({ current }) => current)
      await visit.open(`/app/signals/${arranged.question}`)
      await page.getByText('How do I invite a colleague to a board?').first().waitFor()
      await colleague.call('erase_signal', { id: arranged.question, confirm: workspace?.name })
      await page.getByText('There is nothing here').waitFor()
      assert.equal(await page.getByText('How do I invite a colleague to a board?').count(), 0)
    })

    it('leaves a form about a node before whoever fills it in, and shows no node once it is closed', async () => {
      const { page } = visit
      const { id } = await visit.person.call<{ id: string }>('add_map_node', { name: 'Soon gone, too' })
      await visit.open(`/app/map?node=${id}`)
      await dialog().getByRole('button', { name: 'Edit', exact: true }).click()
      const description = dialog().getByRole('textbox', { name: 'Description' })
      await description.fill('Long thought about.')
      await colleague.call('remove_map_node', { id })
      await page.getByRole('treeitem', { name: /Soon gone, too/, includeHidden: true }).waitFor({ state: 'detached' })
      assert.equal(await description.inputValue(), 'Long thought about.')
      await dialog().getByRole('button', { name: 'Cancel' }).click()
      await dialog().getByText('That node is not in this workspace').waitFor()
    })
  })

  it('brings two edits of a Living Document together with what is written meanwhile, and tells of the other at once', async () => {
    const { page } = visit
    const reference = await create('Eta')
    const edit = (markdown: string, version?: number) =>
      colleague.call('edit_living_document', { solution_id: reference, markdown, comment, ...(version && { version }) })
    await edit('# Eta\n\nFirst.\n\nLast.\n')
    await visit.open(`/app/solutions/${reference}/document`)
    const document = page.getByRole('region', { name: 'Living Document' })
    await document.getByRole('button', { name: 'Edit', exact: true }).click()
    const text = page.locator('.cm-content')
    await text.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Mine.')
    await edit('# Eta, theirs\n\nFirst.\n\nLast.\n', 1)
    await page.getByText('Somebody saved a version while you wrote').waitFor()
    const release = await visit.hold('merge_living_document')
    await page.getByRole('button', { name: 'Bring both together' }).click()
    await text.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' And more of mine.')
    await release()
    await text.getByText('Eta, theirs').waitFor()
    await text.getByText('Mine. And more of mine.').waitFor()
    await page.getByRole('button', { name: 'Save version 3' }).click()
    await page.getByText('Version 3 is saved.').waitFor()
  })

  describe('what is shown once, when its answer was lost,', () => {
    it('is said not to come again: a key, a link, a secret', async () => {
      const { page, person } = visit
      const lost = async (operation: string, press: () => Promise<void>) => {
        await lose(page, operation)
        await press()
        await page.getByText('It is not known if this was saved').waitFor()
        await find(page)
        await press()
        await page.getByText('and is not shown again').waitFor()
      }
      await visit.open('/app/settings/connect-agents')
      await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Lost key')
      await lost('create_key', () => page.getByRole('button', { name: 'Create key' }).click())
      await visit.open('/app/settings/members')
      await page.getByRole('textbox', { name: 'Invite', exact: true }).fill('Lost guest')
      await lost('invite_member', () => page.getByRole('button', { name: 'Create link' }).click())
      const { id } = await person.call<{ id: string }>('create_source', { kind: 'connection', name: 'Forms' })
      await visit.open(`/app/settings/sources/${id}`)
      await dialog().getByRole('button', { name: 'Rotate secret' }).click()
      await lost('rotate_source_secret', () => dialog().getByRole('button', { name: 'Rotate secret' }).click())
      await page.getByRole('button', { name: 'Done', exact: true }).click()
      // Whoever rotates it once more cuts the senders off, a colleague too.
      await page.getByRole('dialog').first().getByRole('button', { name: 'Rotate secret' }).click()
      await page.getByText(/It was rotated lately\. Senders that still use .* are refused at once/).waitFor()
      await visit.checkAccess()
    })
  })

  it('is shown in words what a colleague chose: a node, a period', async () => {
    const { page, person } = visit
    const add = async (name: string) => (await person.call<{ id: string }>('add_map_node', { name })).id
    const [moved, theirs] = [await add('Moved'), await add('Theirs')]
    await add('Mine')
    await visit.open(`/app/map?node=${moved}`)
    await dialog().getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('combobox', { name: 'Parent' }).click()
    await page.getByRole('option', { name: 'Mine' }).click()
    await colleague.call('move_map_node', { id: moved, parent_id: theirs })
    await dialog().getByRole('group', { name: 'Parent, theirs' }).getByText('Theirs', { exact: true }).waitFor()
    await dialog().getByRole('group', { name: 'Parent, yours' }).getByText('Mine', { exact: true }).waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
  })

  it('follows who decides on proposed merges', async () => {
    const { page, person } = visit
    type Groups = { readonly items: readonly { readonly pairs: readonly { readonly id: string }[] }[] }
    const text = 'Exporting a large board fails: error 500 after clicking download in Firefox.'
    await person.call('capture_signal', { text })
    const pairs = await eventually('a merge is proposed', async () => {
      const { items } = await person.call<Groups>('list_merge_groups')
      return items.length === 0 ? null : items.flatMap(group => group.pairs.map(({ id }) => id))
    })
    await visit.open('/app/proposals')
    await page
      .getByRole('button', { name: /^Not the same/ })
      .first()
      .waitFor()
    await colleague.call('triage', { action: 'refuse_merge', proposal_ids: pairs })
    await page
      .getByRole('button', { name: /^Not the same/ })
      .first()
      .waitFor({ state: 'detached' })
  })

  it('says that a file is gone whose columns somebody maps', async () => {
    const { page, person } = visit
    await visit.open('/app/import-export')
    const file = { name: 'talks.csv', mimeType: 'text/csv', buffer: Buffer.from('text\nThe export is slow.\n') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Check', exact: true }).waitFor()
    const id = new URL(page.url()).searchParams.get('file')
    await person.call('discard_transfer', { id })
    await page.getByText('The file is not here any more').waitFor()
    await visit.checkAccess()
    await page.locator('input[type=file]').setInputFiles({ ...file, name: 'again.csv' })
    await page.getByRole('button', { name: 'Check', exact: true }).waitFor()
    assert.equal(await page.getByText('The file is not here any more').count(), 0)
  })

  it('shows who was made a viewer what they wrote and did not send', async () => {
    const { page } = visit
    await visit.open(`/app/solutions/${arranged.solution}`)
    await page.getByRole('textbox', { name: 'A comment' }).fill('Ten minutes of words.')
    await colleague.call('change_role', { user_id: me, role: 'viewer' })
    await page.getByRole('heading', { level: 1 }).click()
    await page.getByText('You wrote this, and are a viewer by now').waitFor()
    await page.getByText('Ten minutes of words.').waitFor()
    await visit.checkAccess()
    await colleague.call('change_role', { user_id: me, role: 'owner' })
    const field = page.getByRole('textbox', { name: 'A comment' })
    await field.waitFor()
    assert.equal(await field.inputValue(), 'Ten minutes of words.')
  })

  const becomesOf = async (other: Person) => {
    await visit.page.context().clearCookies()
    await signInBrowser(visit.page.context(), other)
  }

  it('writes nothing under the name of another person who signed in in this browser meanwhile', async () => {
    const { page, person } = visit
    await visit.open(`/app/solutions/${arranged.done}`)
    const field = page.getByRole('textbox', { name: 'A comment' })
    await field.fill('Words of the first person.')
    await becomesOf(colleague)
    visit.expectStatus(401)
    await field.press('Control+Enter')
    // The page is read anew as the other person's: the field may be gone for less than a look at it takes.
    await page.getByRole('button', { name: /^Account: / }).waitFor()
    await comesToBe(() => field.inputValue(), '')
    assert.deepEqual(await saidOn(arranged.done), [])
    await visit.signOut()
    await signInBrowser(page.context(), person)
    await visit.open(`/app/solutions/${arranged.done}`)
    await comesToBe(() => field.inputValue(), 'Words of the first person.')
  })

  it('changes nothing of the account of another person who signed in in this browser meanwhile', async () => {
    const { page, person } = visit
    const nameOf = async () => (await colleague.call<{ user_name: string }>('list_workspaces')).user_name
    const before = await nameOf()
    await visit.open('/app/settings/account')
    await page.getByRole('textbox', { name: 'Your name' }).fill('The first person')
    await becomesOf(colleague)
    await page.getByRole('button', { name: 'Change name' }).click()
    await page.getByRole('button', { name: `Account: ${before}` }).waitFor()
    await comesToBe(() => page.getByRole('textbox', { name: 'Your name' }).inputValue(), before)
    assert.equal(await nameOf(), before)
    await visit.signOut()
    await signInBrowser(page.context(), person)
    await visit.open('/app/settings/account')
    await comesToBe(() => page.getByRole('textbox', { name: 'Your name' }).inputValue(), 'The first person')
    await page.evaluate(
      `for (const key of Object.keys(sessionStorage)) if (key.startsWith('assay-draft')) sessionStorage.removeItem(key)`,
    )
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
