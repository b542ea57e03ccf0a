import { AssayError } from '../../infra/runtime/errors.ts'

/**
 * A request's body as text, read no further than `limit` bytes. Rejects with `too_large` beyond it, `invalid_input` when it is
 * not UTF-8, and `unsupported` when it is not declared as JSON: a page elsewhere cannot send that without a preflight.
 */
export const readJsonText = async (request: Request, limit: number): Promise<string> => {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json *(;|$)/i.test(type)) {
    throw new AssayError('unsupported', 'The body must be JSON: send the header Content-Type: application/json.')
  }
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength
    if (length > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new AssayError('invalid_input', 'The body is not UTF-8.')
  }
}

const tooLarge = (limit: number) => new AssayError('too_large', `The body is too large: at most ${limit} bytes.`)
