import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { agentOf } from '../../../test/support/agent.ts'
import { describeEveryState } from '../every-state.ts'
import type { Visit } from '../visit.ts'

const PATH = '/app/solutions/SOL-2'

/** The page of SOL-2, from the Backlog to its Outcome. */
export const describeSolution = (visit: () => Visit): void => {
  const decide = async (action: string) => {
    const dialog = visit().page.getByRole('dialog')
    await dialog.getByRole('button', { name: action, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const state = (shown: string) => visit().page.getByRole('complementary').getByText(shown, { exact: true }).waitFor()
  const moveTo = async (item: string) => {
    await visit().page.getByRole('button', { name: 'Move to' }).click()
    await visit().page.getByRole('menuitem', { name: item }).click()
  }

  describe('Solution', () => {
    it('says so where there is none', async () => {
      const { page, open, expectStatus } = visit()
      expectStatus(404)
      await open('/app/solutions/SOL-99')
      await page.getByRole('alert').first().waitFor()
    })

    it('shows what it answers and the evidence, and takes claims on and off', async () => {
      const { page, open } = visit()
      await open(PATH)
      await page.getByText('nothing waits in memory').waitFor()
      await page.getByRole('button', { name: 'Add claims' }).click()
      await page.getByRole('combobox', { name: 'Claims' }).fill('tax rate')
      await page.getByRole('option', { name: /tax rate/ }).click()
      await page.keyboard.press('Escape')
      await decide('Add claims')
      await page.getByText('5 actors, 5 signals').or(page.getByText('4 actors, 5 signals')).waitFor()
      await page
        .getByRole('button', { name: /^Remove CLM-\d+$/ })
        .last()
        .click()
      await decide('Remove')
      await page.getByText('4 actors, 4 signals').waitFor()
    })

    it('shows the change of an agent with the key that it made it through, and reverses it', async () => {
      const { page, person, go } = visit()
      const agent = await agentOf(person)
      await agent.call('service_decide', {
        mode: 'update_solution',
        solution_id: 'SOL-2',
        state: 'Planned',
        comment: 'The review of Monday decided to plan it.',
      })
      await agent.close()
      await go(`${PATH}/decisions`)
      const decision = page.getByRole('listitem').filter({ hasText: 'The review of Monday decided to plan it.' })
      await decision.getByText('through the key “Planning agent”').waitFor()
      await decision.getByRole('button', { name: 'What it changed' }).click()
      await decision.getByText('state: Backlog → Planned').waitFor()
      await visit().checkAccess()
      await visit().screenshot('solution-decisions')
      await decision.getByRole('button', { name: 'Reverse' }).click()
      await decide('Reverse it')
      await decision.getByText(/^reversed by DEC-/).waitFor()
      await state('Backlog')
    })

    it('shows what a colleague changes by itself: the state, the figures and the badge at the board', async () => {
      const { page, person, open } = visit()
      await open(PATH)
      await state('Backlog')
      const change = async (to: string) => {
        const comment = `To ${to} for a moment.`
        const { decision } = await person.call<{ decision: { reference: string } }>('update_solution', {
          ...{ solution_id: 'SOL-2', state: to, comment },
        })
        return decision.reference
      }
      const asked: string[] = []
      page.on('request', request => asked.push(request.url()))
      const decision = await change('Planned')
      await state('Planned')
      await person.call('reverse_decision', { decision_id: decision })
      await state('Backlog')
      // Once when the page's stream has opened, and for each change once for what it wrote and up to twice for what
      // follows from it.
      assert.ok(asked.filter(url => url.endsWith('/lookup_solution')).length <= 7, asked.join('\n'))
    })

    it('moves by human Decisions alone, and into review by a handoff', async () => {
      const { page, open } = visit()
      await open(PATH)
      await moveTo('Planned')
      await decide('Move to Planned')
      await state('Planned')
      await moveTo('In Review, by handing it off')
      const dialog = page.getByRole('dialog', { name: 'Hand SOL-2 off' })
      await dialog.getByLabel('Address').fill('https://design.example.com/file/12')
      await decide('Hand off')
      await state('In Review')
      await page.getByRole('link', { name: 'https://design.example.com/file/12' }).waitFor()
      await page.keyboard.press('s')
      const offered = await page.getByRole('menuitem').allTextContents()
      assert.deepEqual(offered, ['In Progress', 'Done', 'Dropped'])
      await page.getByRole('menuitem', { name: 'Dropped' }).click()
      await page.getByText('Say why').waitFor()
      assert.ok(await page.getByRole('button', { name: 'Move to Dropped' }).isDisabled())
      await page.keyboard.press('Escape')
    })

    it('refuses an address that is no page, in the service’s own words', async () => {
      const { page, expectStatus } = visit()
      expectStatus(400)
      await page.getByRole('button', { name: 'Hand off', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Address').fill('javascript:alert(1)')
      await dialog.getByRole('button', { name: 'Hand off', exact: true }).click()
      await dialog.getByRole('alert').waitFor()
      await page.keyboard.press('Escape')
      const question = page.getByRole('dialog', { name: 'Close and lose what you wrote?' })
      await question.waitFor()
      await page.keyboard.press('Escape')
      await question.waitFor({ state: 'detached' })
      assert.equal(await dialog.getByLabel('Address').inputValue(), 'javascript:alert(1)')
      await page.keyboard.press('Escape')
      await question.getByRole('button', { name: 'Close it' }).click()
      await dialog.waitFor({ state: 'detached' })
    })

    it('records what came of it once it is Done, and revises that', async () => {
      const { page } = visit()
      await moveTo('Done')
      await page.getByText('only a person decides it').waitFor()
      await decide('Move to Done')
      await state('Done')
      assert.equal(await page.getByRole('button', { name: 'Move to' }).count(), 0)
      await page.getByRole('button', { name: 'Record the Outcome' }).click()
      await page.getByLabel('Expected').fill('Exports of any size.')
      await page.getByLabel('Observed').fill('The largest board exports in a minute.')
      await page.getByText('partly', { exact: true }).click()
      await decide('Record it')
      await page.getByText('The largest board exports in a minute.').waitFor()
      await page.getByRole('button', { name: 'Revise' }).click()
      await page.getByText('met', { exact: true }).click()
      await decide('Revise it')
      await page.getByText('version 2').waitFor()
    })

    it('shows RICE figures, which never rank', async () => {
      const { page, person, open } = visit()
      const rice = { reach: 1200, impact: 2 }
      await person.call('update_solution', { solution_id: 'SOL-2', rice, comment: 'For the audit.' })
      await open(PATH)
      await page.getByText('It does not change the rank.').waitFor()
      await page.getByText('1,200').waitFor()
    })

    describeEveryState(visit, { screen: 'solution', path: PATH, reads: 'lookup_solution', shows: 'Claims answered' })
  })
}
