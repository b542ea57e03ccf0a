import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { createSignalSource } from '../../test/support/person.ts'
import { sendSignal } from '../../test/support/sender.ts'
import { startVisit, type Visit } from './visit.ts'

const THINGS =
  'invoice calendar dashboard password glossary chart mailbox avatar webhook signature voucher keyboard printer barcode thermostat newsletter playlist passport sitemap timer wishlist receipt tutorial banner cursor drawer elevator folder gallery helmet icon jukebox kiosk ladder magnet notebook orchard pendant quiver radar scanner telescope umbrella violin wardrobe xylophone yacht zipper lantern compass'.split(
    ' ',
  )
const code = (thing: string): string => `E${1000 + THINGS.indexOf(thing) * 37}`
const FIRST = THINGS.map(thing => `The ${thing} page crashes with error ${code(thing)} when I open the ${thing}.`)
const SECOND = THINGS.map(thing => `Opening the ${thing} fails: a crash, error ${code(thing)}, on the ${thing} page.`)

/**
 * What is proposed at all depends on what was there before, so on the order in which they come through the pipeline.
 */
const MAX_PAIRS = 0.8 * THINGS.length
/** A decision settles a group, and what is decided teaches which of the pairs are not worth asking about. */
const FEWEST_DECISIONS = 20
/** A person who sees nothing come for so long asks again. */
const ASKED_AGAIN_MS = 5_000
/** So often less likely pairs are asked for; what is left then, of each signal the best, is hardly ever right. */
const MOST_ASKED = 2

/** A hundred signals take long where much else runs. */
const PATIENCE_MS = 240_000

interface Groups {
  readonly pairs: number
  readonly bar: { readonly set_aside: number }
}

let visit: Visit
before(async () => {
  visit = await startVisit()
})
after(() => visit?.end())

const waiting = () => visit.person.call<Groups>('list_merge_groups', { limit: 1 })

it('has fifty pairs to decide on, of which so many wait as people are shown', async () => {
  const source = await createSignalSource(visit.person)
  for (const texts of [FIRST, SECOND]) {
    for (const text of texts) assert.equal((await sendSignal(source, { text })).status, 200)
    const many = texts === FIRST ? THINGS.length : 2 * THINGS.length
    await eventually(
      'all are claims',
      async () => {
        const { count } = await visit.person.call<{ count: number }>('analyze_claims', { limit: 1 })
        return count >= many || null
      },
      PATIENCE_MS,
    )
  }
  const { pairs, bar } = await waiting()
  assert.ok(pairs + bar.set_aside >= MAX_PAIRS, `${pairs} wait, ${bar.set_aside} are set aside`)
  assert.ok(bar.set_aside > 0)
})

it('decides on all of them by keyboard alone, and the focus is always where the person is', async () => {
  const { page, open, screenshot } = visit
  /** The group that has the focus, in the words of both sides; null where none waits any more. */
  const focused = () =>
    page.evaluate<{ name: string; text: string } | null>(`(() => {
      const at = document.activeElement
      return at?.matches('li[aria-current=true]') ? { name: at.getAttribute('aria-label'), text: at.textContent } : null
    })()`)
  const nothingWaits = page.getByText('No merge waits')
  const nextOf = (name: string) =>
    eventually('the next group has the focus, or none is left', async () => {
      const now = await focused()
      return (now !== null && now.name !== name && { now }) || ((await nothingWaits.isVisible()) && { now: null })
    })
  await open('/app/proposals')
  let decisions = 0
  for (let asked = 0; ; ) {
    let { now } = await nextOf('')
    while (now !== null) {
      const codes = new Set(now.text.match(/E\d{4}/g))
      const same = codes.size === 1
      await page.keyboard.press(same ? '1' : '3')
      decisions += 1
      ;({ now } = await nextOf(now.name))
    }
    // What it ends with says what was settled, and has the focus.
    await page.getByText(/pairs are settled: \d+ merged, \d+ kept apart/).waitFor()
    if (asked === 0) await screenshot('proposals-settled')
    const more = page.getByRole('button', { name: 'Show less likely pairs' })
    // The last decisions are still on their way, and may put pairs aside or bring some back.
    const next = await eventually('what is left to do is shown', async () => {
      if (await more.isVisible()) return 'ask for more'
      const { pairs, bar } = await waiting()
      if (pairs === 0 && bar.set_aside === 0) return 'nothing'
      return (await nothingWaits.isHidden()) && 'decide'
    })
    if (next === 'nothing') break
    if (next === 'decide') continue
    if (asked === MOST_ASKED) break
    asked += 1
    await page.keyboard.press('Tab')
    await more.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    // What was decided meanwhile may have put all that was left below the least chance.
    const cameOrNone = await eventually('more pairs wait, or none is left', async () => {
      const came = await nothingWaits.waitFor({ state: 'hidden', timeout: ASKED_AGAIN_MS }).then(
        () => true,
        () => false,
      )
      if (came) return { came }
      if (await more.isHidden()) return { came: false }
      // A decision that was still on its way has put aside what came.
      await more.press('Enter', { timeout: ASKED_AGAIN_MS }).catch(() => {})
      return null
    })
    if (!cameOrNone.came) break
  }
  assert.ok(decisions >= FEWEST_DECISIONS, `${decisions} decisions`)
  const settled = async (state: string) =>
    (await visit.person.call<{ count: number }>('lookup_proposals', { state, limit: 1 })).count
  // The last decisions are still on their way. A pair that an earlier one settled besides is not counted.
  await eventually('all of it is settled', async () => {
    const [confirmed, refused] = [await settled('confirmed'), await settled('refused')]
    return (await waiting()).pairs === 0 && confirmed + refused >= FEWEST_DECISIONS
  })
  visit.assertNoFaults()
})
