import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../../test/support/browser.ts'
import { type Installation, startInstallation } from '../../../test/support/installation.ts'
import { type Person, signUp } from '../../../test/support/person.ts'
import { checkAccess } from './axe.ts'
import { watchFaults } from './faults.ts'
import { type Interference, interferenceWith } from './interference.ts'

/** `SCREENS=write` keeps a picture of every screen there, for people to look at. */
const SCREENS = new URL('../../../docs/screens/', import.meta.url)
const KEEPS_SCREENS = process.env.SCREENS === 'write'

/** How long a test waits for what must come: long for a page, and short of waiting for ever. */
const PATIENCE_MS = 15_000

export const DESKTOP = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }

/** A browser at an installation of its own, with a person signed in. */
export interface Visit extends Interference {
  readonly browser: Browser
  readonly page: Page
  readonly installation: Installation
  /** Who is signed in, for arranging what the page then shows. */
  readonly person: Person
  /** Opens an address of the app and waits for the screen’s heading. */
  open(path: string): Promise<void>
  checkAccess(): Promise<void>
  noSideScroll(): Promise<void>
  /** Keeps a picture in docs/screens/, with `SCREENS=write`. */
  screenshot(name: string): Promise<void>
  expectFault(text: string): void
  expectStatus(status: number): void
  assertNoFaults(): void
  end(): Promise<void>
}

const signIn = async (context: BrowserContext, { cookie, baseUrl }: Person): Promise<void> => {
  const cookies = cookie.split('; ').map(pair => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('='), url: baseUrl }
  })
  await context.addCookies(cookies)
}

/** Starts both; `environment` sets the installation up. Call `end` after the tests. */
export const startVisit = async (environment: Readonly<Record<string, string>> = {}): Promise<Visit> => {
  const [installation, browser] = await Promise.all([startInstallation(environment), launchBrowser()])
  const person = await signUp(installation.baseUrl)
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce' })
  await signIn(context, person)
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const faults = watchFaults(page)
  return {
    browser,
    page,
    installation,
    person,
    ...faults,
    ...interferenceWith(page, faults.expectStatus),
    open: async path => {
      await page.goto(`${installation.baseUrl}${path}`)
      await page.locator('h1').first().waitFor()
    },
    checkAccess: () => checkAccess(page),
    noSideScroll: async () => {
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      assert.ok(overflow <= 0, `The page is ${overflow} pixels wider than the window.`)
    },
    screenshot: async name => {
      if (!KEEPS_SCREENS) return
      await mkdir(SCREENS, { recursive: true })
      await page.screenshot({ path: new URL(`${name}.png`, SCREENS).pathname })
    },
    end: async () => {
      await browser.close()
      await installation.remove()
    },
  }
}
