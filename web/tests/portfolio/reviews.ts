import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { describeEveryState } from '../every-state.ts'
import { DESKTOP, type Visit } from '../visit.ts'

/** What fits on A4 between the margins, in CSS pixels. */
const PAPER = { width: 688, height: 1016 }
const READ = '**/api/app/read_review'

/** Product Reviews: prepared, read, followed to their evidence, printed. */
export const describeReviews = (visit: () => Visit): void => {
  const dialog = () => visit().page.getByRole('dialog')
  const report = () => visit().page.getByRole('heading', { name: 'What came in' })
  /** The number of a key figure. */
  const figure = async (label: string): Promise<number> => {
    const term = visit()
      .page.locator('dl > div')
      .filter({ has: visit().page.getByText(label, { exact: true }) })
    return Number(await term.getByRole('link').textContent())
  }

  describe('Product Reviews', () => {
    let address = '/app/reviews'

    it('are prepared for a time by keyboard alone, with a title that says which', async () => {
      const { page, open, checkAccess, screenshot } = visit()
      await open('/app/reviews')
      await page.getByText('The last six months').waitFor()
      await page.keyboard.press('c')
      await dialog().getByLabel('Title').waitFor()
      await checkAccess()
      await page.keyboard.press('Escape')
      await dialog().waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Prepare a review' }).click()
      await dialog().getByRole('combobox', { name: 'Time' }).click()
      await page.getByRole('option', { name: 'Custom range' }).click()
      assert.ok(await dialog().getByRole('button', { name: 'Prepare it' }).isDisabled())
      await dialog().getByRole('combobox', { name: 'Time' }).click()
      await page.getByRole('option', { name: 'Last 30 days' }).click()
      await screenshot('reviews-prepare')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await report().waitFor()
      await page.getByRole('heading', { name: /^30 days to \w/ }).waitFor()
      address = new URL(page.url()).pathname
    })

    it('show how far they are, and can be left and cancelled', async () => {
      const { page, open, checkAccess } = visit()
      const id = address.split('/').at(-1)
      const at = new Date().toISOString()
      const job = {
        id,
        kind: 'review',
        state: 'running',
        done: 2,
        total: 6,
        failed: 0,
        message: null,
        about: 'October',
      }
      const times = { created_at: at, updated_at: at, finished_at: null, started_by: 'Ada', cancelled_by: null }
      const told = { review: null, job: { ...job, ...times } }
      await page.route(READ, route => route.fulfill({ json: { data: told, meta: {} } }))
      await open(address)
      await page.getByText('is being prepared: 2 of 6 parts. You can leave this page.').waitFor()
      assert.equal(await page.getByRole('progressbar').getAttribute('aria-valuenow'), '33')
      await checkAccess()
      await page.route('**/api/app/cancel_job', route => {
        Object.assign(told.job, { state: 'cancelled', cancelled_by: 'Grace' })
        return route.fulfill({ json: { data: told.job, meta: {} } })
      })
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('This review was cancelled').waitFor()
      await page.getByText('By Grace; nothing was saved.').waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })

    it('lead from each number to what it was counted from', async () => {
      const { page, open } = visit()
      await open(address)
      await report().waitFor()
      const [signals, decisions] = [await figure('Signals'), await figure('Decisions')]
      assert.ok(signals > 20 && decisions > 3)
      const link = (label: string) =>
        page
          .locator('dl > div')
          .filter({ has: page.getByText(label, { exact: true }) })
          .getByRole('link')
      const total = `${await link('Signals').getAttribute('href')}&granularity=all`
      await link('Decisions').click()
      await page.getByRole('heading', { name: `Decisions ${decisions}` }).waitFor()
      assert.equal(await page.getByRole('main').getByRole('link', { name: /^DEC-/ }).count(), decisions)
      await open(total)
      await page
        .locator('dd')
        .filter({ hasText: new RegExp(`^${signals}$`) })
        .waitFor()
    })

    it('are printed on white, without what is around them, as wide as the paper', async () => {
      const { page, open, noSideScroll, screenshot } = visit()
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      await open(address)
      await page.locator('[data-chart] svg').first().waitFor()
      await page.setViewportSize(PAPER)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark', reducedMotion: 'reduce' })
      const isWhite = async () =>
        (await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')) === 'rgb(255, 255, 255)'
      await eventually('the paper is white', isWhite)
      for (const chrome of [page.getByRole('navigation'), page.getByRole('button', { name: 'Print' })]) {
        assert.equal(await chrome.count(), 0)
      }
      await noSideScroll()
      const left = await page.getByRole('heading', { level: 1 }).boundingBox()
      assert.ok(left !== null && left.x < 40 && left.y < 60, 'the room of the navigation is the paper’s')
      const drawn = page.locator('figure [data-chart]')
      assert.ok((await drawn.count()) >= 4)
      for (const chart of await page.locator('figure').all()) {
        const box = await chart.boundingBox()
        assert.ok(box !== null && box.width > 150 && box.x + box.width <= PAPER.width, 'a chart is cut')
      }
      await screenshot('review-print')
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark', reducedMotion: 'reduce' })
      await eventually('the screen is dark again', async () => !(await isWhite()))
      await page.setViewportSize(DESKTOP)
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    })

    it('can be read by viewers, who prepare none', async () => {
      const { page, open, asViewer, noSideScroll, screenshot } = visit()
      await asViewer(async () => {
        await open('/app/reviews')
        await page.getByRole('link', { name: /^30 days to/ }).waitFor()
        assert.equal(await page.getByRole('button', { name: 'Prepare a review' }).count(), 0)
        await noSideScroll()
        await screenshot('reviews')
        await page.getByRole('link', { name: /^30 days to/ }).click()
        await report().waitFor()
      })
    })

    it('say that there is none by an address', async () => {
      const { page, open, expectStatus } = visit()
      expectStatus(404)
      await open('/app/reviews/00000000-0000-4000-8000-000000000000')
      await page.getByRole('alert').filter({ hasText: 'No Product Review of this workspace' }).waitFor()
    })

    // The address is known once the review is prepared.
    const atReview = (): Visit => ({ ...visit(), open: () => visit().open(address) })
    describeEveryState(atReview, { screen: 'review', path: address, reads: 'read_review', shows: 'Rising claims' })
  })
}
