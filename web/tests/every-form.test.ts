import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { signInBrowser } from '../../test/support/browser.ts'
import { type Arranged, arrange } from './forms/arranged.ts'
import { NEW_FORMS } from './forms/new-forms.ts'
import { OPENED_FORMS, type OpenedForm } from './forms/opened-forms.ts'
import { comesToBe, startVisit, type Visit } from './visit.ts'

/** Nothing is written there. */
const ELSEWHERE = '/app/inbox'

/** Those that two persons share are left and signed out of in `two-persons.test.ts`. */
const FORMS: readonly OpenedForm[] = [...NEW_FORMS, ...OPENED_FORMS]

describe('Every form', () => {
  let visit: Visit
  let arranged: Arranged
  before(async () => {
    visit = await startVisit()
    arranged = await arrange(visit.person)
    await visit.open(ELSEWHERE)
  })
  after(() => visit?.end())

  /** Goes there from a page without a form, so that the form is opened anew. */
  const begin = async (form: OpenedForm): Promise<void> => {
    const { page, go } = visit
    await go(ELSEWHERE)
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    // What belongs to no screen stays open above the next one.
    if ((await page.getByRole('dialog').count()) > 0) await visit.open(ELSEWHERE)
    await go(form.path(arranged))
    await form.open(page)
    await form.field(page).waitFor()
  }
  /** Empty fields of the dialog that the focus has passed over, and the cross at its corner. */
  const PASSED_OVER = `(() => {
    const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1)
    const at = document.activeElement
    if (dialog === undefined || !dialog.contains(at)) return []
    const fields = [...dialog.querySelectorAll('input:not([type=hidden], [type=checkbox], [type=radio]), textarea')]
    const before = fields.filter(each => each.checkVisibility() && each.value === '' &&
      (at.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_PRECEDING) !== 0)
    return [...before, ...(at.closest('header') === null ? [] : [at])]
      .map(each => each.ariaLabel ?? each.labels?.[0]?.textContent ?? each.localName)
  })()`
  const wordsOf = ({ name, written }: OpenedForm): string => written ?? `Words of ${name}`

  for (const form of FORMS) {
    it(`takes ${form.name}, all of a long paste too, says by how much it is too long, and sends none of it`, async () => {
      const { page } = visit
      await begin(form)
      await comesToBe(() => page.evaluate<readonly string[]>(PASSED_OVER), [])
      if (form.most !== undefined) {
        const long = 'x'.repeat(form.most + 7)
        await form.field(page).fill(long)
        const told = page.getByText(/^7 characters too long: /).first()
        await told.waitFor()
        // It is not sent: the browser says of the field what is wrong with it.
        await form.submit?.(page)
        assert.equal(await form.field(page).inputValue(), long)
        await form.field(page).fill(wordsOf(form))
        await told.waitFor({ state: 'detached' })
      } else await form.field(page).fill(wordsOf(form))
    })
  }

  it('is left, and the session ends and begins again', async () => {
    const { page, installation, person } = visit
    await visit.go(ELSEWHERE)
    await visit.signOut()
    await page.goto(`${installation.baseUrl}${ELSEWHERE}`)
    await page.waitForURL(/sign-in/)
    await signInBrowser(page.context(), person)
    await visit.open(ELSEWHERE)
  })

  for (const form of FORMS) {
    it(`has what was written of ${form.name} still, and asks before Escape discards it`, async () => {
      const { page } = visit
      await begin(form)
      assert.equal(await form.field(page).inputValue(), wordsOf(form))
      if (
        (await page
          .getByRole('dialog')
          .filter({ has: form.field(page) })
          .count()) === 0
      )
        return
      await form.field(page).press('Escape')
      await page.getByRole('dialog', { name: 'Close and lose what you wrote?' }).waitFor()
      await page.getByRole('button', { name: 'Go on writing' }).click()
      assert.equal(await form.field(page).inputValue(), wordsOf(form))
    })
  }

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
