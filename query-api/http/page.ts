import { createHash } from 'node:crypto'

/** How a page may have been compressed, the smallest first. */
export const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]

export type Body = Uint8Array<ArrayBuffer>

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

const accepts = (headers: Headers, encoding: Encoding): boolean =>
  (headers.get('accept-encoding') ?? '')
    .split(',')
    .map(each => each.trim().split(/\s*;\s*/))
    .some(([name, quality = 'q=1']) => name === encoding && !/^q=0(\.0*)?$/.test(quality))
