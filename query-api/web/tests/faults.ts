import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** What goes wrong in a page without anybody seeing it: errors thrown or logged, and whatever the Content-Security-Policy stopped. */
export const watchFaults = (page: Page) => {
  const faults: string[] = []
  const expected = new Set<number>()
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    faults.push(message.text())
  })
  return {
    /** Answers with this status are meant: the browser logs each as an error. */
    expectStatus: (status: number): void => {
      expected.add(status)
    },
    assertNoFaults: (): void => {
      const isMeant = (fault: string) => [...expected].some(status => fault.includes(` status of ${status} `))
      assert.deepEqual(
        faults.filter(fault => !isMeant(fault)),
        [],
      )
    },
  }
}
