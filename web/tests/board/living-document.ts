import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeEveryState } from '../every-state.ts'
import type { Visit } from '../visit.ts'

const PATH = '/app/solutions/SOL-3/document'

const FIRST = `# Plan

Index the notes at night. See SOL-2.

## Risks

| risk | what we do |
|---|---|
| memory | read in parts |

- [x] measured
- [ ] built

<img src=x onerror=alert(1)> [x](javascript:alert(1))`

/** The Living Document of SOL-3: begun, edited, in conflict, compared. */
export const describeLivingDocument = (visit: () => Visit): void => {
  const text = () => visit().page.getByLabel('Living Document, Markdown')
  /** Takes the text's place by keys: what a browser makes of a filled element is not what people do. */
  const write = async (written: string) => {
    await text().press('Control+a')
    await visit().page.keyboard.press('Delete')
    await visit().page.keyboard.insertText(written)
  }
  /** What stands in the editor, all of which must be in view. */
  const writing = async () => (await text().locator('.cm-line').allTextContents()).join('\n')
  const save = async () => {
    await text().focus()
    await visit().page.keyboard.press('Control+s')
  }

  describe('Living Document', () => {
    it('is begun with a preview beside it, in which HTML is text, and survives a reload before it is saved', async () => {
      const { page, open, checkAccess, screenshot } = visit()
      await open(PATH)
      await page.getByRole('button', { name: 'Begin the document' }).click()
      await text().focus()
      await page.keyboard.press('Control+s')
      const first = page.getByRole('button', { name: 'Save version 1', description: 'Write something first.' })
      assert.equal(await first.getAttribute('aria-disabled'), 'true')
      assert.equal(await page.getByRole('dialog').count(), 0)
      await visit().type('Why')
      await first.waitFor({ state: 'detached' })
      assert.equal(await writing(), 'Why')
      await write(FIRST)
      const preview = page.getByRole('region', { name: 'Preview' })
      await preview.getByText('<img src=x onerror=alert(1)> [x](javascript:alert(1))').waitFor()
      await preview.getByRole('cell', { name: 'read in parts' }).waitFor()
      assert.equal(await page.locator('main img, main a[href^=javascript]').count(), 0)
      await checkAccess()
      await screenshot('solution-editor')
      await page.reload()
      await text().waitFor()
      assert.equal(await writing(), FIRST)
      await save()
      await page.getByRole('article', { name: 'Living Document, version 1' }).waitFor()
    })

    it('ticks its tasks where it is read, and saves them as one version', async () => {
      const { page, person, checkAccess } = visit()
      await page.getByRole('checkbox', { name: 'built' }).click()
      await page.getByRole('checkbox', { name: 'measured' }).click()
      await page.getByRole('checkbox', { name: 'measured', checked: false }).waitFor()
      await checkAccess()
      await page.getByRole('button', { name: 'Save version 2' }).click()
      await page.getByRole('article', { name: 'Living Document, version 2' }).waitFor()
      const { text: saved } = await person.call<{ text: string }>('lookup_living_document', { id: 'SOL-3' })
      assert.match(saved, /- \[ \] measured\n- \[x\] built/)
    })

    it('goes on with a list, marks by key and button, and names what is found by its words', async () => {
      const { page, person } = visit()
      await page.getByRole('button', { name: 'Edit', exact: true }).last().click()
      await text().and(page.locator(':focus')).press('Control+End')
      await page.keyboard.type('\n\n- [ ] tell everybody')
      await page.keyboard.press('Enter')
      await page.keyboard.type('and ')
      await page.keyboard.press('Control+b')
      await page.keyboard.type('then')
      for (let typed = 0; typed < 2; typed += 1) await page.keyboard.press('ArrowRight')
      const { title } = await person.call<{ title: string }>('lookup_solution', { id: 'SOL-2' })
      await page.keyboard.type(` rest, see [[${title.slice(0, 12)}`)
      await page.getByRole('option', { name: /^SOL-2/ }).click()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await page.getByRole('toolbar', { name: 'Format' }).getByRole('button', { name: 'Table' }).click()
      await page.keyboard.press('Tab')
      await page.keyboard.type('Second')
      const written = await writing()
      assert.match(written, /- \[ \] tell everybody\n- \[ \] and \*\*then\*\* rest, see SOL-2\n\n\| Column/)
      assert.match(written, /\| Column \| Second \|\n\| --- \| --- \|/)
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('article').waitFor()
    })

    it('loses neither of two edits at once', async () => {
      const { page, person, expectStatus, checkAccess, screenshot } = visit()
      await page.getByRole('button', { name: 'Edit', exact: true }).last().click()
      await write(FIRST.replace('at night', 'by day').replace('# Plan', '# The plan'))
      const theirs = FIRST.replace('read in parts', 'read in small parts').replace('at night', 'every hour')
      const edit = { solution_id: 'SOL-3', version: 2, markdown: theirs, comment: 'Smaller parts.' }
      await person.call('edit_living_document', edit)
      expectStatus(409)
      await save()
      await page.getByText('Somebody saved a version while you wrote').waitFor()
      await page.getByRole('button', { name: 'What they changed' }).click()
      await page.getByText('read in small parts').waitFor()
      await checkAccess()
      await screenshot('solution-conflict')
      await page.getByRole('button', { name: 'Bring both together' }).click()
      await page.getByText('Both changed the same lines in 1 place').waitFor()
      const together = await writing()
      for (const kept of ['# The plan', 'by day', 'every hour', 'read in small parts']) {
        assert.ok(together.includes(kept), kept)
      }
      // The heading and the line below it have only an empty line between them: they are one place.
      await write(together.replace(/<{7} yours\n([\s\S]*?)\n={7}\n[\s\S]*?\n>{7} theirs/, '$1'))
      await save()
      await page.getByRole('article', { name: 'Living Document, version 4' }).waitFor()
    })

    it('shows the differences between any two versions, and restores an old one by an edit', async () => {
      const { page, checkAccess, screenshot } = visit()
      await page.keyboard.press('v')
      for (const version of [1, 4]) await page.getByLabel(`Choose version ${version}`).check()
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByLabel('Version 4').getByText('read in small parts').waitFor()
      await page.getByLabel('Version 1').getByText('Index the notes at night').waitFor()
      await checkAccess()
      await screenshot('solution-sides')
      await page.getByText('Line by line').click()
      await page.locator('[data-kind=added]').filter({ hasText: 'read in small parts' }).waitFor()
      await page.locator('[data-kind=removed]').filter({ hasText: 'Index the notes at night' }).waitFor()
      await checkAccess()
      await screenshot('solution-differences')
      await page.getByRole('button', { name: 'Versions' }).click()
      await page.getByRole('button', { name: 'Read version 1' }).click()
      await page.getByRole('button', { name: 'Restore in the editor' }).click()
      assert.equal(await writing(), FIRST)
      await save()
      await page.getByRole('article', { name: 'Living Document, version 5' }).waitFor()
    })

    it('reads and edits a text that the service answers in parts', async () => {
      const { page, person, go } = visit()
      const line = 'A line of a long document with some words in it.\n\n'
      const markdown = `${line.repeat(1600)}The end of it.`
      await person.call('edit_living_document', { solution_id: 'SOL-4', markdown, comment: 'All of it.' })
      await go('/app/solutions/SOL-4/document')
      await page.getByText('The end of it.').waitFor()
      await page.getByRole('button', { name: 'Edit', exact: true }).last().click()
      await text().and(page.locator(':focus')).press('Control+End')
      await text().getByText('The end of it.').waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('article').waitFor()
    })

    describeEveryState(visit, {
      screen: 'solution-document',
      path: PATH,
      reads: 'lookup_living_document',
      shows: 'Index the notes at night',
    })
  })
}
