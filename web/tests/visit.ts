import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { eventually } from '../../infra/runtime/testing.ts'
import { isInApp } from '../../schemas/http/workspace-address.ts'
import { launchBrowser, signInBrowser } from '../../test/support/browser.ts'
import { type Installation, sharedInstallation, startInstallation } from '../../test/support/installation.ts'
import { type Person, signUp } from '../../test/support/person.ts'
import { type Checked, checkAccess } from './axe.ts'
import { watchFaults } from './faults.ts'
import { type Interference, interferenceWith } from './interference.ts'
import { PRESSED_AGAIN } from './pressed-again.ts'

/** `SCREENS=write` keeps a picture of every state there, for who works on a screen to look at. */
const SCREENS = new URL('../../.data/screens/', import.meta.url)
const KEEPS_SCREENS = process.env.SCREENS === 'write'

/** How long a test waits for what must come: long for a page, and short of waiting for ever. */
const PATIENCE_MS = 180_000

export const DESKTOP = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }

/**
 * Whether it comes so soon; for a check that loads the page again and again until it is there. To count at once would
 * say no of every page whose answer is still on its way.
 */
export const comesWithin = (what: Locator, milliseconds: number): Promise<boolean> =>
  what
    .first()
    .waitFor({ timeout: milliseconds })
    .then(
      () => true,
      () => false,
    )

/** Waits until what the page shows is so: a dialog is gone and a notice there before what was decided is read again. */
export const comesToBe = <Shown>(read: () => Promise<Shown>, expected: Shown): Promise<boolean> =>
  eventually('the page shows what is expected', async () => {
    assert.deepEqual(await read(), expected)
    return true
  })

/** A browser at an installation, with a person signed in. */
export interface Visit extends Interference {
  readonly browser: Browser
  readonly page: Page
  readonly installation: Installation
  /** Who is signed in, for arranging what the page then shows. */
  readonly person: Person
  /** Opens an address of the app and waits for the screen’s heading. */
  open(path: string): Promise<void>
  /**
   * Goes to another screen as a link does, where the app is loaded: it takes a sixth of the processor that loading it
   * takes. What comes must be waited for: until then there is what was there before, and what the app has read of it.
   */
  go(path: string): Promise<void>
  /**
   * Types once a field has the focus: a dialog that is opened by a key has it a moment later, and what comes before are
   * keys of the page.
   */
  type(text: string): Promise<void>
  /** Ends the session from outside of the app: a page of the app notices, and goes to the sign-in by itself. */
  signOut(): Promise<void>
  /** From the next address on that names no workspace, the page is in this one; null: in the person’s first. */
  enter(workspace: string | null): Promise<void>
  /** Runs `work` with another person signed in, who may only look at the workspace that the page is in. */
  asViewer(work: () => Promise<void>): Promise<void>
  checkAccess(checked?: Checked): Promise<void>
  noSideScroll(): Promise<void>
  /** Keeps a picture in .data/screens/, with `SCREENS=write`. */
  screenshot(name: string): Promise<void>
  expectFault(text: string): void
  expectStatus(status: number): void
  assertNoFaults(): void
  end(): Promise<void>
}

/** The one that a person has from the start. */
export const firstWorkspaceOf = async (person: Person): Promise<string> => {
  const { items } = await person.call<{ items: readonly { readonly id: string; readonly current: boolean }[] }>(
    'list_workspaces',
  )
  return items.find(({ current }) => current)?.id ?? assert.fail('nobody is without a workspace')
}

/** A person who was invited to look at the other's workspace. */
const invitedViewer = async (person: Person): Promise<{ readonly viewer: Person; readonly workspaceId: string }> => {
  const { url } = await person.call<{ url: string }>('invite_member', { label: 'Viewer', role: 'viewer' })
  const token = new URL(url).hash.slice(1)
  const viewer = await signUp(person.baseUrl, token)
  const { workspace_id } = await viewer.call<{ workspace_id: string }>('accept_invitation', { token })
  return { viewer, workspaceId: workspace_id }
}

/** Starts a browser, and an installation of its own where `environment` sets it up. Call `end` after the tests. */
export const startVisit = async (environment?: Readonly<Record<string, string>>): Promise<Visit> =>
  visitTo(await (environment === undefined ? sharedInstallation() : startInstallation(environment)))

/** Starts a browser at an installation, which `end` then stops too. */
export const visitTo = async (installation: Installation): Promise<Visit> => {
  const browser = await launchBrowser()
  const person = await signUp(installation.baseUrl)
  const context = await browser.newContext({
    viewport: DESKTOP,
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'x-forwarded-for': person.clientAddress },
  })
  await signInBrowser(context, person)
  context.setDefaultTimeout(PATIENCE_MS)
  await context.addInitScript(PRESSED_AGAIN)
  const page = await context.newPage()
  const faults = watchFaults(page)
  const aside = () => page.goto(`${installation.baseUrl}/livez`)
  const signOut = async (): Promise<void> => {
    await aside()
    await context.clearCookies()
    // As a page does that notices: the next who signs in may be somebody else.
    await page.evaluate(`sessionStorage.removeItem('assay-person')`)
  }
  const enter = async (workspace: string | null): Promise<void> => {
    const chosen = workspace ?? (await firstWorkspaceOf(person))
    await page.evaluate(`sessionStorage.setItem('assay-workspace', '${chosen}')`)
  }
  const open = async (path: string): Promise<void> => {
    await page.goto(`${installation.baseUrl}${path}`)
    await page.locator('h1').first().waitFor()
    // A page that is left for another at once has no title for a moment.
    await eventually('the page has a title', async () => /^\S.* · Assay$/.test(await page.title()))
  }
  return {
    browser,
    page,
    installation,
    person,
    ...faults,
    ...interferenceWith(page, faults.expectStatus),
    open,
    go: async path => {
      if (!isInApp(new URL(page.url()).pathname)) return open(path)
      const address = JSON.stringify(path)
      await page.evaluate(`history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`)
    },
    type: async text => {
      await page.locator(':is(input, textarea, [contenteditable=true]):focus').waitFor()
      await page.keyboard.type(text)
    },
    signOut,
    enter,
    asViewer: async work => {
      await aside()
      const chosen = await page.evaluate<string | null>(`sessionStorage.getItem('assay-workspace')`)
      const { viewer, workspaceId } = await invitedViewer(chosen === null ? person : person.inWorkspace(chosen))
      await enter(workspaceId)
      await signOut()
      await signInBrowser(context, viewer)
      try {
        await work()
      } finally {
        await signOut()
        await enter(chosen)
        await signInBrowser(context, person)
      }
    },
    checkAccess: checked => checkAccess(page, checked),
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
