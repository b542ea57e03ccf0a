import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import type { CDPSession } from 'playwright-core'
import { settleNext } from '../every-screen.ts'
import type { Visit } from '../visit.ts'

/** Fields for words, in which a person types to find or to write something. */
const FIELDS = `[...document.querySelectorAll('main :is(input, textarea):not(:disabled, :read-only)')].filter(each =>
  ['search', 'text', 'email', 'url', 'textarea'].includes(each.type) && each.checkVisibility())`

const WORDS = 'payment amex'
/** From a hurried typist to a slow one: every field is typed into at each of these, from the fastest on. */
const DELAYS_MS = [20, 60, 120]
/** The page takes as long for a key as it does with thousands of signals behind it, on a slower machine. */
const SLOWED = 6

/** Types into a field, faster and slower, and answers what it holds then. */
const typeInto = async ({ page }: Visit, session: CDPSession, place: number): Promise<string> => {
  await page.evaluate(`{
    const field = ${FIELDS}[${place}]
    field.focus()
    field.select()
  }`)
  await page.keyboard.press('Delete')
  const size = WORDS.length / DELAYS_MS.length
  // Slow is what keeps the processor busy: no longer than somebody types.
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  for (const [index, delay] of DELAYS_MS.entries())
    await page.keyboard.type(WORDS.slice(index * size, (index + 1) * size), { delay })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  // What the address or an answer still brings comes after the last key.
  await page.waitForTimeout(600)
  return page.evaluate<string>('document.activeElement.value')
}

export const describeTyping = (visit: () => Visit, paths: () => readonly string[]): void => {
  it('keeps every letter that is typed, however fast, in every field', async (test: TestContext) => {
    const { page } = visit()
    const session = await page.context().newCDPSession(page)
    const lost: string[] = []
    let fields = 0
    for (const path of paths()) {
      await settleNext(visit(), path)
      const found = await page.evaluate<readonly string[]>(
        `${FIELDS}.map(each => each.ariaLabel ?? each.labels?.[0]?.textContent)`,
      )
      if (found.length === 0) continue
      fields += found.length
      for (const [place, name] of found.entries()) {
        const held = await typeInto(visit(), session, place)
        if (held !== WORDS) lost.push(`${path}: “${name}” holds “${held}”`)
      }
    }
    await session.detach()
    test.diagnostic(`${fields} fields of ${paths().length} screens, at ${DELAYS_MS.join(', ')} ms a key`)
    assert.deepEqual(lost, [])
  })
}
