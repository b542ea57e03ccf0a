import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { postMail } from '../../../test/support/mail.ts'
import type { CreatedSource } from '../../../test/support/person.ts'
import { describeEveryState } from '../every-state.ts'
import { MARKUP, QUESTION } from '../merges-story.ts'
import { actsOf, type Story } from './acts.ts'

const MAIL = `From: Ana <ana@example.com>
Subject: How do I archive a board?
Message-ID: <archive@example.com>
Content-Type: text/plain; charset=utf-8

How do I archive a board that nobody uses?

On Tue, 4 Mar 2025 at 10:12, The Desk <desk@example.org> wrote:

> Which of the boards is it?

--\u0020
Ana, Example Ltd.
`

/** A signal of the story, and the Decisions that were made of all of it. */
export const describeSignalsAndDecisions = (story: () => Story): void => {
  const { visit, says, undo } = actsOf(story)

  describe('A signal', () => {
    it('shows the words first, whose they are and where they were said, and hostile text as text', async () => {
      const { page, open } = visit()
      await open(`/app/signals/${story().signals[MARKUP]}`)
      await page.getByRole('blockquote').getByText(MARKUP).waitFor()
      const title = await page.title()
      assert.ok(title.startsWith(`${story().signals[MARKUP]} `) && title.endsWith('· Assay'), title)
      assert.equal(await page.locator('main script, main img, main b, main i').count(), 0)
      const said = page.getByRole('figure').getByRole('link', { name: 'desk.example.com' })
      assert.equal(await said.getAttribute('href'), 'https://desk.example.com/7')
      await page.locator('main summary').first().waitFor()
      const heights = await page.evaluate<number[]>(
        `['blockquote', 'summary'].map(part => document.querySelector('main ' + part).getBoundingClientRect().top)`,
      )
      assert.ok((heights[0] ?? 0) < (heights[1] ?? 0), 'the pipeline comes last')
    })

    it('says in one line where it stands in the pipeline, and unfolds its way through the nine steps', async () => {
      const { page, checkAccess, screenshot } = visit()
      await eventually('its activity is there', async () => {
        await page.reload()
        await page.getByText('Went through all steps').click()
        const ended = page.getByRole('cell', { name: 'cluster', exact: true })
        await ended.or(page.getByText('There is no activity to show')).first().waitFor()
        return (await ended.count()) > 0 || null
      })
      await checkAccess()
      await screenshot('signal-way')
    })

    it('is placed at a node of the map by key, the likeliest first, and goes back by undo', async () => {
      const { page, person, open, checkAccess } = visit()
      const reference = story().signals[MARKUP] ?? ''
      const nodeOf = async () =>
        (await person.call<{ signal: { node: { name: string } | null } }>('lookup_signal', { id: reference })).signal
          .node
      for (const name of ['Scripts in messages', 'Invoices']) await person.call('add_map_node', { name })
      const before = await nodeOf()
      await open(`/app/signals/${reference}`)
      await page
        .getByRole('button', { name: 'Accept' })
        .or(page.getByRole('button', { name: 'Dismiss' }))
        .first()
        .waitFor()
      await page.keyboard.press('m')
      const dialog = page.getByRole('dialog', { name: `${reference} belongs to` })
      await visit().type('Invo')
      await dialog.getByRole('button', { name: 'Invoices' }).waitFor()
      await checkAccess()
      await dialog.getByRole('button', { name: 'Invoices' }).click()
      await says(`${reference} is now at Invoices`)
      await page.getByRole('definition').getByText('Invoices').waitFor()
      assert.equal((await nodeOf())?.name, 'Invoices')
      await undo(async () => (await nodeOf())?.name === before?.name)
    })

    it('folds what else stands in a mail, each part under its name, and unfolds it by the keyboard', async () => {
      const { page, person, installation, go, checkAccess, screenshot } = visit()
      const source = await person.call<CreatedSource>('create_source', { kind: 'email', name: 'Forwarded mail' })
      const { status, body } = await postMail(installation.baseUrl, source, Buffer.from(MAIL.replaceAll('\n', '\r\n')))
      assert.equal(status, 200)
      const id = String(body.snippet_id)
      await eventually('the mail came in', async () => {
        const found = await person.call<{ status: string }>('lookup_signal', { id }).catch(() => null)
        return found?.status === 'inserted' || null
      })
      await go(`/app/signals/${id}`)
      const cuts = page.getByRole('region', { name: 'Also in the mail' })
      const said = cuts.getByText('Which of the boards is it?')
      await cuts.getByText('Signature').waitFor()
      assert.equal(await said.isVisible(), false)
      await cuts.locator('summary').filter({ hasText: 'Quoted from earlier mails' }).focus()
      await page.keyboard.press('Enter')
      await said.waitFor()
      await checkAccess()
      await screenshot('signal-mail')
    })

    it('is promoted, and taken back, from where it is read', async () => {
      const { page, open } = visit()
      await open(`/app/signals/${story().signals[QUESTION]}`)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'to a problem of its own' }).click()
      await page.getByRole('link', { name: /^CLM-/ }).first().waitFor()
      await undo(() => page.getByText('No claim.').isVisible())
    })

    it('shows who repeated it; what is no repeat becomes a signal of its own, and is undone', async () => {
      const { page, person, open } = visit()
      const original = story().signals[QUESTION] ?? ''
      const said = { text: QUESTION, actor_name: 'Somebody else', source_url: 'https://desk.example.com/8' }
      const { snippet_id: id } = await person.call<{ snippet_id: string }>('capture_signal', said)
      const becomes = (wanted: string) =>
        eventually(`it is ${wanted}`, async () => {
          const found = await person.call<{ status: string }>('lookup_signal', { id }).catch(() => null)
          return found?.status === wanted || null
        })
      await becomes('duplicate')
      await open(`/app/signals/${original}`)
      const repeats = page.getByRole('region', { name: `Repeats of ${original}` })
      await repeats.getByText('Somebody else').waitFor()
      await repeats.getByRole('link', { name: 'desk.example.com' }).waitFor()
      await repeats.getByRole('button', { name: 'Not a repeat: Somebody else' }).click()
      await says(/is being made a separate signal/)
      await becomes('inserted')
      await page.getByRole('button', { name: 'Undo' }).first().click()
      await becomes('duplicate')
      await repeats.getByText('Somebody else').waitFor()
    })

    describeEveryState(visit, {
      screen: 'signal',
      path: '/app/signals/SIG-1',
      reads: 'lookup_signal',
      shows: 'Where it came from',
    })
  })

  describe('Decisions', () => {
    describeEveryState(visit, {
      screen: 'decisions',
      path: '/app/decisions?show=all',
      reads: 'list_decisions',
      shows: 'in the app',
    })

    it('shows no routine ones unless asked, finds others by their words, and keeps both out of the palette', async () => {
      const { page, person, open, checkAccess, screenshot } = visit()
      const signal = story().signals[QUESTION]
      const words = 'Zebra crossing: we go on with the exports.'
      await person.call('log_decision', { statement: words })
      const { decision } = await person.call<{ decision: { reference: string } }>('triage', {
        action: 'dismiss',
        signal_id: signal,
        comment: 'Zebra stripes are no signal.',
      })
      await open('/app/decisions')
      const list = page.getByRole('main').getByRole('list')
      const routine = list.getByText('Zebra stripes')
      await list.getByText(words).waitFor()
      assert.equal(await routine.count(), 0)
      await page.getByRole('searchbox', { name: 'Search Decisions' }).fill('zebra')
      await page.getByText('1 Decision. 1 routine ones are not shown.').waitFor()
      await page.getByRole('switch', { name: 'Routine ones too' }).click()
      await routine.waitFor()
      await page.getByText('2 Decisions.').waitFor()
      await checkAccess()
      await screenshot('decisions-searched')
      await page.reload()
      await routine.waitFor()
      assert.equal(await page.getByRole('switch', { name: 'Routine ones too' }).isChecked(), true)
      const command = page.getByRole('combobox', { name: 'Command' })
      await page.keyboard.press('Control+k')
      await command.fill('zebra')
      await page.getByRole('option', { name: /Zebra crossing/ }).waitFor()
      assert.equal(await page.getByRole('option', { name: /Zebra stripes/ }).count(), 0)
      await command.fill(decision.reference)
      await page.getByRole('option', { name: /Zebra stripes/ }).waitFor()
      await page.keyboard.press('Escape')
      await person.call('triage', { action: 'undo', signal_id: signal })
    })

    it('shows what one changed, and takes it back as a Decision of its own', async () => {
      const { page, person, go } = visit()
      const id = story().signals[QUESTION]
      const { decision } = await person.call<{ decision: { reference: string } }>('triage', {
        action: 'dismiss',
        signal_id: id,
      })
      await go(`/app/decisions/${decision.reference}`)
      await page
        .getByRole('list', { name: 'Changes' })
        .getByText(id ?? '')
        .waitFor()
      await page.getByRole('button', { name: 'Reverse' }).click()
      await says(/It was reversed, by DEC-\d+/)
      const { signal } = await person.call<{ signal: { state: string } }>('lookup_signal', { id })
      assert.equal(signal.state, 'triage')
    })

    describeEveryState(visit, {
      screen: 'decision',
      path: '/app/decisions/DEC-1',
      reads: 'lookup_decision',
      shows: 'What it changed',
    })
  })
}
