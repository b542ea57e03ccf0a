import { describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { AWAY } from './interference.ts'
import { DESKTOP, PHONE, type Visit } from './visit.ts'

interface Screen {
  /** As its pictures are named. */
  readonly screen: string
  readonly path: string
  /** The operation that the screen cannot do without. */
  readonly reads: string
  /** A text that is there once it was read. */
  readonly shows: string
}

/** On a phone the colours are those of the desk, and all else may be another. */
const LOOKS = {
  light: { colorScheme: 'light', viewport: DESKTOP, checked: 'everything' },
  dark: { colorScheme: 'dark', viewport: DESKTOP, checked: 'colors' },
  phone: { colorScheme: 'light', viewport: PHONE, checked: 'structure' },
} as const

/** What every screen must get right: while it reads, when that fails, and how it looks in each light and on a phone. */
export const describeEveryState = (visit: () => Visit, { screen, path, reads, shows }: Screen): void => {
  describe(`${screen}, in every state`, () => {
    const arrived = () => visit().page.getByText(shows).first().waitFor()

    it('says that it reads, and what went wrong, and reads again when asked to', async () => {
      const { page, open, hold, fail, checkAccess } = visit()
      const tryAgain = page.getByRole('button', { name: 'Try again' }).first()
      const away = page.getByRole('alert').filter({ hasText: AWAY })
      const release = await hold(reads)
      // Later than the test lasts: it is the button that must ask again.
      const remedy = await fail(reads, { retryAfter: 60 })
      try {
        await open(path)
        await page.getByText('Reading…').first().waitFor({ state: 'attached' })
        await release()
        await away.waitFor()
        await checkAccess()
        await Promise.all([page.waitForRequest(`**/api/app/${reads}`), tryAgain.click()])
        await away.waitFor()
      } finally {
        await remedy()
      }
      // What is told live has a page read again too, which takes the button away.
      await eventually('it is read again', async () => {
        if (await tryAgain.isVisible()) await tryAgain.click({ timeout: 1000 }).catch(() => {})
        return page.getByText(shows).first().isVisible()
      })
      await page.getByText(AWAY).first().waitFor({ state: 'detached' })
    })

    it('can then be read by everyone, and fits: in light, in the dark and on a phone', async () => {
      const { page, checkAccess, noSideScroll, screenshot } = visit()
      for (const [look, { colorScheme, viewport, checked }] of Object.entries(LOOKS)) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize(viewport)
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
        await arrived()
        await checkAccess(checked)
        await noSideScroll()
        await screenshot(`${screen}-${look}`)
      }
      await page.setViewportSize(DESKTOP)
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    })
  })
}
