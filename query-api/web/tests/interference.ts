import type { Page } from 'playwright-core'

/** Ways to come between a page and the service. */
export interface Interference {
  /** Holds the answers of an operation back, until the function that it answers is called. */
  hold(operation: string): Promise<() => Promise<void>>
  /** Has an operation fail, until the function that it answers is called; with the seconds after which a page asks again by itself. */
  fail(
    operation: string,
    problem?: { readonly status?: number; readonly detail?: string; readonly retryAfter?: number },
  ): Promise<() => Promise<void>>
}

export const AWAY = 'The database is away.'

export const interferenceWith = (page: Page, expectStatus: (status: number) => void): Interference => ({
  hold: async operation => {
    const address = `**/api/app/${operation}`
    let release = (): void => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const goingOn: Promise<void>[] = []
    await page.route(address, route => {
      // The page may have left meanwhile.
      const goesOn = held.then(() => route.continue()).catch(() => {})
      goingOn.push(goesOn)
      return goesOn
    })
    return async () => {
      release()
      await Promise.all(goingOn)
      await page.unroute(address)
    }
  },
  fail: async (operation, { status = 503, detail = AWAY, retryAfter } = {}) => {
    const address = `**/api/app/${operation}`
    const code = status === 503 ? 'unavailable' : 'internal'
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    expectStatus(status)
    await page.route(address, route => route.fulfill({ status, headers, json: { status, code, detail } }))
    return () => page.unroute(address)
  },
})
