import { AssayError } from '../../../infra/runtime/errors.ts'
import { createFairThreads } from '../../../infra/runtime/fair-threads.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import type { Automatic } from '../../../schemas/domain/automatic-mail.ts'
import type { TenantId } from '../../../schemas/domain/ids.ts'
import type { ProjectedMail } from '../../../schemas/http/email.ts'

/** The result of reading a mail. */
export type MailReading =
  | {
      readonly kind: 'mail'
      readonly mail: ProjectedMail
      readonly messageId: string | null
      /** Why the mail is kept apart: a program's answer, or a report about other mail. */
      readonly automatic: Automatic | null
    }
  /** An automatic mail without subject and text. */
  | { readonly kind: 'ignored' }
  /** Cannot be evidence, for a reason that the sender can change. */
  | { readonly kind: 'unreadable'; readonly reason: 'malformed' | 'too_complex' | 'without_text' }

/** Sent to the reader's thread, which answers before the next request. */
export interface ReadRequest {
  readonly mail: Uint8Array
  /** The envelope's sender: empty for a report or an automatic answer, null without an envelope. */
  readonly sender: string | null
}

/** Sent by the reader's thread. */
export interface ReadResponse {
  readonly reading: MailReading
}

/** Reads mail on threads that all tenants share, away from the thread that serves requests. */
export interface MailReader {
  /**
   * Reads a tenant's mails one after another; tenants take turns. Resolves whatever the mail is. Rejects with
   * `unavailable` when the reader is stopped, and with `busy` when the machine was too busy to read the mail in time.
   */
  read(tenant: TenantId, mail: Uint8Array, sender?: string | null): Promise<MailReading>
  /** Ends the threads. A mail under way is not finished. */
  stop(): Promise<void>
}

interface Options {
  readonly logger: Pick<Logger, 'warn'>
  /** CPU limit of a mail, ms. A mail above it is too complex to be a person's, and is refused. */
  readonly cpuLimitMs?: number
  /** A mail that had less CPU time than the limit by then counts as not read, ms. */
  readonly deadlineMs?: number
  /** The threads' file; tests give their own. */
  readonly thread?: URL
}

const THREADS = 2
/** The dearest mail of a person takes a tenth of this, and a thread's start a quarter. */
const CPU_LIMIT_MS = 2_000
/** The threads have a low priority: a mail may wait long on a busy machine. */
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
