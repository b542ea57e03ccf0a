import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { distinctText } from '../../support/texts.ts'
import { REFUSED, standing, type Visit } from './visit.ts'

/** At one a second, a replay that somebody has the time to cancel. */
const LETTERS = 20
/** Nothing is left of this text when it is normalized: it dies before it is scrubbed. */
const EMPTY = '\u0000'

interface Pipeline {
  readonly count: number
  readonly groups: readonly { readonly step: string; readonly letters: number; readonly most_deaths: number }[]
}
interface Jobs {
  readonly items: readonly { readonly state: string; readonly done: number; readonly total: number }[]
}

export const describePipeline = (visit: () => Visit): void => {
  describe('Pipeline', () => {
    const sent: string[] = []
    const pipeline = async (): Promise<Pipeline> =>
      (await visit().agent.call<Pipeline>('service_support', { mode: 'pipeline' })).data
    const jobs = async (): Promise<Jobs['items']> => (await visit().person.call<Jobs>('list_jobs')).items
    const embedGroup = () => visit().page.getByRole('region', { name: /^embed / })
    const sealedGroup = () => visit().page.getByRole('region', { name: /^normalize / })
    const groupActions = (name: string) => embedGroup().getByRole('button', { name }).last()

    before(async () => {
      for (let number = 0; number < LETTERS; number += 1)
        sent.push(await visit().send({ text: `${REFUSED}: ${distinctText(500 + number)}` }))
      await visit().send({ text: EMPTY, actor_email: 'somebody@example.com' })
      await standing(visit(), { waiting_dead_letters: LETTERS + 1 })
    })

    it('shows what each step did, and the dead letters by their reason', async () => {
      const { page, open, screenshot } = visit()
      await open('/app/pipeline')
      await embedGroup().getByText(`${LETTERS} letters died at embed`).waitFor()
      await sealedGroup().getByText('1 letter died at normalize').waitFor()
      const steps = await page.locator('#steps tbody tr').allTextContents()
      assert.equal(steps.length, 9)
      await screenshot('pipeline')
    })

    it('shows the record of a letter, and of a sealed one its metadata alone', async () => {
      const { page, screenshot } = visit()
      await embedGroup().getByText('Letters', { exact: true }).click()
      const letter = embedGroup().locator('li').first()
      await letter.getByText('Inspect').click()
      await letter.locator('pre').filter({ hasText: REFUSED }).waitFor()
      await letter.getByRole('cell', { name: 'dead', exact: true }).waitFor()
      await screenshot('pipeline-inspected')
      await sealedGroup().getByText('Letters', { exact: true }).click()
      await sealedGroup().getByText('Inspect').click()
      await sealedGroup().getByText('its record is sealed').waitFor()
      assert.equal(await sealedGroup().locator('pre').count(), 0)
      assert.ok(!(await page.content()).includes('somebody@example.com'))
    })

    it('says what a replay would do before it does it', async () => {
      const { page } = visit()
      await page.reload()
      await groupActions('Replay…').click()
      await embedGroup().getByText(`${LETTERS} dead letters would go through the pipeline again`).waitFor()
      await embedGroup().getByRole('button', { name: 'Cancel' }).click()
      assert.deepEqual(await jobs(), [])
      assert.equal((await pipeline()).count, LETTERS + 1)
    })

    it('replays a group at a limited rate, shows the progress, and can be cancelled', async () => {
      const { page, screenshot } = visit()
      await groupActions('Replay…').click()
      await embedGroup().getByLabel('At most a second').fill('1')
      await embedGroup()
        .getByRole('button', { name: `Replay ${LETTERS} dead letters` })
        .click()
      await page.getByText(`A job replays ${LETTERS} dead letters.`).waitFor()
      const row = page.locator('#jobs tbody tr').first()
      await row.getByRole('progressbar').waitFor()
      await screenshot('pipeline-replaying')
      await row.getByRole('button', { name: 'Cancel replay' }).click()
      await row.getByText('cancelled').waitFor()
      const [job] = await jobs()
      assert.equal(job?.state, 'cancelled')
      assert.ok((job?.done ?? LETTERS) < LETTERS)
    })

    it('replays one letter, then the rest, once the cause is mended, and they arrive', async () => {
      const { page, mendModel, agent } = visit()
      await standing(visit(), { waiting_dead_letters: LETTERS + 1 })
      mendModel()
      await page.reload()
      await embedGroup().getByText('Letters', { exact: true }).click()
      const letter = embedGroup().locator('li').first()
      await letter.getByText('Inspect').click()
      await letter.getByRole('button', { name: 'Replay…' }).click()
      await letter.getByRole('button', { name: 'Replay 1 dead letter' }).click()
      await standing(visit(), { waiting_dead_letters: LETTERS })
      await page.reload()
      await groupActions('Replay…').click()
      await embedGroup()
        .getByRole('button', { name: `Replay ${LETTERS - 1} dead letters` })
        .click()
      for (const id of sent) {
        await eventually('it is there, as a signal or as the repeat of one', async () => {
          const { data } = await agent.call<{ status: string }>('service_lookup', { mode: 'signal', id })
          return data.status === 'inserted' || data.status === 'duplicate' || null
        })
      }
      await standing(visit(), { waiting_dead_letters: 1 })
      await page.locator('#jobs tbody tr').first().getByText('done').waitFor()
      await page.reload()
      await sealedGroup().waitFor()
      assert.equal(await embedGroup().count(), 0)
    })

    it('gives letters up for a reason, and lists them as discarded', async () => {
      const { page, screenshot } = visit()
      await sealedGroup().getByRole('button', { name: 'Discard…' }).last().click()
      await page.getByLabel('Why they are given up').fill('Nothing was written.')
      await screenshot('pipeline-discarding')
      await sealedGroup().getByRole('button', { name: 'Discard', exact: true }).click()
      await page.getByText(/1 dead letter discarded \(DEC-\d+\)/).waitFor()
      await page.getByText('No dead letter waits.').waitFor()
      await page.locator('select[name=letter_state]').selectOption('discarded')
      await sealedGroup().waitFor()
      assert.equal(await sealedGroup().getByRole('button', { name: 'Replay…' }).count(), 0)
    })

    it('starts work on everything again', async () => {
      const { page } = visit()
      await page.locator('select[name=job_kind]').selectOption('re_anchor')
      await page.getByRole('button', { name: 'Start' }).click()
      await page.locator('#jobs tbody tr').first().getByText('re-anchor').waitFor()
      await eventually('the job is done', async () => (await jobs())[0]?.state === 'done' || null)
    })
  })
}
