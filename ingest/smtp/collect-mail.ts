import type { Share } from '../../infra/runtime/shares.ts'
import type { BodyOutcome } from '../http/body.ts'
import type { BodyDeadlines } from '../http/body-flow.ts'
import { append, EMPTY } from '../http/pieces.ts'

interface MailStream extends AsyncIterable<Buffer> {
  destroy(): void
}

interface Collecting {
  readonly maxBytes: number
  /** The memory limits that count the mail. */
  readonly memory: Share
  readonly deadlines: BodyDeadlines
  readonly onEndless: () => void
}

interface Collected {
  readonly outcome: BodyOutcome
  /** Frees the mail's bytes. */
  readonly release: () => void
}

/**
 * Reads a mail of at most `maxBytes`. A larger mail is read and dropped, so that its sender reads the answer;
 * `onEndless` is called at twice the size. The stream of a mail that comes too slowly is destroyed. Only a complete
 * mail keeps memory.
 */
export const collectMail = async (
  stream: MailStream,
  { maxBytes, memory, deadlines, onEndless }: Collecting,
): Promise<Collected> => {
  let kept: Buffer = EMPTY
  let received = 0
  let buffered = 0
  let refused = null as 'too_large' | 'overloaded' | 'slow' | null
  const release = () => {
    kept = EMPTY
    memory.give(buffered)
    buffered = 0
  }
  const refuse = (reason: typeof refused) => {
    refused = reason
    release()
  }
  const wait = deadlines.begin(() => {
    refuse('slow')
    stream.destroy()
  })
  try {
    for await (const chunk of stream) {
      received += chunk.length
      wait.progress(chunk.length)
      if (received > 2 * maxBytes) onEndless()
      if (refused !== null) continue
      if (received > maxBytes) refuse('too_large')
      else if (memory.take(chunk.length)) {
        kept = append(kept, buffered, chunk, false)
        buffered += chunk.length
      } else refuse('overloaded')
    }
  } catch {
    // The client left before the end of its mail, unless the stream was destroyed here.
    release()
    return { outcome: { kind: refused === 'slow' ? refused : 'aborted' }, release }
  } finally {
    wait.end()
  }
  if (refused !== null) return { outcome: { kind: refused }, release }
  return { outcome: { kind: 'complete', bytes: kept.subarray(0, buffered) }, release }
}
