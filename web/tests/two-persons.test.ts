import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { signInBrowser } from '../../test/support/browser.ts'
import type { Person } from '../../test/support/person.ts'
import { type Arranged, arrange, inviteColleague } from './forms/arranged.ts'
import { SHARED_FORMS, type SharedForm } from './forms/shared-forms.ts'
import { startVisit, type Visit } from './visit.ts'

const CONFLICT = 'Somebody changed this meanwhile'

/** Each story begins without drafts. */
const FORGET = `for (const key of Object.keys(sessionStorage)) if (key.startsWith('assay-draft')) sessionStorage.removeItem(key)`

describe('Two persons at one form', () => {
  let visit: Visit
  let arranged: Arranged
  let colleague: Person
  let count = 0
  before(async () => {
    visit = await startVisit()
    arranged = await arrange(visit.person)
    colleague = await inviteColleague(visit.person)
  })
  after(() => visit?.end())

  /** Words that nobody wrote before. */
  const words = (of: string): string => {
    count += 1
    return `${of} ${count}`
  }
  const begin = async (form: SharedForm): Promise<void> => {
    await visit.open('/app/settings/account')
    await visit.page.evaluate(FORGET)
    await visit.open(form.path(arranged))
    await form.open(visit.page)
    await form.field(visit.page).waitFor()
  }
  const readValue = (form: SharedForm) => form.read(visit.person, arranged)
  const comesToBe = (form: SharedForm, value: string) =>
    eventually(`${form.name} is “${value}”`, async () => (await readValue(form)) === value || null)
  const conflict = () => visit.page.getByRole('alert').filter({ hasText: CONFLICT })

  for (const form of SHARED_FORMS) {
    describe(form.name, () => {
      it('has its page follow a colleague while nobody writes, each time', async () => {
        await visit.open(form.path(arranged))
        // What changes first may be read by a page that is still opening.
        for (const theirs of [words('Theirs'), words('Theirs again')]) {
          await form.change(colleague, arranged, theirs)
          await visit.page.getByText(theirs).first().waitFor()
        }
      })

      it('shows what a colleague wrote before it was sent, beside what was typed, and sends nothing by itself', async () => {
        const { page } = visit
        await begin(form)
        const [mine, theirs] = [words('Mine'), words('Theirs')]
        await form.field(page).fill(mine)
        await form.change(colleague, arranged, theirs)
        await conflict().waitFor()
        await conflict().getByText(theirs).waitFor()
        await conflict().getByText(mine).waitFor()
        assert.equal(await form.field(page).inputValue(), mine)
        assert.equal(await readValue(form), theirs)
        await visit.checkAccess()
        await conflict().getByRole('button', { name: 'Keep yours' }).click()
        await form.submit(page)
        await comesToBe(form, mine)
      })

      it('is refused where the page has not read what a colleague wrote, shows it then, and can be given up', async () => {
        const { page } = visit
        await begin(form)
        const [mine, theirs] = [words('Mine'), words('Theirs')]
        await form.field(page).fill(mine)
        const release = await visit.hold(form.reads)
        try {
          await form.change(colleague, arranged, theirs)
          visit.expectStatus(409)
          await form.submit(page)
        } finally {
          await release()
        }
        await conflict().getByText(theirs).waitFor()
        assert.equal(await form.field(page).inputValue(), mine)
        assert.equal(await readValue(form), theirs)
        await conflict().getByRole('button', { name: 'Take theirs' }).click()
        assert.equal(await form.field(page).inputValue(), theirs)
        assert.equal(await readValue(form), theirs)
      })

      if (form.changeOther !== undefined) {
        const { changeOther } = form
        it('sends what was changed alone: what a colleague wrote elsewhere in it stands', async () => {
          const { page } = visit
          await begin(form)
          const mine = words('Mine')
          await form.field(page).fill(mine)
          await changeOther(colleague, arranged, words('Theirs'))
          await eventually('it is saved', async () => {
            // A second press may find the dialog closing.
            if ((await form.field(page).count()) > 0)
              await Promise.race([form.submit(page).catch(() => {}), form.field(page).waitFor({ state: 'hidden' })])
            return (await readValue(form)) === mine || null
          })
          assert.equal(await conflict().count(), 0)
        })
      }

      it('keeps what was typed over a reload, Back, and a session that ended', async () => {
        const { page } = visit
        await begin(form)
        const before = await readValue(form)
        const mine = words('Mine')
        const isThere = async () => {
          if ((await form.field(page).count()) === 0) await form.open(page)
          await form.field(page).waitFor()
          assert.equal(await form.field(page).inputValue(), mine)
        }
        await form.field(page).fill(mine)
        await page.reload()
        await page.locator('h1').first().waitFor()
        await isThere()
        await page.goBack()
        await visit.open(form.path(arranged))
        await isThere()
        await visit.signOut()
        await page.goto(`${visit.installation.baseUrl}${form.path(arranged)}`)
        await page.waitForURL(/sign-in/)
        await signInBrowser(page.context(), visit.person)
        await visit.open(form.path(arranged))
        await isThere()
        assert.equal(await readValue(form), before)
        await form.submit(page)
        await comesToBe(form, mine)
      })

      it('says how much of a long paste is too long, keeps all of it, and sends none of it', async () => {
        const { page } = visit
        await begin(form)
        const before = await readValue(form)
        const long = 'x'.repeat(form.most + 7)
        await form.field(page).fill(long)
        await page
          .getByText(/^7 characters too long: /)
          .first()
          .waitFor()
        assert.equal(await form.field(page).inputValue(), long)
        await form.submit(page)
        assert.equal(await form.field(page).inputValue(), long)
        assert.equal(await readValue(form), before)
        await form.field(page).fill(words('Short'))
        await page
          .getByText(/^7 characters too long: /)
          .first()
          .waitFor({ state: 'detached' })
        await form.submit(page)
        await form.field(page).waitFor({ state: 'detached' })
      })
    })
  }

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
