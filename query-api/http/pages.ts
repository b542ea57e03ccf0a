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

interface Page {
  readonly body: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly etag: string
}

/** Answers a page of the web app; null for a path that is none. */
export type Pages = (request: Request, path: string) => Response | null

/**
 * Reads every file of the folder once and serves those alone: a path is looked up, never opened, so no path leads outside.
 * `x/index.html` answers at `/x`, other pages without their `.html`.
 */
export const loadPages = async (folder: URL): Promise<Pages> => {
  const pages = new Map<string, Page>()
  for (const name of await readdir(folder, { recursive: true })) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const body = new Uint8Array(await readFile(new URL(name, folder)))
    pages.set(addressOf(name), {
      body,
      type,
      etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
    })
  }
  return (request, path) => {
    const page = pages.get(path)
    if (!page) return null
    // `no-cache` asks each time whether the page is still the same: an update of the service is seen at once.
    const headers = { 'content-type': page.type, etag: page.etag, 'cache-control': 'no-cache' }
    if (request.headers.get('if-none-match') === page.etag) return new Response(null, { status: 304, headers })
    return new Response(page.body, { headers })
  }
}

const addressOf = (name: string): string =>
  `/${name
    .replaceAll('\\', '/')
    .replace(/\.html$/, '')
    .replace(/(^|\/)index$/, '')}`
