import { Worker } from 'node:worker_threads'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import type { Answered, Asked, MailReading } from './reader-messages.ts'

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
const HEAP_MIB = 256

export const createMailReader = ({
  logger,
  deadlineMs = DEADLINE_MS,
  thread = new URL('./reader-thread.ts', import.meta.url),
}: Options): MailReader => {
  let worker: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()
  let stopped = false

  /** The first mail starts the thread, so that an edge without any pays nothing for it. */
  const running = (): Worker => {
    worker ??= new Worker(thread, { name: 'mail', resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } })
    return worker
  }

  /** The next mail gets a new thread. */
  const end = async () => {
    const ending = worker
    worker = null
    await ending?.terminate()
  }

  const ask = (mail: Uint8Array): Promise<MailReading> => {
    const asked = running()
    const { promise, resolve, reject } = Promise.withResolvers<MailReading>()
    const tooComplex = (why: string) => {
      logger.warn({ why }, 'a mail could not be read; its thread is started again')
      void end()
      resolve({ kind: 'unreadable', reason: 'too_complex' })
    }
    const late = setTimeout(() => tooComplex('it took too long'), deadlineMs)
    const answer = ({ reading }: Answered) => resolve(reading)
    // Of the error only its kind: its words may be the mail's.
    const failed = (error: Error) => tooComplex('code' in error ? String(error.code) : error.name)
    const exited = () => reject(new AssayError('unavailable', 'The reader of mail has ended.'))
    asked.on('message', answer).on('error', failed).on('exit', exited)
    asked.postMessage({ mail } satisfies Asked)
    return promise.finally(() => {
      clearTimeout(late)
      asked.off('message', answer).off('error', failed).off('exit', exited)
    })
  }

  return {
    read: mail => {
      const reading = last.then(() => {
        if (stopped) throw new AssayError('unavailable', 'The edge is about to stop.')
        return ask(mail)
      })
      last = reading.catch(() => {})
      return reading
    },
    stop: async () => {
      stopped = true
      await end()
    },
  }
}
