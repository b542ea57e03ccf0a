import { mkdir, rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { eventually } from '../infra/runtime/testing.ts'
import { launchBrowser } from '../test/support/browser.ts'
import { startInstallation } from '../test/support/installation.ts'
import { fillWithSample } from '../test/support/sample-workspace.ts'

const FOLDER = new URL('screens/', import.meta.url)

/** In place of the address of this machine, whose port is another each time. */
const HOST = 'assay.example.com'
const ADDRESS = `http://${HOST}`

const SIZE = { width: 1280, height: 800 }
const WAIT_MS = 120_000
/** Charts measure their room before they draw. */
const SETTLE_MS = 500

const REVIEW = 'The last six months'
const KEY = 'Planning agent'

interface Picture {
  readonly name: string
  /** Below `/app`. */
  readonly path: string
  /** What is there once the screen has read what it shows. */
  readonly shows: string
  /** What a person does before the picture is taken. */
  readonly act?: (page: Page) => Promise<unknown>
}

/** In the order of the app's navigation. */
const PICTURES: readonly Picture[] = [
  { name: 'triage', path: '/triage', shows: 'Still no Amex. We lose about ten orders a day.' },
  { name: 'proposals', path: '/proposals', shows: 'Amex payments are declined' },
  { name: 'claims', path: '/claims', shows: 'Large CSV exports time out' },
  { name: 'claim', path: '/claims/CLM-15', shows: 'Large CSV exports time out' },
  { name: 'map', path: '/map', shows: 'Exports' },
  { name: 'board', path: '/board', shows: 'Background exports' },
  { name: 'solution', path: '/solutions/SOL-5', shows: 'Background exports' },
  { name: 'roadmap', path: '/roadmap', shows: 'Background exports' },
  { name: 'strategy', path: '/strategy', shows: 'Every shop keeps its own books in order' },
  { name: 'decisions', path: '/decisions', shows: 'Exports come first this quarter' },
  { name: 'changes', path: '/changes', shows: 'New signals' },
  {
    name: 'review',
    path: '/reviews',
    shows: REVIEW,
    act: async page => {
      await page.getByRole('link', { name: REVIEW }).click()
      await page.getByRole('heading', { name: 'What came in' }).waitFor()
    },
  },
  { name: 'explore', path: '/explore', shows: 'Received' },
  { name: 'trace', path: '/pipeline/signal?id=SIG-71', shows: 'normalize' },
  { name: 'ledger', path: '/pipeline/ledger', shows: 'each recorded when it came in' },
  { name: 'sources', path: '/settings/sources', shows: 'Support desk' },
  { name: 'connect-agents', path: '/settings/connect-agents', shows: KEY },
]

/** Calls an operation as the app does, in the workspace that the page is in. */
const callFrom =
  (page: Page) =>
  <Data>(operation: string, input: object = {}): Promise<Data> =>
    page.evaluate<Data>(`(async () => {
      const workspace = sessionStorage.getItem('assay-workspace')
      const answer = await fetch('/api/app/${operation}', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(workspace && { 'x-workspace-id': workspace }) },
        body: ${JSON.stringify(JSON.stringify(input))},
      })
      if (!answer.ok) throw new Error('${operation} answered ' + answer.status + ': ' + (await answer.text()))
      return (await answer.json()).data
    })()`)

const signUp = async (page: Page): Promise<void> => {
  await page.goto(`${ADDRESS}/sign-up`)
  await page.getByLabel('Name').fill('Ada Moreau')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Welcome to' }).waitFor()
}

/** A workspace with the sample data and an agent's key, once all of it can be read. */
const arrange = async (page: Page): Promise<void> => {
  const call = callFrom(page)
  const { id } = await call<{ id: string }>('create_workspace', { name: 'Sample shop', sandbox: true })
  await page.evaluate(`sessionStorage.setItem('assay-workspace', '${id}')`)
  await fillWithSample(call)
  await call('create_key', { label: KEY })
}

const take = async (page: Page, { name, path, shows, act }: Picture): Promise<void> => {
  await page.goto(`${ADDRESS}/app${path}`)
  await page.getByText(shows).first().waitFor()
  await act?.(page)
  await eventually(
    `${name} has read all of it`,
    async () => (await page.locator('.mantine-Skeleton-root').count()) === 0,
  )
  await page.evaluate('document.fonts.ready.then(() => {})')
  await page.waitForTimeout(SETTLE_MS)
  await page.screenshot({ path: new URL(`${name}.png`, FOLDER).pathname, animations: 'disabled', caret: 'hide' })
}

const installation = await startInstallation({ BASE_URL: ADDRESS, INGEST_MAIL_DOMAIN: `in.${HOST}` })
const browser = await launchBrowser([`--host-resolver-rules=MAP ${HOST} ${new URL(installation.baseUrl).host}`])
try {
  const context = await browser.newContext({
    viewport: SIZE,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  await signUp(page)
  await arrange(page)
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER)
  for (const picture of PICTURES) await take(page, picture)
} finally {
  await browser.close()
  await installation.remove()
}
