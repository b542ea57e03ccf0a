import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { launchBrowser, signInBrowser } from '../test/support/browser.ts'
import { meterLoads } from '../test/support/page-load.ts'
import type { Person } from '../test/support/person.ts'
import { quantilesOf, recordFigure } from './support/measuring.ts'

/** Where a screen shows one thing: that with the most behind it. */
const SHOWN: Readonly<Record<string, string>> = { signals: 'signals/SIG-71', solutions: 'solutions/SOL-1' }
const PATHS = [
  ...[
    ...readFileSync(new URL('../web/src/screens.ts', import.meta.url), 'utf8').matchAll(/^ {4}path: '([^']+)'/gm),
  ].map(([, path = '']) => SHOWN[path] ?? path),
  'board?view=columns',
  'claims/CLM-1',
  'solutions/SOL-1/document',
  'pipeline/dead-letters',
]

const TIMEOUT_MS = 60_000
const LOOK_AGAIN_MS = 10
const RUNS = 5
const ASKED_MS = 1000

/** A heading, and nothing that stands for what is still to come. */
const IS_DRAWN = `document.querySelector('h1') !== null &&
  [...document.querySelectorAll('.mantine-Skeleton-root')].every(skeleton => !skeleton.checkVisibility())`

/** Milliseconds until a screen shows all of its first page, with nothing in the cache; and what it waited for last. */
const openScreen = async (page: Page, begin: Awaited<ReturnType<typeof meterLoads>>, address: string) => {
  await page.goto('about:blank')
  const load = await begin()
  const startedAt = performance.now()
  await page.goto(address, { waitUntil: 'commit' })
  while (load.pending.size > 0 || !(await page.evaluate<boolean>(IS_DRAWN))) {
    if (performance.now() - startedAt > TIMEOUT_MS)
      throw new Error(`${address} waits for ${[...load.pending].join(' ')}`)
    await sleep(LOOK_AGAIN_MS)
  }
  return performance.now() - startedAt
}

/** How long each screen takes until its first page is shown. */
export const measureFirstPages = async (person: Person, signals: number): Promise<void> => {
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
    context.setDefaultTimeout(TIMEOUT_MS)
    await signInBrowser(context, person)
    const page = await context.newPage()
    const begin = await meterLoads(page)
    console.log(`\nThe first page of each screen with ${signals} Signals, ${RUNS} times, with nothing in the cache`)
    for (const path of PATHS) {
      const open = () => openScreen(page, begin, `${person.baseUrl}/app/${path}`)
      await open()
      const took: number[] = []
      for (let run = 0; run < RUNS; run += 1) took.push(await open())
      const at = quantilesOf(took)
      console.log(`    ${path.padEnd(28)} median ${at(0.5).toFixed(0)} ms, slowest ${at(1).toFixed(0)} ms`)
      recordFigure(`app: the first page of ${path}`, at(0.5), 'ms', { atMost: ASKED_MS, at: signals })
    }
  } finally {
    await browser.close()
  }
}
