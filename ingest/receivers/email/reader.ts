import { AssayError } from '../../../infra/runtime/errors.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import { createQuestionThread } from '../../../infra/runtime/threads.ts'
import type { ProjectedMail } from '../../../schemas/http/email.ts'

/** What a mail turned out to be. */
export type MailReading =
  | { readonly kind: 'mail'; readonly mail: ProjectedMail; readonly messageId: string | null }
  /** An answer that a program gave, or a report about other mail: nobody said anything. */
  | { readonly kind: 'ignored' }
  /** It cannot be evidence, for a reason that its sender can do something about. */
  | { readonly kind: 'unreadable'; readonly reason: 'malformed' | 'too_complex' | 'without_text' }

/** To the reader's thread, which answers before it is asked again. */
export interface ReadRequest {
  readonly mail: Uint8Array
}

/** From the reader's thread. */
export interface ReadResponse {
  readonly reading: MailReading
}

/** Reads mail away from the thread that serves requests: a large or a hostile one takes seconds. */
export interface MailReader {
  /**
   * Mails are read one after the other. Rejects for nothing that a mail is, but with `unavailable` when the reader is
   * stopped, and with `busy` when the machine was too busy to read the mail in time: nothing is known of it then.
   */
  read(mail: Uint8Array): Promise<MailReading>
  /** Ends the thread; what is being read is not read any further. */
  stop(): Promise<void>
}

interface Options {
  readonly logger: Pick<Logger, 'warn'>
  /** A mail that takes longer is too complex to be a person's. */
  readonly deadlineMs?: number
  /** One that did not have so much of a processor by then was not read at all. */
  readonly enoughCpuMs?: number
  /** The thread's file; a test brings one of its own. */
  readonly thread?: URL
}

const DEADLINE_MS = 10_000
/**
 * The thread gives way to all others: a mail can wait for ten seconds on a busy machine. The dearest takes a tenth of
 * this.
 */
const ENOUGH_CPU_MS = 2000
const HEAP_MEBIBYTES = 256

export const createMailReader = ({
  logger,
  deadlineMs = DEADLINE_MS,
  enoughCpuMs = ENOUGH_CPU_MS,
  thread = new URL('./reader-thread.ts', import.meta.url),
}: Options): MailReader => {
  const { ask, stop } = createQuestionThread<ReadRequest, ReadResponse>({
    file: thread,
    name: 'mail',
    heapMebibytes: HEAP_MEBIBYTES,
    deadlineMs,
    enoughCpuMs,
    logger,
  })
  return {
    read: async mail => {
      const answered = await ask({ mail })
      if (answered.kind === 'answered') return answered.answer.reading
      if (answered.starved) throw new AssayError('busy', 'The machine was too busy to read the mail.')
      return { kind: 'unreadable', reason: 'too_complex' }
    },
    stop,
  }
}
