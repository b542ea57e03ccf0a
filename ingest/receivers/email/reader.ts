import type { Logger } from '../../../infra/runtime/logger.ts'
import { createQuestionThread } from '../../../infra/runtime/question-thread.ts'
import type { MailReading, ReadRequest, ReadResponse } from './reader-messages.ts'

/** Reads mail away from the thread that serves requests: a large or a hostile one takes seconds. */
export interface MailReader {
  /** Mails are read one after the other. Rejects for nothing that a mail is, but with `unavailable` when the reader is stopped. */
  read(mail: Uint8Array): Promise<MailReading>
  /** Ends the thread; what is being read is not read any further. */
  stop(): Promise<void>
}

interface Options {
  readonly logger: Pick<Logger, 'warn'>
  /** A mail that takes longer is too complex to be a person's. */
  readonly deadlineMs?: number
  /** The thread's file; a test brings one of its own. */
  readonly thread?: URL
}

const DEADLINE_MS = 10_000
const HEAP_MEBIBYTES = 256

export const createMailReader = ({
  logger,
  deadlineMs = DEADLINE_MS,
  thread = new URL('./reader-thread.ts', import.meta.url),
}: Options): MailReader => {
  const { ask, stop } = createQuestionThread<ReadRequest, ReadResponse>({
    file: thread,
    name: 'mail',
    heapMebibytes: HEAP_MEBIBYTES,
    deadlineMs,
    logger,
  })
  return {
    read: async mail => {
      const answered = await ask({ mail })
      return answered.kind === 'answered' ? answered.answer.reading : { kind: 'unreadable', reason: 'too_complex' }
    },
    stop,
  }
}
