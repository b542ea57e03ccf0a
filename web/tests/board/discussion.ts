import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signUp } from '../../../test/support/person.ts'
import { describeEveryState } from '../every-state.ts'
import type { Visit } from '../visit.ts'

/** Comments, owners and the inbox, on a Solution, a claim and a signal. */
export const describeDiscussion = (visit: () => Visit): void => {
  const discussion = () => visit().page.getByRole('region', { name: /^Discussion/ })
  const field = () => discussion().getByLabel('A comment')
  const openSolution = async () => {
    await visit().open('/app/solutions/SOL-2')
    await field().waitFor()
  }
  /** Somebody else in the workspace. */
  const colleague = async () => {
    const { person } = visit()
    const { url } = await person.call<{ url: string }>('invite_member', { label: 'Colleague', role: 'member' })
    const token = new URL(url).hash.slice(1)
    const other = await signUp(person.baseUrl, token)
    const { workspace_id } = await other.call<{ workspace_id: string }>('accept_invitation', { token })
    return other.inWorkspace(workspace_id)
  }
  const nameOf = async (member: { readonly call: Visit['person']['call'] }): Promise<string> => {
    const { items } = await member.call<{ items: { name: string; is_you: boolean }[] }>('list_members')
    return items.find(({ is_you }) => is_you)?.name ?? assert.fail('not a member')
  }

  describe('Discussion', () => {
    it('is written by keyboard: @ offers the members, references are links, HTML is text; then changed and deleted', async () => {
      const { page, person, checkAccess, screenshot } = visit()
      const name = await nameOf(person)
      await openSolution()
      await field().focus()
      await page.keyboard.type(`See SOL-3 <b>first</b>, @${name.slice(0, 2)}`)
      await page.getByRole('option', { name }).first().waitFor()
      await screenshot('discussion-mention')
      // The first one that fits is chosen already.
      await page.keyboard.press('Enter')
      await page.waitForFunction(`document.querySelector('textarea').value.endsWith(${JSON.stringify(`@${name} `)})`)
      // What is not sent is there again after another screen.
      await visit().go('/app/board')
      await page.getByRole('heading', { name: 'Board' }).waitFor()
      await page.goBack()
      await page.waitForFunction(`document.querySelector('textarea')?.value.endsWith(${JSON.stringify(`@${name} `)})`)
      await field().press('Control+Enter')
      await discussion().getByRole('link', { name: 'SOL-3' }).waitFor()
      await discussion().getByText('<b>first</b>').waitFor()
      await page.getByRole('heading', { name: 'Discussion 1' }).waitFor()
      await checkAccess()
      await discussion()
        .getByRole('button', { name: /^Change the comment/ })
        .click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await page.getByLabel('Your comment').fill('Read SOL-3 first.')
      await page.keyboard.press('Control+Enter')
      await discussion().getByText('Read').waitFor()
      await discussion().getByText(', changed').waitFor()
      await discussion()
        .getByRole('button', { name: /^Change the comment/ })
        .click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await page.getByText('Undone.').waitFor()
      await discussion().getByText('Read').waitFor()
    })

    it('shows live what colleagues write, and tells whom they name in the inbox until it is read', async () => {
      const { page, person, open, checkAccess, screenshot } = visit()
      const other = await colleague()
      await openSolution()
      await other.call('write_comment', { id: 'SOL-2', text: `@${await nameOf(person)}, is it ready?` })
      await discussion().getByText('is it ready?').waitFor()
      await page.getByLabel('1 unread').waitFor()
      await page.getByRole('link', { name: /^Inbox/ }).click()
      await page.getByRole('list', { name: 'Comments that name you' }).getByText('is it ready?').waitFor()
      await checkAccess()
      await screenshot('inbox')
      await page.getByRole('button', { name: 'Mark as read' }).click()
      await page.getByLabel('1 unread').waitFor({ state: 'detached' })
      await open('/app/inbox')
      await page.getByText('is it ready?').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Mark as read' }).count(), 0)
    })

    it('has an owner, on the Board, in the list of claims and in Triage too, where one sees one’s own', async () => {
      const { page, person, open } = visit()
      const name = await nameOf(person)
      const assign = async () => {
        await discussion().getByRole('combobox', { name: 'Owner' }).click()
        await page.getByRole('option', { name: `${name} (you)` }).click()
        await page.getByText('looks after').first().waitFor()
      }
      await openSolution()
      await assign()
      await open('/app/board?view=columns&owner=me')
      await page.getByLabel(`Owner: ${name}`).waitFor()
      assert.equal(await page.locator('[data-movable]').count(), 1)
      await open('/app/board')
      await page.getByRole('row', { name: 'SOL-2' }).getByLabel(`Owner: ${name}`).waitFor()
      await open('/app/claims/CLM-1')
      await assign()
      await open('/app/claims')
      await page.getByRole('combobox', { name: 'Owner' }).click()
      await page.getByRole('option', { name: 'Mine' }).click()
      await page.waitForURL('**owner=me')
      await page.getByText(/^1 claim,/).waitFor()
      await open('/app/signals/SIG-1')
      await assign()
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await page.getByText('Undone.').waitFor()
      await person.call('assign_owner', { id: 'SIG-2', owner: 'me' })
      await open('/app/triage')
      await page.getByRole('option', { name: 'SIG-2' }).getByLabel(`Owner: ${name}`).waitFor()
      await page.getByRole('option', { name: 'SIG-1' }).waitFor()
      await page.getByRole('combobox', { name: 'Owner' }).click()
      await page.getByRole('option', { name: 'Mine' }).click()
      await page.getByRole('option', { name: 'SIG-1' }).waitFor({ state: 'detached' })
      assert.equal(await page.getByRole('option', { name: 'SIG-2' }).count(), 1)
    })

    it('tells the owner whom a colleague assigns, and not who takes it themselves', async () => {
      const { page, person, open, go } = visit()
      await open('/app/inbox')
      await page.getByText('is it ready?').waitFor()
      const inbox = page.getByRole('navigation').getByRole('link', { name: 'Inbox' })
      const unread = async () => {
        const { unread: count } = await person.call<{ unread: number }>('list_mentions')
        return count
      }
      const before = await unread()
      const other = await colleague()
      await person.call('assign_owner', { id: 'SOL-2', owner: 'nobody' })
      await other.call('assign_owner', { id: 'SOL-2', owner: person.email })
      await page.getByText('From now on').first().waitFor()
      await inbox.getByLabel(`${before + 1} unread`).waitFor()
      await other.call('assign_owner', { id: 'SOL-2', owner: 'nobody' })
      await person.call('assign_owner', { id: 'SOL-2', owner: 'me' })
      assert.equal(await unread(), before + 1)
      await go('/app/solutions/SOL-2')
      await discussion().getByText('From now on').waitFor()
    })

    it('is only read by a viewer', async () => {
      const { page } = visit()
      await visit().asViewer(async () => {
        await visit().open('/app/solutions/SOL-2')
        await discussion().getByText('is it ready?').waitFor()
        assert.equal(await field().count(), 0)
        assert.equal(await discussion().getByRole('combobox').count(), 0)
        assert.equal(await page.getByRole('button', { name: /^Change the comment/ }).count(), 0)
      })
    })

    describeEveryState(visit, { screen: 'inbox', path: '/app/inbox', reads: 'list_mentions', shows: 'is it ready?' })
  })
}
