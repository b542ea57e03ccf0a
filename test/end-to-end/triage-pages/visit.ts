import assert from 'node:assert/strict'
import type { Browser, Locator, Page } from 'playwright-core'
import { eventually } from '../../../infra/runtime/testing.ts'
import { type Agent, agentOf } from '../../support/agent.ts'
import { launchBrowser } from '../../support/browser.ts'
import { startInstallation } from '../../support/installation.ts'
import { createSignalSource, type Person, signUp } from '../../support/person.ts'
import { sendSignal } from '../../support/sender.ts'

/** Where screenshots are kept for people to look at; absent, none are made. */
const SCREENS = process.env.SCREENS_DIR

/** A person at the pages of one installation, with what a test needs around them. */
export interface Visit {
  readonly page: Page
  readonly person: Person
  readonly agent: Agent
  /** What went wrong in the page; a test takes out what it meant. */
  readonly faults: string[]
  /** Sends a signed signal and answers its id. */
  send(signal: object): Promise<string>
  open(path: string): Promise<void>
  /** The items of a list, which are there. */
  items(list: string): Locator
  screenshot(name: string): Promise<void>
  end(): Promise<void>
}

const signedIn = async (browser: Browser, person: Person): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } })
  const cookies = person.cookie.split('; ').map(pair => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('='), url: person.baseUrl }
  })
  await context.addCookies(cookies)
  return context.newPage()
}

export const startVisit = async (): Promise<Visit> => {
  const installation = await startInstallation()
  const browser = await launchBrowser()
  const person = await signUp(installation.baseUrl)
  const source = await createSignalSource(person)
  const agent = await agentOf(person)
  const page = await signedIn(browser, person)
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') faults.push(message.text())
  })
  return {
    page,
    person,
    agent,
    faults,
    send: async signal => {
      const { status, body } = await sendSignal(source, signal)
      assert.equal(status, 200, JSON.stringify(body))
      return String(body.snippet_id)
    },
    open: async path => {
      await page.goto(`${installation.baseUrl}${path}`)
    },
    items: list => page.locator(`#${list} > li`),
    screenshot: async name => {
      if (SCREENS !== undefined) await page.screenshot({ path: `${SCREENS}/${name}.png`, fullPage: true })
    },
    end: async () => {
      await agent.close()
      await browser.close()
      await installation.remove()
    },
  }
}

interface Standing {
  readonly counts: {
    readonly signals: number
    readonly waiting_proposals: number
    readonly waiting_dead_letters: number
  }
}

/** Waits until the workspace has come to this. */
export const standing = (visit: Visit, wanted: Partial<Standing['counts']>): Promise<true> =>
  eventually(`the workspace has ${JSON.stringify(wanted)}`, async () => {
    const { counts } = await visit.person.call<Standing>('orient_snapshot')
    return Object.entries(wanted).every(([name, number]) => counts[name as keyof typeof counts] === number) || null
  })

interface SignalAnswer {
  readonly signal: {
    readonly id: string
    readonly reference: string
    readonly state: string
    readonly classification: string
    readonly claims: readonly { readonly reference: string }[]
  }
}

/** A signal as the agent's tool sees it. */
export const signalOf = async ({ agent }: Visit, id: string): Promise<SignalAnswer['signal']> =>
  (await agent.call<SignalAnswer>('service_lookup', { mode: 'signal', id })).data.signal
