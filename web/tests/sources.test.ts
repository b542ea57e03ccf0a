import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { eventually } from '../../infra/runtime/testing.ts'
import { postMail } from '../../test/support/mail.ts'
import type { CreatedSource } from '../../test/support/person.ts'
import { post } from '../../test/support/sender.ts'
import { describeEveryState } from './every-state.ts'
import { comesWithin, startVisit, type Visit } from './visit.ts'

const PATH = '/app/settings/sources'

/** What a person chooses and fills in for each kind, and what the page then shows them. */
const KINDS = [
  {
    label: 'Signal webhook',
    name: 'Support desk',
    shows: ['URL', 'Secret'],
    examples: ['curl', 'Shell', 'Node.js', 'Python'],
  },
  {
    label: 'Metric webhook',
    name: 'Weekly active teams',
    shows: ['URL', 'Secret'],
    examples: ['curl', 'Node.js', 'Python'],
  },
  {
    label: 'Code host',
    name: 'Repository',
    host: 'Forgejo',
    shows: ['URL', 'Secret'],
    examples: ['curl', 'Shell', 'Node.js', 'Python'],
  },
  { label: 'E-mail', name: 'Forwarded mail', shows: ['Address'], examples: [] },
  {
    label: 'Connection',
    name: 'Survey tool',
    mapped: '/data/answer',
    shows: ['URL', 'Secret'],
    examples: ['curl', 'Shell', 'Node.js', 'Python'],
  },
] as const

/** An answer that a program gave, as its header says. */
const AUTOMATIC = [
  'From: Kim <kim@customer.example>',
  'Subject: Automatic reply: Your survey',
  'Message-ID: <away@customer.example>',
  'Auto-Submitted: auto-replied',
  '',
  'I am away until Monday. The survey itself fails in Firefox, by the way.',
  '',
].join('\r\n')

