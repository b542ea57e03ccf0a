import type { Readable } from 'node:stream'
import type { ByteBudget } from '../append/byte-budget.ts'

type Collected =
  | { readonly kind: 'complete'; readonly bytes: Buffer; readonly release: () => void }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'overloaded' }
  | { readonly kind: 'aborted' }

/**
 * Reads a mail of at most `maxBytes`. A larger one is read on and dropped, so that its sender gets to read the answer; `onEndless` is
 * called when it is twice as large. Frees everything it holds unless the mail is complete.
 */
export const collectMessage = async (
  stream: Readable,
  maxBytes: number,
  budget: ByteBudget,
  onEndless: () => void,
): Promise<Collected> => {
  const chunks: Buffer[] = []
  let received = 0
  let buffered = 0
  let refused: 'too_large' | 'overloaded' | null = null
  const release = () => {
    chunks.length = 0
    budget.give(buffered)
    buffered = 0
  }
  const refuse = (reason: 'too_large' | 'overloaded') => {
    refused ??= reason
    release()
  }
  try {
    for await (const chunk of stream) {
      received += chunk.length
      if (received > 2 * maxBytes) onEndless()
      if (refused !== null) continue
      if (received > maxBytes) refuse('too_large')
      else if (budget.take(chunk.length)) {
        buffered += chunk.length
        chunks.push(chunk)
      } else refuse('overloaded')
    }
  } catch {
    // The client left before the end of its mail.
    release()
    return { kind: 'aborted' }
  }
  if (refused !== null) return { kind: refused }
  return { kind: 'complete', bytes: Buffer.concat(chunks), release }
}
