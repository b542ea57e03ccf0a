import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connectAgent } from '../../test/support/agent.ts'
import { describeEveryState } from './every-state.ts'
import { startVisit, type Visit } from './visit.ts'

const PATH = '/app/settings/connect-agents'
const HOSTILE = '<img src=x onerror=alert(1)> agent'

describe('Connect agents', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  const shown = async (label: string): Promise<string> =>
    (await visit.page.locator(`pre[data-label="${label}"]`).textContent()) ?? ''

  it('says what to do where no agent is connected', async () => {
    const { page, open, checkAccess } = visit
    await open(PATH)
    await page.getByText('No agent is connected yet').waitFor()
    await checkAccess()
  })

  it('creates a key by keyboard alone, shows it once, and an agent connects with what each client is told', async () => {
    const { page, installation, checkAccess, screenshot } = visit
    await page.keyboard.press('c')
    await visit.type('Planning agent')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Key created' }).waitFor()
    const key = await shown('Key')
    assert.match(key, /^service_mcp_[0-9a-f]{32}$/)
    await checkAccess()
    await screenshot('connect-agents-created')
    await page.getByRole('tab', { name: 'Other' }).click()
    const { url, headers } = JSON.parse(await shown('Client configuration')).mcpServers.assay
    assert.deepEqual([url, headers.Authorization], [`${installation.baseUrl}/api/mcp`, `Bearer ${key}`])
    await page.getByText('Waiting for its first call').waitFor()
    const agent = await connectAgent(installation.baseUrl, key)
    await agent.call('service_orient', { mode: 'snapshot' })
    await agent.close()
    // Without being asked: here, and in the table.
    await page.getByText('An agent is connected').waitFor()
    await page
      .getByRole('row', { name: /Planning agent/ })
      .getByText('never')
      .waitFor({ state: 'detached' })
    for (const client of ['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code', 'Codex', 'curl']) {
      await page.getByRole('tab', { name: client }).click()
      const told = await page.getByRole('tabpanel', { name: client }).locator('pre').textContent()
      assert.ok(told?.includes(url), client)
    }
    await page.reload()
    await page.getByRole('cell', { name: 'Planning agent', exact: true }).waitFor()
    assert.ok(!(await page.content()).includes(key))
  })

  it('shows when a key was last used and what its calls cost', async () => {
    const { page, open } = visit
    const row = page.getByRole('row', { name: /Planning agent/ })
    // The activity of a call reaches the analytics a moment later.
    for (let tries = 0; tries < 30; tries += 1) {
      await open(PATH)
      await row.waitFor()
      const cells = await row.getByRole('cell').allTextContents()
      if (cells[3] !== 'never' && Number(cells[4]) > 0) return
      await page.waitForTimeout(500)
    }
    assert.fail('No call was counted.')
  })

  it('refuses a label of blanks in the service’s own words', async () => {
    const { page, open, expectStatus } = visit
    await open(PATH)
    expectStatus(422)
    await page.getByLabel('Label').fill('   ')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /Label must/ })
      .waitFor()
  })

  it('shows a hostile label as text', async () => {
    const { page, person, open } = visit
    await person.call('create_key', { label: HOSTILE })
    await open(PATH)
    await page.getByText(HOSTILE).waitFor()
    assert.equal(await page.locator('main img').count(), 0)
  })

  describeEveryState(() => visit, { screen: 'connect-agents', path: PATH, reads: 'list_keys', shows: 'Planning agent' })

  it('deletes a key after asking, and says why when it cannot', async () => {
    const { page, open, fail, checkAccess } = visit
    await open(PATH)
    await page.getByRole('button', { name: 'Delete Planning agent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this key?' })
    await dialog.waitFor()
    await checkAccess()
    const remedy = await fail('delete_key')
    await dialog.getByRole('button', { name: 'Delete key' }).click()
    await dialog.getByRole('alert').waitFor()
    await remedy()
    await dialog.getByRole('button', { name: 'Delete key' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Planning agent', exact: true }).waitFor({ state: 'detached' })
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
