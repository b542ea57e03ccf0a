import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { standing, type Visit } from './visit.ts'

const MARKUP =
  '<script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'"> The page crashes with an error.'
const TURNED = '\u202eThis error is written backwards\u202e'
const ENDLESS = `Error${'x'.repeat(49_995)}`
const PATHS = ['/app', '/app/triage', '/app/proposals', '/app/claims', '/app/claim?id=CLM-1'] as const

export const describeLooks = (visit: () => Visit): void => {
  describe('Every page', () => {
    before(async () => {
      const { send, person } = visit()
      const { counts } = await person.call<{ counts: { signals: number } }>('orient_snapshot')
      await send({ text: MARKUP, actor_name: '<b>Ana</b>', source: '<i>Desk</i>' })
      await send({ text: TURNED })
      await send({ text: ENDLESS })
      await standing(visit(), { signals: counts.signals + 3 })
    })

    it('shows hostile text as text, and no script in it runs', async () => {
      const { page, open, items, screenshot } = visit()
      await open('/app/triage')
      const item = items('signals').filter({ hasText: '<script>' })
      await item.waitFor()
      assert.equal(await item.locator('.sent').textContent(), MARKUP)
      assert.match((await item.textContent()) ?? '', /<i>Desk<\/i><b>Ana<\/b>/)
      assert.equal(await page.locator('main script, main img, main b, main i').count(), 0)
      const endless = items('signals').filter({ hasText: 'Errorxxx' })
      await endless.getByRole('button', { name: 'Show all 50,000 characters' }).click()
      await endless.locator('.whole').waitFor()
      assert.equal((await endless.locator('.sent').textContent())?.length, ENDLESS.length)
      assert.equal(await page.title(), 'Triage · Assay')
      await screenshot('triage-hostile')
    })

    it('links to the web alone, whatever an address says', async () => {
      const { page, open, items } = visit()
      await page.route('**/api/app/lookup_triage', async route => {
        const response = await route.fetch()
        const answered = await response.json()
        for (const signal of answered.data.items) signal.source_url = 'javascript:document.title="taken"'
        await route.fulfill({ response, json: answered })
      })
      await open('/app/triage')
      await items('signals').first().getByText('javascript:').waitFor()
      assert.equal(await page.locator('main a[href^="javascript"]').count(), 0)
      await page.unroute('**/api/app/lookup_triage')
    })

    for (const path of PATHS) {
      it(`${path}: says that it is reading, what went wrong, and goes on when asked again`, async () => {
        const { page, open, faults } = visit()
        const reads = /\/api\/app\/(lookup_|analyze_|inspect_|list_|orient_)/
        let release = (): void => {}
        const held = new Promise<void>(resolve => {
          release = resolve
        })
        await page.route(reads, async route => {
          await held
          await route.fulfill({ status: 503, json: { detail: 'The database is away.' } })
        })
        await open(path)
        if (path !== '/app') await page.getByText('Reading…').first().waitFor()
        release()
        await page.getByText('The database is away.').first().waitFor()
        await page.unroute(reads)
        // The overview and the list of jobs ask again by themselves.
        const again = page.getByRole('button', { name: 'Try again' })
        if (path !== '/app') await again.click()
        await page.getByText('The database is away.').first().waitFor({ state: 'detached' })
        assert.deepEqual(
          faults.splice(0).filter(fault => !fault.includes('503')),
          [],
        )
      })
    }

    for (const scheme of ['light', 'dark'] as const) {
      for (const path of PATHS) {
        it(`${path}: fits a phone in ${scheme} colours, without scrolling sideways`, async () => {
          const { page, open, screenshot } = visit()
          await page.emulateMedia({ colorScheme: scheme })
          await page.setViewportSize({ width: 400, height: 800 })
          await open(path)
          await page.locator('main li, main tbody tr').first().waitFor()
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
          await screenshot(`phone-${scheme}${path.replaceAll(/\W+/g, '-')}`)
          assert.ok(overflow <= 0, `${overflow} pixels too wide`)
          await page.setViewportSize({ width: 1200, height: 900 })
          await page.emulateMedia({ colorScheme: 'light' })
        })
      }
    }
  })
}
