import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

// Software that plays a graphics card takes a third more of the processor, and draws the same.
chromium.setGraphicsMode = false

/** What the package switches off for crawlers, and a person's browser has on. */
const UNSAFE = new Set(['--disable-web-security', '--allow-running-insecure-content'])

/** A real headless Chromium whose binary comes from the package registry; nothing need be installed on the machine. */
export const launchBrowser = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    headless: true,
    args: [
      ...chromium.args.filter(arg => !UNSAFE.has(arg)),
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
