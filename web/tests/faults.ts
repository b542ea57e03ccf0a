import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/**
 * What goes wrong in a page without anybody seeing it: errors thrown or logged, and whatever the
 * Content-Security-Policy stopped.
 */
export const watchFaults = (page: Page) => {
  const faults: string[] = []
  const meant = new Set<string>()
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    faults.push(`${message.text()} ${message.location().url}`)
  })
  return {
    /** What holds this text is meant. */
    expectFault: (text: string): void => {
      meant.add(text)
    },
    /** Answers with this status are meant: the browser logs each as an error. */
    expectStatus: (status: number): void => {
      meant.add(`a status of ${status} `)
    },
    assertNoFaults: (): void => {
      const isMeant = (fault: string) => [...meant].some(text => fault.includes(text))
      assert.deepEqual(
        faults.filter(fault => !isMeant(fault)),
        [],
      )
    },
  }
}
