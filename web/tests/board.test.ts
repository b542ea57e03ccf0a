import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { arrangeClaims, arrangeSolutions, HOSTILE } from './board/arrange.ts'
import { describeColumns } from './board/columns.ts'
import { describeDiscussion } from './board/discussion.ts'
import { describeLivingDocument } from './board/living-document.ts'
import { describeSolution } from './board/solution.ts'
import { describeEveryState } from './every-state.ts'
import { comesToBe, startVisit, type Visit } from './visit.ts'

const PATH = '/app/board'

describe('Board and Solutions', () => {
  let visit: Visit
  let claims: ReadonlyMap<string, string>
  before(async () => {
    visit = await startVisit()
    claims = await arrangeClaims(visit.person)
  })
  after(() => visit?.end())

  const row = (reference: string) => visit.page.getByRole('row').filter({ hasText: reference })
  const order = async (): Promise<string[]> => {
    const titles = await visit.page.locator('tr[data-movable] a').allTextContents()
    return titles.map(title => /^SOL-\d+/.exec(title)?.[0] ?? title)
  }
  const stand = (expected: string[]) => comesToBe(order, expected)
  const decide = async (action: string) => {
    await visit.page.getByRole('dialog').getByRole('button', { name: action }).click()
    await visit.page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const openBoard = async () => {
    await visit.open(PATH)
    await visit.page.locator('tr[data-movable]').first().waitFor()
  }

  describe('Board', () => {
    it('says what to do where there is no Solution', async () => {
      await visit.open(PATH)
      await visit.page.getByText('No Solution here').waitFor()
      await visit.checkAccess()
    })

    it('creates a Solution from claims by keyboard alone', async () => {
      const { page, checkAccess, screenshot } = visit
      await page.keyboard.press('c')
      const dialog = page.getByRole('dialog', { name: 'New Solution' })
      await dialog.waitFor()
      await visit.type('Made by keyboard')
      await page.keyboard.press('Tab')
      await Promise.all([page.waitForResponse('**/api/app/lookup_search'), page.keyboard.type('export fails')])
      await page.getByRole('option', { name: /The export fails/ }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await dialog
        .getByText(/^CLM-\d+ The export fails/)
        .first()
        .waitFor()
      await checkAccess()
      await screenshot('board-create')
      await dialog.getByLabel('Decision', { exact: true }).focus()
      await page.keyboard.type('Three customers left over it.')
      await page.keyboard.press('Control+Enter')
      await page.waitForURL('**/app/solutions/SOL-1')
      await page.getByText('The export fails with an error on large boards.').first().waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Dropped').first().waitFor()
    })

    it('shows the Solutions in board order, and hostile titles as text', async () => {
      await arrangeSolutions(visit.person, claims)
      await openBoard()
      await stand(['SOL-2', 'SOL-3', 'SOL-4', 'SOL-5'])
      await visit.page.getByText(HOSTILE).waitFor()
      assert.equal(await visit.page.locator('main img').count(), 0)
    })

    it('says why a Solution is here with each term, which add up', async () => {
      const { page, checkAccess, screenshot } = visit
      await page.keyboard.press('j')
      await page.keyboard.press('w')
      const drawer = page.getByRole('dialog', { name: 'Why SOL-2 is here' })
      const terms = drawer.locator('tbody tr')
      await terms.first().waitFor()
      assert.equal(await terms.count(), 4)
      const weighed = await drawer.locator('tbody tr td:nth-child(3)').allTextContents()
      const sum = weighed.reduce((total, term) => total + Number(term), 0)
      const evidence = Number(await drawer.locator('dd').first().textContent())
      assert.ok(Math.abs(sum - evidence) <= 0.03, `${sum} is not ${evidence}`)
      await drawer.getByText('<b>Mallory</b>').waitFor()
      await drawer.getByRole('button', { name: /Ada/ }).click()
      await drawer.getByRole('link', { name: /SIG-/ }).first().waitFor()
      await drawer.getByText('After it: SOL-3').waitFor()
      await checkAccess()
      await screenshot('board-why')
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'detached' })
    })

    it('ranks by dragging: what is above is ranked too, in one Decision that Undo takes back', async () => {
      const { page, screenshot } = visit
      const [handle, target] = await Promise.all(
        ['SOL-5', 'SOL-3'].map(reference => page.getByRole('button', { name: `Move ${reference}` }).boundingBox()),
      )
      assert.ok(handle && target)
      await page.mouse.move(handle.x + 8, handle.y + 8)
      await page.mouse.down()
      await page.mouse.move(target.x + 8, target.y + 2, { steps: 4 })
      await page.getByRole('status').filter({ hasText: 'SOL-5: place 2 of 4' }).waitFor({ state: 'attached' })
      await screenshot('board-dragging')
      await page.mouse.up()
      await page.getByText('Below: ordered by evidence').waitFor()
      await stand(['SOL-2', 'SOL-5', 'SOL-3', 'SOL-4'])
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await page.getByText('Below: ordered by evidence').waitFor({ state: 'detached' })
      await stand(['SOL-2', 'SOL-3', 'SOL-4', 'SOL-5'])
    })

    it('drags the row that was pressed, however far the first move goes, and shows it under the pointer', async () => {
      const { page } = visit
      const [pressed, neighbour] = await Promise.all([row('SOL-3').boundingBox(), row('SOL-4').boundingBox()])
      assert.ok(pressed && neighbour)
      const middle = (box: typeof pressed) => [box.x + box.width / 2, box.y + box.height / 2] as const
      await page.mouse.move(...middle(pressed))
      await page.mouse.down()
      await page.mouse.move(...middle(neighbour))
      await page.locator('[data-lifted]').filter({ hasText: 'SOL-3' }).waitFor()
      await page.mouse.move(neighbour.x + neighbour.width / 2, neighbour.y + neighbour.height)
      const preview = page.locator('[data-drag-preview]').filter({ hasText: 'SOL-3' })
      const box = await preview.boundingBox()
      assert.ok(box && Math.abs(box.y - neighbour.y - neighbour.height / 2) < 2, `${box?.y} beside ${neighbour.y}`)
      assert.ok(Math.abs(box.width - pressed.width) < 2)
      await page.mouse.move(...middle(pressed))
      await page.mouse.up()
      await preview.waitFor({ state: 'detached' })
      await stand(['SOL-2', 'SOL-3', 'SOL-4', 'SOL-5'])
    })

    it('ranks by keyboard alone: lifted, moved, left alone by Escape, put down; and gives the place back to the evidence', async () => {
      const { page } = visit
      await page.getByRole('link', { name: /SOL-4/ }).focus()
      await page.keyboard.press('r')
      for (const key of ['Space', 'ArrowUp', 'Escape', 'Space', 'ArrowUp', 'Home']) await page.keyboard.press(key)
      await page.getByRole('status').filter({ hasText: 'SOL-4: place 1 of 4' }).waitFor({ state: 'attached' })
      await page.keyboard.press('Space')
      await page.getByText('Below: ordered by evidence').waitFor()
      await stand(['SOL-4', 'SOL-2', 'SOL-3', 'SOL-5'])
      await page.getByRole('link', { name: /SOL-4/ }).focus()
      await page.keyboard.press('u')
      await decide('Order it by evidence')
      await page.getByText('Below: ordered by evidence').waitFor({ state: 'detached' })
      await stand(['SOL-2', 'SOL-3', 'SOL-4', 'SOL-5'])
    })

    it('asks for a reason where the workspace wants one', async () => {
      const { page, person } = visit
      await person.call('set_workspace_rules', { asks_reasons: true })
      await openBoard()
      await page.getByRole('link', { name: /SOL-5/ }).focus()
      await page.keyboard.press('r')
      for (const key of ['Space', 'Home', 'ArrowDown', 'Space']) await page.keyboard.press(key)
      await page.getByText('so the 1 Solution above it without one is ranked too').waitFor()
      await stand(['SOL-2', 'SOL-5', 'SOL-3', 'SOL-4'])
      await decide('Rank it here')
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await page.getByText('Undone.').waitFor()
      await person.call('set_workspace_rules', { asks_reasons: false })
      await openBoard()
    })

    it('boosts, on what the Solution is by then when it was changed meanwhile', async () => {
      const { page, person, hold, expectStatus } = visit
      await page.getByRole('button', { name: 'Boost SOL-3' }).click()
      const dialog = page.getByRole('dialog', { name: 'Boost SOL-3' })
      await dialog.getByLabel('Boost').fill('10')
      await dialog.getByText('is a score of').waitFor()
      await dialog.getByLabel('Decision', { exact: true }).fill('Our largest customer waits for it.')
      const release = await hold('lookup_backlog')
      await person.call('update_solution', { solution_id: 'SOL-3', title: 'Index all notes', comment: 'Wider.' })
      expectStatus(409)
      await dialog.getByRole('button', { name: 'Set boost' }).click()
      await dialog.getByText('Somebody changed another part of it').waitFor()
      await release()
      await page.getByText('Index all notes').waitFor({ state: 'attached' })
      await decide('Set boost')
      await page.locator('tr[data-movable]').first().filter({ hasText: 'SOL-3' }).waitFor()
      await row('SOL-3').getByText('×10').waitFor()
    })

    it('shows one state or one group, and keeps that in the address', async () => {
      const { page, person, open } = visit
      await person.call('change_group', {
        action: 'create',
        name: 'Exports',
        solution_ids: ['SOL-2'],
        comment: 'They belong together.',
      })
      await page.getByText('Dropped').first().click()
      await page.waitForURL('**state=Dropped')
      await page.getByText('Made by keyboard').waitFor()
      await open(`${PATH}?group=Exports`)
      await page.locator('tr[data-movable]').first().waitFor()
      await stand(['SOL-2'])
    })

    it('offers a viewer nothing that only members may do', async () => {
      const { page } = visit
      await visit.asViewer(async () => {
        await openBoard()
        assert.equal(await page.getByRole('button', { name: /^(Move|Boost|New Solution)/ }).count(), 0)
        assert.equal(await page.getByRole('button', { name: /^Why SOL-2/ }).count(), 1)
      })
    })

    describeEveryState(() => visit, { screen: 'board', path: PATH, reads: 'lookup_backlog', shows: 'Tax rates' })
  })

  describeColumns(() => visit)
  describeDiscussion(() => visit)
  describeSolution(() => visit)
  describeLivingDocument(() => visit)

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
