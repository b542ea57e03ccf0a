import { AssayError } from '../../infra/runtime/errors.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The origins whose pages may call: the service's own; on the loopback interface under each of its names. */
export const trustedOrigins = (...urls: readonly string[]): readonly string[] => {
  const origins = urls.flatMap(url => {
    const { origin, hostname, protocol, port } = new URL(url)
    const suffix = port === '' ? '' : `:${port}`
    return LOOPBACK.includes(hostname) ? LOOPBACK.map(name => `${protocol}//${name}${suffix}`) : [origin]
  })
  return [...new Set(origins)]
}

/**
 * Throws `forbidden` for a request from a page that is not the service's own, which could otherwise use a signed-in
 * browser or reach a service on this machine. Programs that are not browsers send no `Origin`.
 */
export const checkOrigin = (headers: Headers, origins: readonly string[]): void => {
  const origin = headers.get('origin')
  if (origin === null || origins.includes(origin)) return
  throw new AssayError(
    'forbidden',
    `Pages of this Origin may not call; allowed: ${origins.join(', ')}. If the service is reached at another address, set BASE_URL to it.`,
  )
}

/**
 * A request's body as text, read no further than `limit` bytes. Rejects with `too_large` beyond it, `invalid_input`
 * when it is not UTF-8, and `unsupported` when it is not declared as JSON: a page elsewhere cannot send that without a
 * preflight.
 */
export const readJsonText = async (request: Request, limit: number): Promise<string> => {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json *(;|$)/i.test(type)) {
    throw new AssayError('unsupported', 'The body must be JSON: send the header Content-Type: application/json.')
  }
  const declared = request.headers.get('content-length') ?? ''
  if (Number(declared) > limit) throw tooLarge(limit)
  // No server reads beyond a declared length, and without a stream of the request's own a call costs a third less.
  const isBounded = /^\d+$/.test(declared) && !request.headers.has('transfer-encoding')
  const bytes = isBounded ? new Uint8Array(await request.arrayBuffer()) : await readUpTo(request.body, limit)
  if (bytes.byteLength > limit) throw tooLarge(limit)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AssayError('invalid_input', 'The body is not UTF-8.')
  }
}

const readUpTo = async (body: Request['body'], limit: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (limit: number) => new AssayError('too_large', `The body is too large: at most ${limit} bytes.`)
