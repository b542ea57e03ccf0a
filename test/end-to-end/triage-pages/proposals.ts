import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { signalOf, type Visit } from './visit.ts'

const EXPORTS = [
  'The export of large boards fails with an error 500 when I click on download.',
  'Exporting a large board fails: error 500 after clicking download in Firefox.',
  'Export fails with error on big boards, nothing is downloaded at all.',
] as const
/** These two are merged by keyboard and stay so for the claims page. */
export const INVOICES = [
  'The invoice shows the wrong tax amount for customers in Spain, which is a bug.',
  'Wrong tax amount on the invoice of Spanish customers, a bug since Monday.',
] as const

interface Proposals {
  readonly items: readonly { readonly claim: Side; readonly candidate: Side }[]
}
interface Side {
  readonly reference: string
  readonly text: string
}
interface Claim {
  readonly reference: string
  readonly merged_references: readonly string[]
  readonly evidence: { readonly count: number }
}

export const describeProposals = (visit: () => Visit): void => {
  describe('Proposals', () => {
    const claims: Record<string, string> = {}

    const proposals = async (state: string): Promise<Proposals['items']> =>
      (await visit().agent.call<Proposals>('service_lookup', { mode: 'proposals', state, limit: 100 })).data.items
    const among = (items: Proposals['items'], texts: readonly string[]) =>
      items.filter(({ claim, candidate }) => texts.includes(claim.text) && texts.includes(candidate.text))
    const claimOf = async (text: string): Promise<Claim> =>
      (await visit().agent.call<Claim>('service_lookup', { mode: 'claim', id: claims[text] })).data

    /** Sends the texts and waits until each has a claim and the pair of the first two is proposed. */
    const start = async (texts: readonly string[]): Promise<void> => {
      for (const text of texts) {
        const id = await visit().send({ text })
        claims[text] = await eventually(`a claim of "${text}"`, async () => {
          const { claims: started } = await signalOf(visit(), id)
          return started[0]?.reference ?? null
        })
      }
      await eventually('each is proposed to be merged into the first', async () => {
        const waiting = among(await proposals('waiting'), texts)
        return waiting.filter(({ candidate }) => candidate.text === texts[0]).length === texts.length - 1 || null
      })
    }

    before(() => start(EXPORTS))

    /** The pairs that have the claim of this text in common. */
    const group = (text: string) =>
      visit().page.getByRole('listitem', { name: `Merges with ${claims[text]}`, exact: true })
    const says = (text: RegExp) => visit().page.locator('#undo').filter({ hasText: text }).waitFor()
    /** Moves down from the first group until the one of this text is selected. */
    const moveTo = async (text: string): Promise<void> => {
      const { page, items } = visit()
      const isSelected = () => group(text).evaluate(element => element.ariaCurrent === 'true')
      await items('groups').first().focus()
      for (let moves = await items('groups').count(); moves > 0 && !(await isSelected()); moves -= 1) {
        await page.keyboard.press('j')
      }
      assert.equal(await isSelected(), true)
    }

    it('groups pairs by the claim that they have in common, both texts side by side', async () => {
      const { open, screenshot } = visit()
      await open('/app/proposals')
      const exports = group(EXPORTS[0])
      await exports.waitFor()
      assert.match((await exports.textContent()) ?? '', /similarity 0\.\d\d.*rank score 0\.\d{4}/s)
      const [left, right] = await exports
        .locator('.side')
        .evaluateAll(sides => sides.map(side => side.getBoundingClientRect().x))
      assert.ok(left !== undefined && right !== undefined && left < right)
      await screenshot('proposals')
    })

    it('merges a whole group at once, in the direction that somebody chooses, and takes it back', async () => {
      const { page } = visit()
      const [, chosen] = EXPORTS
      const exports = group(EXPORTS[0])
      await exports.locator('select').selectOption({ label: claims[chosen] ?? '' })
      await exports.getByText(`goes into ${claims[chosen]}`).first().waitFor()
      await exports.getByRole('button', { name: 'Merge all 3' }).click()
      await says(/merged/)
      for (const text of EXPORTS) assert.equal((await claimOf(text)).reference, claims[chosen])
      assert.equal((await claimOf(chosen)).evidence.count, EXPORTS.length)
      assert.deepEqual(among(await proposals('waiting'), EXPORTS), [])
      await page.getByRole('button', { name: 'Undo' }).click()
      await says(/apart again/)
      for (const text of EXPORTS) assert.equal((await claimOf(text)).reference, claims[text])
    })

    it('is worked by keyboard alone: swap, refuse, undo, merge', async () => {
      const { page, open } = visit()
      const [older, newer] = INVOICES
      await start(INVOICES)
      await open('/app/proposals')
      await group(older).waitFor()
      await moveTo(older)
      await group(older).getByText(`goes into ${claims[older]}`).waitFor()
      await page.keyboard.press('x')
      await group(older).getByText(`goes into ${claims[newer]}`).waitFor()
      await page.keyboard.press('3')
      await says(/are not the same/)
      assert.equal(among(await proposals('refused'), INVOICES).length, 1)
      await page.keyboard.press('z')
      await says(/They wait again/)
      await group(older).waitFor()
      await moveTo(older)
      await page.keyboard.press('1')
      await says(/merged/)
      await group(older).waitFor({ state: 'detached' })
      assert.equal((await claimOf(older)).reference, claims[newer])
    })

    it('lists what was merged and refused, each with who decided, and takes one back from there', async () => {
      const { page, screenshot } = visit()
      await page.locator('select[name=state]').selectOption('refused')
      const refused = visit().items('groups').filter({ hasText: EXPORTS[0] }).first()
      await refused.getByText('refused by Product manager').waitFor()
      await screenshot('proposals-refused')
      const before = (await proposals('refused')).length
      await refused.getByRole('button', { name: 'Undo' }).click()
      await says(/They wait again/)
      await eventually('it left the list', async () => (await proposals('refused')).length < before || null)
      await page.locator('select[name=state]').selectOption('confirmed')
      await visit().items('groups').getByText('confirmed by Product manager').first().waitFor()
    })
  })
}
