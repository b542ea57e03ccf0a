import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type Installation, startInstallation } from '../support/installation.ts'

/** Where screenshots are kept for people to look at; absent, none are made. */
const SCREENS = process.env.SCREENS_DIR

/** What a person chooses and fills in for each kind, and what the page then shows them. */
const KINDS = [
  { kind: 'signal', name: 'Support desk', shows: ['URL', 'Secret', 'curl', 'openssl', 'node', 'python'] },
  { kind: 'metric', name: 'Weekly active teams', shows: ['URL', 'Secret', 'curl'] },
  { kind: 'code_host', name: 'Repository', host: 'forgejo', shows: ['URL', 'Secret', 'curl', 'openssl'] },
  { kind: 'email', name: 'Forwarded mail', shows: ['Address'] },
  { kind: 'connection', name: 'Survey tool', mapped: '/data/answer', shows: ['URL', 'Secret', 'openssl', 'node'] },
] as const

describe('Settings → Sources in a browser', () => {
  let installation: Installation
  let browser: Browser
  let page: Page
  const faults: string[] = []
  const secrets: string[] = []

  before(async () => {
    installation = await startInstallation({ INGEST_MAIL_DOMAIN: 'in.assay.test' })
    browser = await launchBrowser()
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('dialog', dialog => dialog.accept())
    await page.goto(`${installation.baseUrl}/sign-up`)
    await page.getByLabel('Name').fill('Product manager')
    await page.getByLabel('E-mail').fill('sources@example.com')
    await page.getByLabel('Password').fill('a long enough password')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.waitForURL('**/app')
    await page.goto(`${installation.baseUrl}/app/settings/sources`)
  })
  after(async () => {
    await browser?.close()
    await installation?.remove()
  })

  const screenshot = async (name: string): Promise<void> => {
    if (SCREENS !== undefined) await page.screenshot({ path: `${SCREENS}/${name}.png`, fullPage: true })
  }
  const once = (): Locator => page.locator('#created section')
  const card = (name: string): Locator => page.locator('#sources').getByRole('region', { name })
  const shown = async (within: Locator, label: string): Promise<string> =>
    (await within.locator(`pre[data-label="${label}"]`).textContent()) ?? ''

  for (const wanted of KINDS) {
    it(`${wanted.kind}: is created, with what its senders need`, async () => {
      await page.locator('select[name=kind]').selectOption(wanted.kind)
      await page.getByLabel('Name', { exact: true }).fill(wanted.name)
      if ('host' in wanted) await page.locator('select[name=code_host]').selectOption(wanted.host)
      if ('mapped' in wanted) {
        await page.locator('summary', { hasText: 'Where a signal’s fields are' }).click()
        await page.getByLabel('text', { exact: true }).fill(wanted.mapped)
        await screenshot('sources-connection-form')
      }
      await page.getByRole('button', { name: 'Create source' }).click()
      await card(wanted.name).waitFor()
      assert.match((await once().textContent()) ?? '', /^Source created/)
      const labels = await once()
        .locator('pre[data-label]')
        .evaluateAll(blocks => blocks.map(block => block.getAttribute('data-label')))
      assert.deepEqual(labels, wanted.shows)
      if (wanted.kind !== 'email') secrets.push(await shown(once(), 'Secret'))
      await screenshot(`sources-${wanted.kind}-created`)
    })
  }

  it('refuses a second signal webhook in words, and keeps what was filled in', async () => {
    await page.locator('select[name=kind]').selectOption('signal')
    await page.getByLabel('Name', { exact: true }).fill('Another desk')
    await page.getByRole('button', { name: 'Create source' }).click()
    await page.getByRole('alert').filter({ hasText: 'has its signal webhook already' }).waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Another desk')
    // The browser logs every refused request; this one was meant.
    const logged = faults.splice(0)
    assert.ok(
      logged.every(fault => fault.includes('409')),
      logged.join('\n'),
    )
  })

  it('after a reload shows every source and no secret', async () => {
    await page.reload()
    for (const { name } of KINDS) await card(name).waitFor()
    const content = await page.content()
    assert.equal(secrets.length, 4)
    for (const secret of secrets) assert.ok(!content.includes(secret))
    assert.match(await shown(card('Forwarded mail'), 'Address'), /@in\.assay\.test$/)
    assert.match((await card('Survey tool').textContent()) ?? '', /Mapping: \{"text":"\/data\/answer"\}/)
    await screenshot('sources-list')
  })

  for (const { kind, name } of KINDS.filter(each => each.kind !== 'email')) {
    it(`${kind}: sends a test, and shows what was sent and what was answered`, async () => {
      if (kind === 'metric')
        await card(name)
          .getByLabel('Secret')
          .fill(secrets[1] ?? '')
      await card(name).getByRole('button', { name: 'Send a test' }).click()
      await card(name).getByText('Accepted: 200').waitFor()
      assert.match(
        await shown(card(name), 'What was sent'),
        /^POST \/api\/webhooks\/[a-z]+\/[0-9a-f-]{36}\n.*\n\n\{.*\}$/s,
      )
      assert.equal(JSON.parse(await shown(card(name), 'What was answered')).ok, true)
      await screenshot(`sources-${kind}-tested`)
    })
  }

  it('metric: a wrong secret shows the refusal that its sender gets', async () => {
    const metric = card('Weekly active teams')
    await metric.getByLabel('Secret').fill('0'.repeat(64))
    await metric.getByRole('button', { name: 'Send a test' }).click()
    await metric.getByText('Refused: 401').waitFor()
    assert.match(await shown(metric, 'What was answered'), /"detail"/)
    const logged = faults.splice(0)
    assert.ok(
      logged.every(fault => fault.includes('401')),
      logged.join('\n'),
    )
  })

  it('shows what was accepted, and what was refused and why', async () => {
    const metric = card('Weekly active teams')
    for (let attempt = 0; ; attempt += 1) {
      await page.reload()
      await metric.waitFor()
      if (/1 accepted, 1 refused/.test((await metric.textContent()) ?? '')) break
      assert.ok(attempt < 60, `The figures did not come: ${await metric.textContent()}`)
      await page.waitForTimeout(500)
    }
    assert.equal(await metric.locator('.refusals li').count(), 1)
    await metric.getByText('Health by the hour').click()
    await metric.getByRole('columnheader', { name: 'Accepted' }).waitFor()
    await screenshot('sources-health')
  })

  it('rotates a secret by keyboard alone, and says until when the one before it is valid', async () => {
    const rotate = card('Support desk').getByRole('button', { name: 'Rotate secret' })
    await rotate.focus()
    await page.keyboard.press('Enter')
    await once().getByText('stays valid until').waitFor()
    const rotated = await shown(once(), 'Secret')
    assert.match(rotated, /^[0-9a-f]{64}$/)
    assert.ok(!secrets.includes(rotated))
    await card('Support desk').getByText('is accepted until').waitFor()
    assert.equal(await once().evaluate(section => section.matches(':focus')), true)
    await screenshot('sources-rotated')
  })

  it('replaces the ingestion address', async () => {
    const before = await shown(card('Forwarded mail'), 'Address')
    await card('Forwarded mail').getByRole('button', { name: 'Replace address' }).click()
    await once().getByText('Address replaced').waitFor()
    const replaced = await shown(once(), 'Address')
    assert.notEqual(replaced, before)
    await page.locator('#sources').getByText(replaced).waitFor()
  })

  it('can be read on a narrow screen, without scrolling sideways', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    await screenshot('sources-narrow')
    assert.ok(overflow <= 0, `${overflow} pixels too wide`)
    await page.setViewportSize({ width: 1200, height: 900 })
  })

  for (const { kind, name } of KINDS) {
    it(`${kind}: is deleted`, async () => {
      await card(name).getByRole('button', { name: 'Delete source' }).click()
      await card(name).waitFor({ state: 'detached' })
    })
  }

  it('is empty again, and nothing went wrong in the page', async () => {
    await page.getByText('None yet.').waitFor()
    assert.deepEqual(faults, [])
  })
})
