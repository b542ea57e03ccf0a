import { AssayError } from '../../infra/runtime/errors.ts'

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
