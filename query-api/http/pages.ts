import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { AssayError } from '../../infra/runtime/errors.ts'
import { withoutWorkspace } from '../../schemas/http/workspace-address.ts'

/** Encodings of stored pages, smallest first. */
const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]

type Body = Uint8Array<ArrayBuffer>

/** A response that is the same for everybody, held in memory. */
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

/** Answers a page in an encoding that the client accepts, or 304 when the client has the page. */
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

/** True when the client accepts this encoding. */
export const accepts = (headers: Headers, encoding: Encoding): boolean =>
  (headers.get('accept-encoding') ?? '')
    .split(',')
    .map(each => each.split(';').map(part => part.trim()))
    .some(([name, quality = 'q=1']) => name === encoding && !/^q=0(\.0*)?$/.test(quality))

/** True when the client wants HTML, as a browser does for a tab. */
export const asksForPage = (headers: Headers): boolean => /\btext\/html\b/.test(headers.get('accept') ?? '')

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

/** `x.js.br` is `x.js` for clients that accept `br`. */
const ENDINGS: Readonly<Record<(typeof ENCODINGS)[number], string>> = { br: '.br', gzip: '.gz' }

interface Folder {
  /** Address of the folder: `/assets/` serves `x.js` at `/assets/x.js`. */
  readonly at: `/${string}`
  /** True when a file's name changes with its content, so that clients need not check it again. */
  readonly immutable?: boolean
}

/** Answers a page of the web app; null for any other path. */
type Pages = (request: Request, path: string) => Response | null

/**
 * Reads every file of the folder once and serves only those: a path is looked up, never opened, so no path leads
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
  // With `no-cache` the browser checks the page each time, so an update of the service shows at once.
  const cacheControl = immutable ? 'public, max-age=31536000, immutable' : 'no-cache'
  return (request, path) => {
    const page = pages.get(path)
    return page ? answerPage(request, page, cacheControl) : null
  }
}

/** The first page that one of several sources has. */
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
  /** The one page at every address of the app. Style elements with the nonce are allowed. */
  readonly page: (nonce: string, status: 200 | 404) => Response
}

/** Placeholder of `vite.config.ts` for the response's nonce. */
const NONCE = '__NONCE__'

const ADDRESSES = /^\/(app|sign-in|sign-up|forgot-password|reset-password|verify-email)(\/|$)/

/** True when the app shows a screen for the path, or its own message that there is none. */
export const isAppAddress = (path: string): boolean => ADDRESSES.test(withoutWorkspace(path))

/** True when a path shows something of a workspace. A stranger may see an invitation. */
export const isBehindSignIn = (path: string): boolean => /^\/app(\/(?!invitation(\/|$))|$)/.test(withoutWorkspace(path))

/** Reads the output of `npm run build`. Rejects with `invalid_configuration` when it is missing. */
export const loadWebApp = async (dist: URL): Promise<WebApp> => {
  const page = await readFile(new URL('index.html', dist), 'utf8').catch(notBuilt)
  const assets = await loadPages(new URL('assets/', dist), { at: '/assets/', immutable: true })
  const beside = await loadPages(new URL('static/', dist), { at: '/static/' })
  return {
    files: firstAnswer(assets, beside),
    page: (nonce, status) =>
      new Response(page.replaceAll(NONCE, nonce), {
        status,
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
