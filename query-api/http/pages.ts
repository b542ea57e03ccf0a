import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { AssayError } from '../../infra/runtime/errors.ts'

/** How a page may have been compressed, the smallest first. */
const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]

type Body = Uint8Array<ArrayBuffer>

/** Something that is the same for everybody, held ready in memory. */
export interface Page {
  readonly body: Body
  readonly compressed: Partial<Record<Encoding, Body>>
  readonly type: string
  readonly etag: string
}

export const createPage = (body: Body, type: string, compressed: Page['compressed'] = {}): Page => ({
  body,
  compressed,
  type,
  etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
})

/** Answers a page as its client takes it, or that the client has it already. */
export const answerPage = ({ headers: requestHeaders }: Request, page: Page, cacheControl: string): Response => {
  const headers = {
    'content-type': page.type,
    etag: page.etag,
    'cache-control': cacheControl,
    vary: 'accept-encoding',
  }
  if (requestHeaders.get('if-none-match') === page.etag) return new Response(null, { status: 304, headers })
  const encoding = ENCODINGS.find(each => page.compressed[each] !== undefined && accepts(requestHeaders, each))
  const body = encoding && page.compressed[encoding]
  if (encoding === undefined || body === undefined) return new Response(page.body, { headers })
  return new Response(body, { headers: { ...headers, 'content-encoding': encoding } })
}

/** Whether a client takes what is compressed so. */
export const accepts = (headers: Headers, encoding: Encoding): boolean =>
  (headers.get('accept-encoding') ?? '')
    .split(',')
    .map(each => each.split(';').map(part => part.trim()))
    .some(([name, quality = 'q=1']) => name === encoding && !/^q=0(\.0*)?$/.test(quality))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

/** `x.js.br` is `x.js` for who takes `br`. */
const ENDINGS: Readonly<Record<(typeof ENCODINGS)[number], string>> = { br: '.br', gzip: '.gz' }

interface Folder {
  /** Where its files are served: `x.js` at `/assets/x.js` for `/assets/`. */
  readonly at: `/${string}`
  /** Whether a file’s name changes with what is in it, so that nobody need ask for it twice. */
  readonly immutable?: boolean
}

/** Answers a page of the web app; null for a path that is none. */
type Pages = (request: Request, path: string) => Response | null

/**
 * Reads every file of the folder once and serves those alone: a path is looked up, never opened, so no path leads
 * outside. `x/index.html` answers at `/x`, other pages without their `.html`.
 */
const loadPages = async (folder: URL, { at, immutable = false }: Folder): Promise<Pages> => {
  const pages = new Map<string, Page>()
  const names = await readdir(folder, { recursive: true })
  const read = async (name: string): Promise<Body> => new Uint8Array(await readFile(new URL(name, folder)))
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const body = await read(name)
    const compressed: { -readonly [Encoding in keyof Page['compressed']]: Body } = {}
    for (const encoding of ENCODINGS) {
      const beside = `${name}${ENDINGS[encoding]}`
      if (names.includes(beside)) compressed[encoding] = await read(beside)
    }
    pages.set(addressOf(`${at}${name}`), createPage(body, type, compressed))
  }
  // `no-cache` asks each time whether the page is still the same: an update of the service is seen at once.
  const cacheControl = immutable ? 'public, max-age=31536000, immutable' : 'no-cache'
  return (request, path) => {
    const page = pages.get(path)
    return page ? answerPage(request, page, cacheControl) : null
  }
}

/** The first page that one of them has. */
const firstAnswer =
  (...several: readonly Pages[]): Pages =>
  (request, path) => {
    for (const pages of several) {
      const page = pages(request, path)
      if (page !== null) return page
    }
    return null
  }

const addressOf = (name: string): string =>
  name
    .replaceAll('\\', '/')
    .replace(/\.html$/, '')
    .replace(/\/index$/, '')

/** The built web app. */
export interface WebApp {
  readonly files: Pages
  /** The one page that every address of the app answers. Style elements that carry the nonce are let through. */
  readonly page: (nonce: string) => Response
}

/** What `vite.config.ts` writes where a response’s nonce belongs. */
const NONCE = '__NONCE__'

const ADDRESSES = /^\/(app|sign-in|sign-up|forgot-password|reset-password|verify-email)(\/|$)/

/** Whether a path is one that the app shows a screen for, or says itself that there is none. */
export const isAppAddress = (path: string): boolean => ADDRESSES.test(path)

/** Whether a path shows something of a workspace. What an invitation is to, a stranger may see. */
export const isBehindSignIn = (path: string): boolean => /^\/app(\/(?!invitation(\/|$))|$)/.test(path)

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