describe('Sources', () => {
  let visit: Visit
  const secrets: string[] = []
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  const dialog = (name: string): Locator => visit.page.getByRole('dialog', { name })
  const shown = async (within: Locator, label: string): Promise<string> =>
    (await within.locator(`pre[data-label="${label}"]`).textContent()) ?? ''
  const details = async (name: string): Promise<Locator> => {
    if ((await dialog(name).count()) === 0) await visit.page.getByRole('link', { name }).click()
    await dialog(name).waitFor()
    return dialog(name)
  }
  const close = async (name: string): Promise<void> => {
    await visit.page.keyboard.press('Escape')
    await dialog(name).waitFor({ state: 'detached' })
  }

  it('says what to do where nothing is connected', async () => {
    const { page, open, checkAccess } = visit
    await open(PATH)
    await page.getByText('No source yet').waitFor()
    await checkAccess()
  })

  for (const wanted of KINDS) {
    it(`creates a source of kind ${wanted.label}, and shows once what its senders need`, async () => {
      const { page, checkAccess, screenshot } = visit
      await page.keyboard.press('c')
      const form = dialog('Create a source')
      await form.getByRole('combobox', { name: 'Kind' }).click()
      await page.getByRole('option', { name: wanted.label }).click()
      if ('host' in wanted) {
        await form.getByRole('combobox', { name: 'Host' }).click()
        await page.getByRole('option', { name: wanted.host }).click()
      }
      await form.getByLabel('Name', { exact: true }).fill(wanted.name)
      if ('mapped' in wanted) {
        await form.getByRole('button', { name: 'Where a signal’s fields are' }).click()
        await form.getByLabel('text', { exact: true }).fill(wanted.mapped)
        await checkAccess()
        await screenshot('sources-connection-form')
      }
      await form.getByRole('button', { name: 'Create source' }).click()
      const created = dialog('Source created')
      await created.waitFor()
      for (const label of wanted.shows) assert.ok((await shown(created, label)).length > 0, label)
      assert.deepEqual(await created.getByRole('tab').allTextContents(), [...wanted.examples])
      for (const title of wanted.examples) {
        await created.getByRole('tab', { name: title }).click()
        assert.ok((await shown(created, `Example: ${title}`)).includes(await shown(created, 'URL')), title)
      }
      if (wanted.label !== 'E-mail') secrets.push(await shown(created, 'Secret'))
      if (wanted.label === 'Signal webhook') {
        await checkAccess()
        await screenshot('sources-created')
      }
      await created.getByRole('button', { name: wanted.label === 'E-mail' ? 'Done' : 'I have copied it' }).click()
      await page.getByRole('link', { name: wanted.name }).waitFor()
    })
  }

  it('begins with a kind that can be created, and says of the others why they cannot', async () => {
    const { page, checkAccess } = visit
    await page.keyboard.press('c')
    const form = dialog('Create a source')
    const kind = form.getByRole('combobox', { name: 'Kind' })
    assert.equal(await kind.inputValue(), 'Metric webhook')
    await kind.click()
    const refused = page.getByRole('option', { disabled: true })
    await refused.first().waitFor()
    assert.deepEqual(await refused.allTextContents(), [
      'Signal webhook: there is already one, and all senders share it',
      'E-mail: there is already one, and all senders share it',
    ])
    await checkAccess()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
  })

  it('after a reload shows every source and no secret', async () => {
    const { page, open } = visit
    await open(PATH)
    for (const { name } of KINDS) await page.getByRole('link', { name }).waitFor()
    const content = await page.content()
    assert.equal(secrets.length, 4)
    const entries = await page.evaluate<number>('history.length')
    for (const secret of secrets) assert.ok(!content.includes(secret))
    assert.match(await shown(await details('Forwarded mail'), 'Address'), /@in\.assay\.test$/)
    await close('Forwarded mail')
    await (await details('Survey tool')).getByText('/data/answer').waitFor()
    await page.goBack()
    await dialog('Survey tool').waitFor({ state: 'detached' })
    assert.ok(page.url().endsWith(PATH))
    // Closed by Escape, one left none either.
    assert.equal(await page.evaluate<number>('history.length'), entries + 1)
  })

  for (const { label, name } of KINDS.filter(({ label }) => label !== 'E-mail')) {
    it(`sends a test to a ${label}, and shows what was sent and what was answered`, async () => {
      const source = await details(name)
      if (label === 'Metric webhook') await source.getByLabel('Secret', { exact: true }).fill(secrets[1] ?? '')
      await source.getByRole('button', { name: 'Send a test' }).click()
      await source.getByText('Accepted: 200').waitFor()
      const sent = await shown(source, 'What was sent')
      assert.match(sent, /^POST \/api\/webhooks\/[a-z]+\/[0-9a-f-]{36}\n.*\n\n\{.*\}$/s)
      assert.equal(JSON.parse(await shown(source, 'What was answered')).ok, true)
      await close(name)
    })
  }

  it('shows the refusal that a sender with a wrong secret gets', async () => {
    const { expectStatus } = visit
    expectStatus(401)
    const metric = await details('Weekly active teams')
    await metric.getByLabel('Secret', { exact: true }).fill('0'.repeat(64))
    await metric.getByRole('button', { name: 'Send a test' }).click()
    await metric.getByText('Refused: 401').waitFor()
    assert.match(await shown(metric, 'What was answered'), /"detail"/)
    await close('Weekly active teams')
  })

  it('shows what was accepted over time, and what was refused and why', async () => {
    const { page, checkAccess, screenshot } = visit
    const row = page.getByRole('row', { name: /Weekly active teams/ })
    await row.getByText('secret differs').waitFor()
    assert.deepEqual((await row.getByRole('cell').allTextContents()).slice(2, 4), ['0', '1'], 'tests are not counted')
    const metric = await details('Weekly active teams')
    await metric.getByRole('figure', { name: '0 accepted, 1 refused' }).waitFor()
    await metric.getByText('1 × secret differs').waitFor()
    await checkAccess()
    await screenshot('sources-health')
    await metric.getByText('31 days').click()
    await metric.getByRole('figure', { name: '0 accepted, 1 refused' }).waitFor()
    await close('Weekly active teams')
  })

  it('pauses and resumes, and the list says so', async () => {
    const { page } = visit
    const source = await details('Survey tool')
    await source.getByRole('button', { name: 'Pause' }).click()
    await source.getByRole('button', { name: 'Resume' }).waitFor()
    await page.getByRole('row', { name: /Survey tool.*paused/ }).waitFor({ state: 'attached' })
    await source.getByRole('button', { name: 'Resume' }).click()
    await source.getByRole('button', { name: 'Pause' }).waitFor()
    await close('Survey tool')
  })

  it('says that somebody else changed a source meanwhile', async () => {
    const { person, expectStatus, hold, page } = visit
    expectStatus(409)
    const source = await details('Survey tool')
    const release = await hold('list_sources')
    const { items } = await person.call<{ items: { id: string; name: string }[] }>('list_sources')
    const id = items.find(({ name }) => name === 'Survey tool')?.id
    await person.call('update_source', { id, paused: false, name: 'Survey tool' })
    await source.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('alert').filter({ hasText: 'That did not work' }).waitFor()
    await release()
    await close('Survey tool')
  })

  it('rotates a secret by keyboard alone, and says until when the one before it is valid', async () => {
    const { page } = visit
    const rotate = (await details('Support desk')).getByRole('button', { name: 'Rotate secret' })
    await rotate.focus()
    await page.keyboard.press('Enter')
    const question = dialog('Rotate the secret?')
    await question.waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const rotated = dialog('Secret rotated')
    await rotated.getByText('stays valid until').waitFor()
    assert.match(await shown(rotated, 'Secret'), /^[0-9a-f]{64}$/)
    assert.ok(!secrets.includes(await shown(rotated, 'Secret')))
    await rotated.getByRole('button', { name: 'I have copied it' }).click()
    await (await details('Support desk')).getByText('is accepted until').waitFor()
    await close('Support desk')
  })

  it('makes a signal of a mail that a program wrote, at one click, and shows it', async () => {
    const { person, page, installation, open, go, checkAccess, screenshot } = visit
    const { items } = await person.call<{ items: CreatedSource[] }>('list_sources')
    const mailbox = items.find(({ address }) => address !== null && address !== undefined)
    assert.ok(mailbox)
    const { status, body } = await postMail(installation.baseUrl, mailbox, Buffer.from(AUTOMATIC))
    assert.equal(status, 200)
    const id = String(body.snippet_id)
    const kept = dialog('Forwarded mail').getByRole('region', { name: 'Automatic mail' })
    await eventually('it is seen at its source', async () => {
      await open(PATH)
      await details('Forwarded mail')
      return (await comesWithin(kept, 5_000)) || null
    })
    await kept.getByText('1 × Automatic reply').waitFor()
    await kept.getByText('Automatic reply: Your survey').waitFor()
    const state = async () => (await person.call<{ status: string }>('lookup_signal', { id })).status
    assert.notEqual(await state(), 'inserted')
    await checkAccess()
    await screenshot('sources-automatic-mail')
    await kept.getByRole('button', { name: 'Make it a signal' }).click()
    await page.getByText('It goes through the pipeline as a signal.').waitFor()
    await eventually('it is a signal', async () => (await state()) === 'inserted' || null)
    await go(`/app/signals/${id}`)
    await page.getByRole('blockquote').getByText('The survey itself fails in Firefox').waitFor()
    await open(PATH)
  })

  it('replaces the ingestion address', async () => {
    const before = await shown(await details('Forwarded mail'), 'Address')
    await dialog('Forwarded mail').getByRole('button', { name: 'Replace address' }).click()
    await dialog('Replace the address?').getByRole('button', { name: 'Replace address' }).click()
    const replaced = dialog('Address replaced')
    await replaced.waitFor()
    assert.notEqual(await shown(replaced, 'Address'), before)
    await replaced.getByRole('button', { name: 'Done' }).click()
  })

  it('shows hostile names as text', async () => {
    const { person, page, open } = visit
    await person.call('create_source', { kind: 'metric', name: '<img src=x onerror=alert(1)> metric' })
    await open(PATH)
    await page.getByRole('link', { name: /^<img src/ }).click()
    await page.getByRole('button', { name: 'Delete source' }).waitFor()
    assert.equal(await page.locator('main img').count(), 0)
    await page.keyboard.press('Escape')
  })

  it('deletes a source after asking, and its senders are refused', async () => {
    const { person, page } = visit
    const doomed = await person.call<CreatedSource>('create_source', { kind: 'metric', name: 'Doomed' })
    await page.getByRole('link', { name: 'Doomed' }).click()
    await dialog('Doomed').getByRole('button', { name: 'Delete source' }).click()
    await dialog('Delete this source?').getByRole('button', { name: 'Delete source' }).click()
    await page.getByRole('link', { name: 'Doomed' }).waitFor({ state: 'detached' })
    for (let tries = 0; tries < 60; tries += 1) {
      if ((await post(doomed.url, '{}')).status === 404) return
      await page.waitForTimeout(250)
    }
    assert.fail('The endpoint went on.')
  })

  describeEveryState(() => visit, { screen: 'sources', path: PATH, reads: 'list_sources', shows: 'Survey tool' })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
