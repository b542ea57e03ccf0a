import { AssayError } from '../../../infra/runtime/errors.ts'
import { createFairThreads } from '../../../infra/runtime/fair-threads.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import type { Automatic } from '../../../schemas/domain/automatic-mail.ts'
import type { TenantId } from '../../../schemas/domain/ids.ts'
import type { ProjectedMail } from '../../../schemas/http/email.ts'

/** What a mail turned out to be. */
export type MailReading =
  | {
      readonly kind: 'mail'
      readonly mail: ProjectedMail
      readonly messageId: string | null
      /** Why the mail is kept apart: an answer that a program gave, or a report about other mail. */
      readonly automatic: Automatic | null
    }
  /** An automatic mail that shows neither a subject nor a text. */
  | { readonly kind: 'ignored' }
  /** It cannot be evidence, for a reason that its sender can do something about. */
  | { readonly kind: 'unreadable'; readonly reason: 'malformed' | 'too_complex' | 'without_text' }

/** To the reader's thread, which answers before it is asked again. */
export interface ReadRequest {
  readonly mail: Uint8Array
  /** The envelope's: empty for a report or an automatic answer, null when the envelope is not known. */
  readonly sender: string | null
}

/** From the reader's thread. */
export interface ReadResponse {
  readonly reading: MailReading
}

/** Reads mail away from the thread that serves requests, on threads that the tenants share. */
export interface MailReader {
  /**
   * The mails of a tenant are read one after the other, and tenants take turns. Rejects for nothing that a mail is, but
   * with `unavailable` when the reader is stopped, and with `busy` when the machine was too busy to read the mail in
   * time: nothing is known of it then.
   */
  read(tenant: TenantId, mail: Uint8Array, sender?: string | null): Promise<MailReading>
  /** Ends the threads; what is being read is not read any further. */
  stop(): Promise<void>
}

interface Options {
  readonly logger: Pick<Logger, 'warn'>
  /** A mail that needs more of a processor is too complex to be a person's, and is refused. */
  readonly cpuLimitMs?: number
  /** One that did not have so much by then was not read at all. */
  readonly deadlineMs?: number
  /** The threads' file; a test brings one of its own. */
  readonly thread?: URL
}

const THREADS = 2
/** The dearest mail of a person takes a tenth of this, and the start of a thread a quarter. */
const CPU_LIMIT_MS = 2_000
/** The threads give way to all others: a mail can wait for long on a busy machine. */
const DEADLINE_MS = 10_000
const HEAP_MEBIBYTES = 256

export const createMailReader = ({
  logger,
  cpuLimitMs = CPU_LIMIT_MS,
  deadlineMs = DEADLINE_MS,
  thread = new URL('./reader-thread.ts', import.meta.url),
}: Options): MailReader => {
  const { ask, stop } = createFairThreads<TenantId, ReadRequest, ReadResponse>(THREADS, {
    file: thread,
    name: 'mail',
    heapMebibytes: HEAP_MEBIBYTES,
    deadlineMs,
    cpuLimitMs,
    logger,
  })
  return {
    read: async (tenant, mail, sender = null) => {
      const answered = await ask(tenant, { mail, sender })
      if (answered.kind === 'answered') return answered.answer.reading
      if (answered.starved) throw new AssayError('busy', 'The machine was too busy to read the mail.')
      return { kind: 'unreadable', reason: 'too_complex' }
    },
    stop,
  }
}
