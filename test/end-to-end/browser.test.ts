import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { connectAgent } from '../support/agent.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Installation, startInstallation } from '../support/installation.ts'

/** Where screenshots are kept for people to look at; absent, none are made. */
const SCREENS = process.env.SCREENS_DIR

describe('A person in a browser', () => {
  let installation: Installation
  let browser: Browser
  let page: Page
  const faults: string[] = []

  before(async () => {
    installation = await startInstallation()
    browser = await launchBrowser()
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') faults.push(message.text())
    })
  })
  after(async () => {
    await browser?.close()
    await installation?.remove()
  })

  const screenshot = async (name: string): Promise<void> => {
    if (SCREENS !== undefined) await page.screenshot({ path: `${SCREENS}/${name}.png`, fullPage: true })
  }
  const shown = async (label: string): Promise<string> =>
    (await page.locator(`pre[data-label="${label}"]`).first().textContent()) ?? ''

  it('signs up and gets a workspace', async () => {
    await page.goto(`${installation.baseUrl}/sign-up`)
    await page.getByLabel('Name').fill('Product manager')
    await page.getByLabel('E-mail').fill('browser@example.com')
    await page.getByLabel('Password').fill('a long enough password')
    await screenshot('sign-up')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.waitForURL('**/app')
    await page.getByText('Create a source').first().waitFor()
    await screenshot('signals-empty')
  })

  it('creates a signal source whose curl works as it is shown', async () => {
    await page.getByRole('link', { name: 'Settings → Sources' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Support desk')
    await page.getByRole('button', { name: 'Create source' }).click()
    await page.getByText('Source created').waitFor()
    await screenshot('sources-created')
    for (const example of ['curl', 'openssl']) {
      const { stdout } = await promisify(execFile)('bash', ['-c', await shown(example)])
      assert.equal(JSON.parse(stdout).ok, true, stdout)
    }
  })

  it('creates a key that an agent connects with, and never sees it again', async () => {
    await page.getByRole('link', { name: 'Connect agents' }).click()
    await page.getByLabel('Label').fill('Planning agent')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Key created').waitFor()
    await screenshot('connect-agents-created')
    const configuration = JSON.parse(await shown('Client configuration'))
    const { url, headers } = configuration.mcpServers.assay
    assert.equal(url, `${installation.baseUrl}/api/mcp`)
    const agent = await connectAgent(installation.baseUrl, headers.Authorization.replace('Bearer ', ''))
    await agent.call('service_orient', { mode: 'snapshot' })
    await agent.close()

    await page.reload()
    await page.getByText('Planning agent').waitFor()
    assert.ok(!(await page.content()).includes('service_mcp_'))
  })

  it('shows the signal that arrived', async () => {
    await page.getByRole('link', { name: 'Signals' }).click()
    await page.locator('#signals tr').first().waitFor()
    assert.match((await page.locator('#signals').textContent()) ?? '', /SIG-1/)
    await screenshot('signals')
  })

  it('shows what a sender wrote as text, whatever it is', async () => {
    await page.evaluate(async () => {
      await fetch('/api/app/capture_signal', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: '<img src=x onerror="document.title=1"> hostile markup is only text' }),
      })
    })
    const row = page.locator('#signals tr', { hasText: 'hostile markup' })
    await row.waitFor({ timeout: 15_000 })
    assert.equal(await row.locator('img').count(), 0)
  })

  it('says what is wrong with a password that does not fit', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    await page.getByLabel('E-mail').fill('browser@example.com')
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /password/i })
      .waitFor()
    assert.deepEqual(
      faults.filter(fault => !fault.includes('401')),
      [],
    )
  })
})
