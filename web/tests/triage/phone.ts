import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CDPSession } from 'playwright-core'
import { DESKTOP, PHONE, type Visit } from '../visit.ts'
import { QUESTION, QUESTION_ACCEPTED } from './acts.ts'

const FINGER_STEPS = 6

/** A finger that is put down at a point, moves aside so far, in pixels, and is lifted. */
const swipe = async (session: CDPSession, from: { readonly x: number; readonly y: number }, way: number) => {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', moved: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: from.x + moved, y: from.y }],
    })
  await touch('touchStart', 0)
  for (let step = 1; step <= FINGER_STEPS; step += 1) await touch('touchMove', (way * step) / FINGER_STEPS)
  await touch('touchEnd', way)
}

/** The question is in Triage, and stays there. */
export const describePhone = (visit: () => Visit): void => {
  describe('on a phone', () => {
    it('has the first signal in the upper third, no keycaps, and its filters in a sheet', async () => {
      const { page, open, checkAccess, screenshot } = visit()
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
      await page.setViewportSize(PHONE)
      await open('/app/triage')
      const first = page.getByRole('option').first()
      await first.waitFor()
      const box = await first.boundingBox()
      assert.ok(box !== null && box.y + box.height < PHONE.height / 3, `it ends at ${box?.y} + ${box?.height}`)
      assert.equal(await page.locator('.mantine-Kbd-root').filter({ visible: true }).count(), 0)
      await page.getByRole('button', { name: 'Filters' }).click()
      const sheet = page.getByRole('dialog', { name: 'Filters' })
      await sheet.getByRole('combobox', { name: 'Classification' }).waitFor()
      await checkAccess()
      await screenshot('triage-phone-filters')
      await sheet.getByRole('button', { name: 'Show the list' }).click()
      await sheet.waitFor({ state: 'detached' })
    })

    it('shows a signal in a sheet that Back closes, and stays where it is', async () => {
      const { page } = visit()
      await page.getByRole('option').filter({ hasText: QUESTION }).click()
      const sheet = page.getByRole('dialog', { name: /^SIG-/ })
      await sheet.waitFor()
      await page.goBack()
      await sheet.waitFor({ state: 'detached' })
      await page.getByRole('option').first().waitFor()
    })

    it('accepts what is swiped to the right and dismisses what is swiped to the left, and takes both back', async () => {
      const { page, person, screenshot } = visit()
      const session = await page.context().newCDPSession(page)
      const line = page.getByRole('option').filter({ hasText: QUESTION })
      const says = (words: RegExp) => page.getByRole('status').filter({ hasText: words }).waitFor()
      const states = async () => {
        const { items } = await person.call<{ items: { state: string }[] }>('list_signals', {
          text: QUESTION,
          snoozed: 'shown',
        })
        return items.map(({ state }) => state)
      }
      for (const [way, done, state] of [
        [180, QUESTION_ACCEPTED, 'accepted'],
        [-180, /SIG-\d+ dismissed$/, 'dismissed'],
      ] as const) {
        const box = await line.boundingBox()
        assert.ok(box)
        await swipe(session, { x: box.x + box.width / 2, y: box.y + box.height / 2 }, way)
        await line.waitFor({ state: 'detached' })
        await says(done)
        assert.ok((await states()).includes(state))
        await screenshot(`triage-phone-${state}`)
        await page.getByRole('button', { name: 'Undo' }).click()
        await line.waitFor()
        assert.ok((await states()).includes('triage'))
      }
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
      await page.setViewportSize(DESKTOP)
    })
  })
}
