import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { answerPage, type Body, createPage, ENCODINGS, type Page } from './page.ts'

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
export const firstAnswer =
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
