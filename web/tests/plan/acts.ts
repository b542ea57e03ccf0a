import assert from 'node:assert/strict'
import { eventually } from '../../../infra/runtime/testing.ts'
import { DESKTOP, type Visit } from '../visit.ts'

/** A sheet of A4 at 96 pixels an inch. */
const SHEET = { width: 794, height: 1123 }

/** What both screens are worked with. */
export const actsOf = (visit: () => Visit) => {
  const dialog = () => visit().page.getByRole('dialog')

  /** Drags by a handle to a point of another element: a share of its width and height. */
  const drag = async (handle: string, target: string, at: { readonly x: number; readonly y: number }) => {
    const { page } = visit()
    const from = await page.getByRole('button', { name: handle }).boundingBox()
    const to = await page.locator(target).first().boundingBox()
    assert.ok(from && to)
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width * at.x, to.y + to.height * at.y, { steps: 4 })
  }

  const decide = async (action: string) => {
    await dialog().getByRole('button', { name: action, exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
  }

  /** Undoes what was done last of what a notice says. */
  const undo = (notice: string) =>
    visit().page.getByRole('alert').filter({ hasText: notice }).last().getByRole('button', { name: 'Undo' }).click()

  /** Prints what is shown from the dark scheme, on a sheet of paper, and keeps its picture. */
  const print = async (path: string, name: string) => {
    const { page, open, noSideScroll, screenshot } = visit()
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await open(path)
    await page.locator('[data-movable]').first().waitFor()
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
    assert.equal(await scheme(), 'dark')
    await page.setViewportSize(SHEET)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark', reducedMotion: 'reduce' })
    await eventually('it is in the light scheme', async () => assert.equal(await scheme(), 'light'))
    assert.equal(await page.getByRole('button').filter({ visible: true }).count(), 0)
    assert.equal(await page.getByRole('navigation').filter({ visible: true }).count(), 0)
    // Paper is for outsiders, whom our Decisions do not concern.
    assert.equal(
      await page
        .getByText(/^DEC-\d/)
        .filter({ visible: true })
        .count(),
      0,
    )
    await page.getByText(String(new Date().getFullYear())).first().waitFor()
    const left = (await page.locator('h1').boundingBox())?.x ?? 0
    assert.ok(left < 40, `What is printed begins ${left} pixels from the edge.`)
    await noSideScroll()
    await screenshot(name)
    await page.setViewportSize(DESKTOP)
    await page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: 'reduce' })
    await eventually('it is what it was', async () => assert.equal(await scheme(), 'light'))
  }

  return { dialog, drag, decide, undo, print }
}
