import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'

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

/** How a file may have been compressed beside itself, the smallest first: `x.js.br` is `x.js` for who takes `br`. */
const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]
const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

type Body = Uint8Array<ArrayBuffer>

interface Page {
  readonly body: Body
  readonly compressed: Partial<Record<Encoding, Body>>
  readonly type: string
  readonly etag: string
}

interface Folder {
  /** Where its files are served: `x.js` at `/assets/x.js` for `/assets/`. */
  readonly at: `/${string}`
  /** Whether a file’s name changes with what is in it, so that nobody need ask for it twice. */
  readonly immutable?: boolean
}

/** Answers a page of the web app; null for a path that is none. */
export type Pages = (request: Request, path: string) => Response | null

/**
 * Reads every file of the folder once and serves those alone: a path is looked up, never opened, so no path leads outside.
 * `x/index.html` answers at `/x`, other pages without their `.html`.
 */
export const loadPages = async (folder: URL, { at, immutable = false }: Folder): Promise<Pages> => {
  const pages = new Map<string, Page>()
  const names = await readdir(folder, { recursive: true })
  const read = async (name: string): Promise<Body> => new Uint8Array(await readFile(new URL(name, folder)))
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const body = await read(name)
    const compressed: Partial<Record<Encoding, Body>> = {}
    for (const encoding of ENCODINGS) {
      const beside = `${name}${ENDINGS[encoding]}`
      if (names.includes(beside)) compressed[encoding] = await read(beside)
    }
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`
    pages.set(addressOf(`${at}${name}`), { body, compressed, type, etag })
  }
  // `no-cache` asks each time whether the page is still the same: an update of the service is seen at once.
  const cacheControl = immutable ? 'public, max-age=31536000, immutable' : 'no-cache'
  return (request, path) => {
    const page = pages.get(path)
    if (!page) return null
    const headers = {
      'content-type': page.type,
      etag: page.etag,
      'cache-control': cacheControl,
      vary: 'accept-encoding',
    }
    if (request.headers.get('if-none-match') === page.etag) return new Response(null, { status: 304, headers })
    const encoding = ENCODINGS.find(each => page.compressed[each] !== undefined && accepts(request, each))
    const body = encoding && page.compressed[encoding]
    if (encoding === undefined || body === undefined) return new Response(page.body, { headers })
    return new Response(body, { headers: { ...headers, 'content-encoding': encoding } })
  }
}

/** The first page that one of them has. */
export const firstOf =
  (...several: readonly Pages[]): Pages =>
  (request, path) => {
    for (const pages of several) {
      const page = pages(request, path)
      if (page !== null) return page
    }
    return null
  }

const accepts = ({ headers }: Request, encoding: Encoding): boolean =>
  (headers.get('accept-encoding') ?? '')
    .split(',')
    .map(each => each.trim().split(/\s*;\s*/))
    .some(([name, quality = 'q=1']) => name === encoding && !/^q=0(\.0*)?$/.test(quality))

const addressOf = (name: string): string =>
  name
    .replaceAll('\\', '/')
    .replace(/\.html$/, '')
    .replace(/\/index$/, '')
