import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import chromium from '@sparticuz/chromium'
import type { Browser, BrowserContext } from 'playwright-core'
import type { Person } from './person.ts'

// Imported, its two megabytes would be searched for the names that they export, anew in each process.
const { chromium: playwright } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core')

// Software that plays a graphics card takes a third more of the processor, and draws the same.
chromium.setGraphicsMode = false

/** What the package switches off for crawlers, and a person's browser has on. */
const UNSAFE = new Set(['--disable-web-security', '--allow-running-insecure-content'])

/**
 * Unpacks the browser where that was not done on this machine, and answers its path. Files that did so at the same
 * moment would start what another still writes (ETXTBSY).
 */
export const unpackBrowser = (): Promise<string> => chromium.executablePath()

/** Has it found where it is looked for, in the directory of temporary files, when that is another by now. */
export const linkBrowser = async (path: string): Promise<void> => {
  const place = join(tmpdir(), basename(path))
  if (!existsSync(place)) await symlink(path, place)
}

/** A real headless Chromium whose binary comes from the package registry; nothing need be installed on the machine. */
export const launchBrowser = async (added: readonly string[] = []): Promise<Browser> =>
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
      ...added,
    ],
  })

/** Makes the person the one who is signed in. */
export const signInBrowser = async (context: BrowserContext, { cookie, baseUrl }: Person): Promise<void> => {
  const cookies = cookie.split('; ').map(pair => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('='), url: baseUrl }
  })
  await context.addCookies(cookies)
}
