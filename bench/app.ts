import type { Page } from 'playwright-core'
import { launchBrowser, signInBrowser } from '../test/support/browser.ts'
import { scrollToTheLast } from '../test/support/long-list.ts'
import { startQuerySubject } from './query/subject.ts'
import { fillUp, prepareMix } from './support/stored-rows.ts'
import { timed } from './support/timing.ts'

const SIGNALS = 10_000
const WARMING = 3
const RUNS = 20
const VIEWPORT = { width: 1280, height: 860 }
const PATIENCE_MS = 30_000

/** From opening the app to the first key that worked: the budget, in milliseconds. */
const INTERACTIVE_MS = 1000
/** A frame that takes this long is a stutter: six that a screen of 60 a second would have drawn. */
const STUTTER_MS = 100
const MAX_STUTTERS = 3

/** Counts frames, and those that took too long, from the page itself. */
const COUNT_FRAMES = `
  window.frames_drawn = 0
  window.stutters = 0
  let before = performance.now()
  const frame = now => {
    window.frames_drawn += 1
    if (now - before > ${STUTTER_MS}) window.stutters += 1
    before = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)`

/** Opens Triage as from a bookmark, and moves to the second signal as soon as a key does. */
const openTriage = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/app/triage`)
  const second = page.locator('[role=option][data-current][aria-posinset="2"]')
  await page.locator('[role=option][data-current][aria-posinset="1"]').waitFor()
  await page.keyboard.press('j')
  await second.waitFor()
}

/** Fails the benchmark, which says so in its exit code. */
const verify = (what: string, isKept: boolean): void => {
  console.log(`    ${isKept ? 'kept' : 'MISSED'}: ${what}`)
  if (!isKept) process.exitCode = 1
}

/** Triage with ten thousand signals in the store, in a real browser: how soon it takes keys, and whether scrolling stutters. */
export const app = async (): Promise<void> => {
  const subject = await startQuerySubject()
  const { pool } = subject
  const browser = await launchBrowser()
  try {
    await prepareMix(pool)
    await fillUp(pool, [subject.workspaceId], 0, { from: 0, upTo: SIGNALS })
    const context = await browser.newContext({ viewport: VIEWPORT })
    context.setDefaultTimeout(PATIENCE_MS)
    await signInBrowser(context, subject.person)
    const page = await context.newPage()
    const open = () => openTriage(page, subject.person.baseUrl)
    await timed(WARMING, open)
    const at = await timed(RUNS, open)
    console.log(`\nTriage with ${SIGNALS} signals, ${RUNS} times, to the first key that worked`)
    console.log(`    median ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms, max ${at(1).toFixed(0)} ms`)
    verify(`a p95 under ${INTERACTIVE_MS} ms`, at(0.95) < INTERACTIVE_MS)
    await page.evaluate(COUNT_FRAMES)
    await scrollToTheLast(page, SIGNALS)
    const [frames, stutters] = await page.evaluate<[number, number]>('[window.frames_drawn, window.stutters]')
    console.log(`\nScrolled to the last, reading all: ${stutters} of ${frames} frames took more than ${STUTTER_MS} ms`)
    verify(`at most ${MAX_STUTTERS} of them`, stutters <= MAX_STUTTERS)
  } finally {
    await browser.close()
    await subject.stop()
  }
}
