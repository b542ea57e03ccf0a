import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { type Arranged, arrange } from './forms/arranged.ts'
import { NEW_FORMS, type NewForm } from './forms/new-forms.ts'
import { startVisit, type Visit } from './visit.ts'

const FORGET = `for (const key of Object.keys(sessionStorage)) if (key.startsWith('assay-draft')) sessionStorage.removeItem(key)`

/** Has the page lose the answers of an operation, which is done. */
const losing = (operation: string): string => `window.lostAnswersOf = '/api/app/${operation}'`
const FIND_ANSWERS = `delete window.lostAnswersOf`

describe('A form of something new', () => {
  let visit: Visit
  let arranged: Arranged
  let count = 0
  before(async () => {
    visit = await startVisit()
    arranged = await arrange(visit.person)
    // The first is still being done when the same is sent again: the app hears so, and asks once more.
    visit.expectStatus(409)
    await visit.open('/app/inbox')
  })
  after(() => visit?.end())

  const words = (): string => {
    count += 1
    return `Words ${count}`
  }
  const begin = async (form: NewForm): Promise<void> => {
    // A second review is refused while the first is being prepared.
    await eventually('no review is being prepared', async () => {
      const { items } = await visit.person.call<{ items: { state: string }[] }>('list_jobs', { job_kind: 'review' })
      return items.every(({ state }) => state !== 'running')
    })
    // What was made may be on its way to be shown.
    await visit.page.locator('h1').first().waitFor()
    await visit.open('/app/settings/account')
    await visit.page.evaluate(FORGET)
    await visit.open(form.path(arranged))
    await form.open(visit.page)
    await form.field(visit.page).waitFor()
  }
  const countOf = (form: NewForm, text: string) => form.count(visit.person, arranged, text)
  /** The dialog is gone, or the field is empty again. */
  const hasLeft = async (form: NewForm): Promise<boolean> => {
    const field = form.field(visit.page)
    return (await field.count()) === 0 || (await field.inputValue({ timeout: 1000 }).catch(() => '')) === ''
  }
  const isSent = (form: NewForm) => eventually('it is done', () => hasLeft(form))
  /** A page that was loaded long after the write was done says so: others may have changed it since. */
  const isSentOrSaid = (form: NewForm) =>
    eventually(
      'it is done, or said to be done before',
      async () =>
        (await hasLeft(form)) || visit.page.getByText('This was done before; only the answer was lost.').isVisible(),
    )
  const isOnce = (form: NewForm, text: string) =>
    eventually(`${form.name} is there once`, async () => (await countOf(form, text)) === 1 || null)

  for (const form of NEW_FORMS) {
    describe(form.name, () => {
      it('is said not to be known where its answer was lost, and is there once when it is sent again', async () => {
        const { page } = visit
        await begin(form)
        const text = words()
        await form.field(page).fill(text)
        await page.evaluate(losing(form.operation))
        await form.submit(page)
        await page.getByText('It is not known if this was saved').first().waitFor()
        assert.equal(await form.field(page).inputValue(), text)
        await isOnce(form, text)
        await page.evaluate(FIND_ANSWERS)
        await form.submit(page)
        await isSent(form)
        assert.equal(await countOf(form, text), 1)
      })

      it('is there once where its answer was lost and the page was loaded anew before it was sent again', async () => {
        const { page } = visit
        await begin(form)
        const text = words()
        await form.field(page).fill(text)
        await page.evaluate(losing(form.operation))
        await form.submit(page)
        await page.getByText('It is not known if this was saved').first().waitFor()
        await visit.open(form.path(arranged))
        await form.open(page)
        await form.field(page).waitFor()
        assert.equal(await form.field(page).inputValue(), text)
        await form.submit(page)
        await isSentOrSaid(form)
        assert.equal(await countOf(form, text), 1)
      })
    })
  }

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
