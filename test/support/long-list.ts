import type { Page } from 'playwright-core'

/** Scrolling to the end of what was read, again and again, reaches the last page of ten thousand well before this. */
const MAX_TURNS = 500
const TO_THE_END = `document.querySelector('[role=listbox]').scrollTop = 1e9`
const TWO_FRAMES = 'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** Scrolls a list that reads on as it is scrolled to its end, the `count`-th item, until that is drawn. */
export const scrollToTheLast = async (page: Page, count: number): Promise<void> => {
  const last = page.locator(`[aria-posinset="${count}"]`)
  for (let turns = 0; turns < MAX_TURNS && (await last.count()) === 0; turns += 1) {
    await page.evaluate(TO_THE_END)
    await page.evaluate(TWO_FRAMES)
  }
  await last.waitFor()
}
