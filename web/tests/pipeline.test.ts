import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { STEPS } from '../../schemas/domain/vocabulary.ts'
import { type EmbeddedInstallation, startInstallation } from '../../test/support/installation.ts'
import { REFUSED, type RefusingModel, startRefusingModel } from '../../test/support/models.ts'
import { type CreatedSource, createSignalSource } from '../../test/support/person.ts'
import { putSealedLetter } from '../../test/support/sealed-letter.ts'
import { sendSignal } from '../../test/support/sender.ts'
import { distinctText } from '../../test/support/texts.ts'
import { describeEveryState } from './every-state.ts'
import { describeInstallation } from './installation-story.ts'
import { comesWithin, type Visit, visitTo } from './visit.ts'

const PATH = '/app/pipeline'
/** At one a second, a replay that somebody has the time to cancel. */
const LETTERS = 12
const HOSTILE = '<img src=x onerror=alert(1)> why'

interface Jobs {
  readonly items: readonly { readonly kind: string; readonly state: string; readonly done: number }[]
}

describe('Pipeline', () => {
  let visit: Visit
  let installation: EmbeddedInstallation
  let model: RefusingModel
  let takeSealedLetterAway: () => Promise<void>
  let source: CreatedSource
  const refused: string[] = []

  before(async () => {
    model = await startRefusingModel()
    installation = await startInstallation({ EMBEDDINGS_URL: model.url, SIGN_UP: 'invited' })
    visit = await visitTo(installation)
    source = await createSignalSource(visit.person)
  })
  after(async () => {
    await visit?.end()
    model?.stop()
  })

  const send = async (signal: object): Promise<string> => {
    const { status, body } = await sendSignal(source, signal)
    assert.equal(status, 200, JSON.stringify(body))
    return String(body.snippet_id)
  }
  const counts = async () =>
    (await visit.person.call<{ counts: { signals: number; waiting_dead_letters: number } }>('orient_snapshot')).counts
  const waitingDeadLetters = (count: number) =>
    eventually(`${count} dead letters wait`, async () => (await counts()).waiting_dead_letters === count || null)
  const signals = (count: number) =>
    eventually(`there are ${count} signals`, async () => (await counts()).signals === count || null)
  const arrived = (id: string) =>
    eventually('it is there, as a signal or as the repeat of one', async () => {
      const { status } = await visit.person.call<{ status: string }>('trace_signal', { id })
      return status === 'inserted' || status === 'duplicate' || null
    })
  /** Themes are looked for by themselves, as signals come. */
  const jobs = async () =>
    (await visit.person.call<Jobs>('list_jobs')).items.filter(({ kind }) => kind !== 'find_themes')
  const row = (name: string | RegExp) => visit.page.getByRole('row', { name })
  const dialog = (name: string) => visit.page.getByRole('dialog', { name })

  it('says in each part what there would be, before anything has happened', async () => {
    const { page, go, checkAccess } = visit
    const empty = {
      '': 'Retries after',
      '/dead-letters': 'No dead letter waits',
      '/jobs': 'No job has run',
      '/signal': 'Find a signal',
      '/ledger': 'balanced',
    }
    for (const [part, says] of Object.entries(empty)) {
      await go(`${PATH}${part}`)
      await page.locator('main').getByText(says).first().waitFor()
      await checkAccess()
    }
  })

  it('shows what each step does while signals go through', async () => {
    const { page, open } = visit
    for (let number = 0; number < 3; number += 1) await send({ text: distinctText(number) })
    await signals(3)
    await open(PATH)
    for (const step of STEPS) await row(new RegExp(`^${step} working .* / min`)).waitFor()
    await page.getByLabel('Lane').getByText('Bulk').click()
    await row(/^validate idle/).waitFor()
    assert.match(page.url(), /lane=bulk/)
  })

  it('shows one signal’s way through all nine steps', async () => {
    const { page, open, checkAccess, screenshot } = visit
    await open(`${PATH}/signal`)
    await page.getByRole('textbox', { name: 'Signal' }).fill('SIG-1')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'SIG-1' }).waitFor()
    await eventually('its last step has reached the analytics', async () => {
      await page.reload()
      await page.getByRole('table', { name: 'Steps of the signal' }).waitFor()
      return (await page.getByText('not run').count()) === 0 || null
    })
    for (const step of ['validate', 'cluster']) await row(new RegExp(`^${step} passed .* 1 `)).waitFor()
    await checkAccess()
    await screenshot('pipeline-signal')
  })

  it('says that there is no such signal', async () => {
    const { page, go, expectStatus } = visit
    expectStatus(404)
    await go(`${PATH}/signal?id=SIG-999`)
    await page.getByRole('alert').filter({ hasText: 'No signal of this workspace' }).waitFor()
  })

  it('holds a step still by keyboard alone, and what comes waits until it is resumed', async () => {
    const { page, open, checkAccess, screenshot, person } = visit
    await open(PATH)
    await page.getByRole('button', { name: 'Pause dedup' }).focus()
    await page.keyboard.press('Enter')
    const asked = dialog('Pause dedup?')
    await asked.getByText('anchor, dedup, classify, insert run together: all').waitFor()
    await visit.type(HOSTILE)
    await checkAccess()
    await screenshot('pipeline-pausing')
    await asked.getByRole('button', { name: 'Pause dedup' }).press('Enter')
    await row(/^dedup paused/).waitFor()
    await row(/^insert stands still/).waitFor()
    await page.getByText(HOSTILE).waitFor()
    assert.equal(await page.locator('main img').count(), 0)
    await eventually('the processors have seen it', async () => {
      const { steps } = await person.call<{
        steps: { step: string; lanes: { waiting: { state: string } | null }[] }[]
      }>('watch_pipeline')
      return steps.find(({ step }) => step === 'anchor')?.lanes[0]?.waiting?.state === 'paused' || null
    })
    await send({ text: distinctText(10) })
    await row(/^anchor stands still .* 1 /).waitFor()
    await screenshot('pipeline-paused')
    assert.equal((await counts()).signals, 3)
    await page.getByRole('button', { name: 'Resume dedup' }).click()
    await signals(4)
    await row(/^dedup (working|idle)/).waitFor()
  })

  it('says when somebody else has paused the step already', async () => {
    const { page, open, expectStatus, person } = visit
    await open(PATH)
    await page.getByRole('button', { name: 'Pause cluster' }).click()
    await person.call('pause_step', { step: 'cluster', reason: 'The judge is changed.' })
    expectStatus(409)
    await page.getByLabel('Why').fill('Me too.')
    await dialog('Pause cluster?').getByRole('button', { name: 'Pause cluster' }).click()
    await dialog('Pause cluster?').getByRole('alert').filter({ hasText: 'The judge is changed.' }).waitFor()
    await person.call('resume_step', { step: 'cluster' })
  })

  it('counts dead letters in the navigation of a page that reads nothing again by the clock', async () => {
    const { page, open } = visit
    const polling = await page.addInitScript('setInterval = () => 0')
    await open('/app/strategy')
    // What comes first may be counted by a page that is still opening.
    for (const number of [1, 2]) {
      refused.push(await send({ text: `${REFUSED}: ${distinctText(500 - number)}` }))
      await page.getByTitle(`${number} dead letters`, { exact: true }).waitFor()
    }
    await polling.dispose()
  })

  it('groups dead letters by their reason', async () => {
    const { page, open, screenshot, checkAccess } = visit
    for (let number = refused.length; number < LETTERS; number += 1)
      refused.push(await send({ text: `${REFUSED}: ${distinctText(500 + number)} Write to somebody@example.com.` }))
    takeSealedLetterAway = await putSealedLetter(installation, source.id)
    await waitingDeadLetters(LETTERS + 1)
    await open(`${PATH}/dead-letters`)
    await row(new RegExp(` embed .* ${LETTERS} `)).waitFor()
    await row(/ normalize the sender’s 1 /).waitFor()
    await row(/ embed /)
      .getByRole('button', { expanded: false })
      .first()
      .click()
    await page
      .getByRole('list', { name: 'Dead letters' })
      .getByRole('button')
      .nth(LETTERS - 1)
      .waitFor()
    await checkAccess()
    await screenshot('pipeline-dead-letters')
  })

  it('shows a letter’s payload as it was scrubbed, and of a sealed one its metadata alone', async () => {
    const { page, screenshot, checkAccess } = visit
    await page.getByRole('list', { name: 'Dead letters' }).getByRole('button').first().click()
    const drawer = dialog('Dead letter')
    await drawer.locator('pre').filter({ hasText: REFUSED }).waitFor()
    await drawer.getByText('As the step embed received it, 1 EMAIL replaced').waitFor()
    await drawer.getByText('died', { exact: true }).waitFor()
    await checkAccess()
    await screenshot('pipeline-dead-letter')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await row(/ normalize /)
      .getByRole('button')
      .first()
      .click()
    await page.getByText('Sealed: it failed before').click()
    await drawer.getByText('Only a replay opens it').first().waitFor()
    assert.equal(await drawer.locator('pre').count(), 0)
    assert.ok(!(await page.content()).includes('somebody@example.com'))
    await page.keyboard.press('Escape')
  })

  it('says what a replay would do before it does it, and that not every letter can begin anywhere', async () => {
    const { page, go, screenshot } = visit
    await go(`${PATH}/dead-letters`)
    await page.getByRole('button', { name: 'Replay all…' }).click()
    const asked = dialog('Replay dead letters')
    await asked.getByText(`${LETTERS + 1} dead letters would go through the pipeline again`).waitFor()
    await asked.getByLabel('Start at step').click()
    await page.getByRole('option', { name: 'embed' }).click()
    await asked.getByText('1 dead letter cannot begin at embed').waitFor()
    await screenshot('pipeline-replay')
    await asked.getByRole('button', { name: 'Cancel' }).click()
    assert.deepEqual(await jobs(), [])
  })

  it('replays a group slowly, goes on while nobody looks, and is cancelled by name', async () => {
    const { page, go, screenshot, checkAccess } = visit
    await page.getByRole('button', { name: /^Replay… .* at embed/ }).click()
    await dialog('Replay dead letters').getByLabel('Rate limit, per second').fill('1')
    await dialog('Replay dead letters')
      .getByRole('button', { name: `Replay ${LETTERS} dead letters` })
      .click()
    await page.getByRole('progressbar', { name: 'Progress: Replay of dead letters' }).waitFor()
    await page.getByText('at most 1 a second').waitFor()
    await checkAccess()
    await screenshot('pipeline-jobs')
    await go('/app/settings/connect-agents')
    await page.getByRole('heading', { name: 'Connect agents' }).waitFor()
    await go(`${PATH}/jobs`)
    await page.getByRole('button', { name: 'Cancel: Replay of dead letters' }).click()
    await page.getByText('cancelled', { exact: true }).waitFor()
    await row(/cancelled by Product manager/).waitFor()
    const [job] = await jobs()
    assert.equal(job?.state, 'cancelled')
    assert.ok((job?.done ?? LETTERS) < LETTERS)
  })

  it('replays one letter and then the rest once the cause is mended, and they arrive', async () => {
    const { page, open, go } = visit
    model.remedy()
    // What the replay that was cancelled had begun may arrive now, but it was nowhere near the last one.
    const [last = ''] = refused.slice(-1)
    await go(`${PATH}/dead-letters?dead_letter=${last}&at=embed`)
    await dialog('Dead letter').getByRole('button', { name: 'Replay…' }).click()
    await page.getByRole('button', { name: 'Replay 1 dead letter' }).click()
    await arrived(last)
    await open(`${PATH}/dead-letters`)
    await page.getByRole('button', { name: /^Replay… .* at embed/ }).click()
    await page.getByRole('button', { name: /^Replay \d+ dead letters$/ }).click()
    for (const id of refused) await arrived(id)
    await waitingDeadLetters(1)
    await go(`${PATH}/dead-letters?dead_letter_state=replayed&dead_letter=${last}&at=embed`)
    await dialog('Dead letter').getByText('It was processed, as').waitFor()
  })

  it('gives letters up for a reason, and lists them as discarded by a Decision', async () => {
    const { page, go } = visit
    await go(`${PATH}/dead-letters`)
    await page.getByRole('button', { name: /^Discard… .* at normalize/ }).click()
    await page.getByLabel('Reason for discarding').fill('Nothing was written.')
    await dialog('Discard dead letters?').getByRole('button', { name: 'Discard' }).click()
    await page.getByText(/1 dead letter discarded \(DEC-\d+\)/).waitFor()
    await page.getByText('No dead letter waits').waitFor()
    await go(`${PATH}/dead-letters?dead_letter_state=discarded`)
    await row(/ normalize /).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Replay/ }).count(), 0)
  })

  it('starts work on everything again, after asking where that cannot be undone, and saying what would move', async () => {
    const { page, go } = visit
    await go(`${PATH}/jobs`)
    await page.getByRole('button', { name: 'Do again' }).click()
    await page.getByRole('menuitem', { name: 'Remove personal data again' }).click()
    await dialog('Remove personal data again?').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Do again' }).click()
    await page.getByRole('menuitem', { name: 'Place on the map again' }).click()
    const placing = dialog('Place signals on the map again?')
    await placing.getByText(/^Of the newest signals \(\d+\), so many would change their place: /).waitFor()
    await placing.getByRole('button', { name: 'Place them again' }).click()
    await row(/^Place on the map again done/).waitFor()
    assert.equal((await jobs()).length, 4)
  })

  it('counts every signal once, in both stores', async () => {
    const { page, go, checkAccess, screenshot } = visit
    await takeSealedLetterAway()
    await go(`${PATH}/ledger`)
    await eventually('the stores agree', async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      return (await page.locator('main').getByText('balanced', { exact: true }).count()) > 0 || null
    })
    await row(/^Dead 0 waiting, 0 replayed, 0 discarded 0 0$/).waitFor()
    await checkAccess()
    await screenshot('pipeline-ledger')
  })

  it('says on every screen that a model is away, and takes it back', async () => {
    const { page, open, screenshot, checkAccess } = visit
    model.setUnavailable(true)
    await send({ text: distinctText(900) })
    const banner = page.getByRole('status').filter({ hasText: 'The embedding model cannot be reached.' })
    await eventually('the banner is there', async () => {
      await open(PATH)
      // What is away is asked for with the first use of a page.
      await page.keyboard.press('Shift')
      return comesWithin(banner, 3000)
    })
    await row(/^embed waiting/).waitFor()
    await checkAccess()
    await screenshot('pipeline-away')
    model.setUnavailable(false)
    await eventually('the banner is gone', async () => {
      await open(PATH)
      await Promise.all([page.waitForResponse('**/api/app/inspect_dependencies'), page.keyboard.press('Shift')])
      await row(/^embed (working|idle)/).waitFor()
      return (await banner.count()) === 0 || null
    })
  })

  it('offers a viewer to look, and nothing else', async () => {
    const { page, open } = visit
    await visit.asViewer(async () => {
      await open(`${PATH}/jobs`)
      await row(/^Place on the map again/).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Do again' }).count(), 0)
      await open(`${PATH}/ledger`)
      await page.getByText('for the owners of the workspace; you are its viewer').waitFor()
    })
  })

  describeEveryState(() => visit, { screen: 'pipeline', path: PATH, reads: 'watch_pipeline', shows: 'normalize' })

  // Here, since it is an installation of its own, whose first person administers it.
  describeInstallation(() => visit)

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
