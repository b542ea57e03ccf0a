import { readFile } from 'node:fs/promises'
import { AssayError } from '../../infra/runtime/errors.ts'
import { firstAnswer, loadPages, type Pages } from './pages.ts'

/** The built web app. */
export interface WebApp {
  readonly files: Pages
  /** The one page that every address of the app answers. Style elements that carry the nonce are let through. */
  readonly page: (nonce: string) => Response
}

/** What `vite.config.ts` writes where a response’s nonce belongs. */
const NONCE = '__NONCE__'

const ADDRESSES = /^\/(app|sign-in|sign-up)(\/|$)/

/** Whether a path is one that the app shows a screen for, or says itself that there is none. */
export const isAppAddress = (path: string): boolean => ADDRESSES.test(path)

/** Reads what `npm run build` made. Rejects with `invalid_configuration` when it was not run. */
export const loadWebApp = async (dist: URL): Promise<WebApp> => {
  const page = await readFile(new URL('index.html', dist), 'utf8').catch(notBuilt)
  const assets = await loadPages(new URL('assets/', dist), { at: '/assets/', immutable: true })
  const beside = await loadPages(new URL('static/', dist), { at: '/static/' })
  return {
    files: firstAnswer(assets, beside),
    page: nonce =>
      new Response(page.replaceAll(NONCE, nonce), {
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      }),
  }
}

const notBuilt = (cause: unknown): never => {
  throw new AssayError(
    'invalid_configuration',
    'The web app is not built: web/dist has no index.html. `npm run build` builds it; where only what production needs is installed, `npm ci --include=dev` does.',
    { cause },
  )
}
