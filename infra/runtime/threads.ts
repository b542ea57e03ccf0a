import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Transferable, Worker } from 'node:worker_threads'
import { AssayError, type ErrorCode } from './errors.ts'
import type { Logger } from './logger.ts'
import { timerMs } from './timers.ts'

/**
 * A thread that answers questions one after another. A question that takes seconds, or never ends, does not block the
 * asking thread.
 */
interface QuestionThread<Question, Answer> {
  /** Resolves with `failed` where the thread could not answer. Rejects with `unavailable` when it is stopped. */
  ask(question: Question, transferred?: readonly Transferable[]): Promise<Answered<Answer>>
  /** Ends the thread. The question under way is not finished. */
  stop(): Promise<void>
}

/** `cpuMs` is the CPU time of the question, ms. */
export type Answered<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly cpuMs: number }
  /**
   * `starved`: the deadline passed before the question had used `cpuLimitMs`, since other threads had the processor.
   * This says nothing about the question.
   */
  | { readonly kind: 'failed'; readonly starved: boolean; readonly cpuMs: number }

export interface QuestionThreadOptions {
  /** A module that posts one answer for each message. */
  readonly file: URL
  readonly name: string
  /** The thread's `workerData`. */
  readonly data?: unknown
  readonly heapMebibytes: number
  readonly deadlineMs: number
  /**
   * CPU limit of a question, ms, including the start of the thread. Without a limit only the deadline ends a question,
   * and none counts as starved.
   */
  readonly cpuLimitMs?: number
  readonly logger: Pick<Logger, 'warn'>
}

/** CPU time of a thread, ms; null where the thread does not tell within a second, while it starts or ends. */
const cpuMsOf = async (worker: Worker): Promise<number | null> => {
  const usage = worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => null,
  )
  return Promise.race([usage, sleep(CPU_USAGE_DEADLINE_MS, null, { ref: false })])
}

const CPU_USAGE_DEADLINE_MS = 1000
const LOOK_AT_CPU_EVERY_MS = 100

/**
 * The first question starts the thread. A question that fails or passes its deadline ends the thread; the next question
 * gets a new one.
 *
 * @example
 * const thread = createQuestionThread<string, number>({ file, name, heapMebibytes: 256, deadlineMs: 5000, logger })
 * const answered = await thread.ask('a text')
 */
export const createQuestionThread = <Question, Answer>(
  options: QuestionThreadOptions,
): QuestionThread<Question, Answer> => {
  const { file, name, data, heapMebibytes, deadlineMs, cpuLimitMs = 0, logger } = options
  let worker: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()
  let stopped = false

  const end = async () => {
    const ending = worker
    worker = null
    await ending?.terminate()
  }

  const askNow = (question: Question, transferred: readonly Transferable[]): Promise<Answered<Answer>> => {
    worker ??= new Worker(file, { name, workerData: data, resourceLimits: { maxOldGenerationSizeMb: heapMebibytes } })
    const thread = worker
    const { promise, resolve, reject } = Promise.withResolvers<Answered<Answer>>()
    let isAnswered = false
    const fail = (why: string, cpuMs: number, starved = false) => {
      if (isAnswered) return
      logger.warn({ why, thread: name }, 'a thread could not answer, and is started again')
      void end()
      resolve({ kind: 'failed', starved, cpuMs })
    }
    const atFirst = cpuMsOf(thread)
    /** Null where the thread does not tell. */
    const usedMs = async (): Promise<number | null> => {
      const [before, now] = await Promise.all([atFirst, cpuMsOf(thread)])
      return now === null ? null : now - (before ?? 0)
    }
    const late = setTimeout(async () => {
      const used = (await usedMs()) ?? cpuLimitMs
      const starved = used < cpuLimitMs
      fail(starved ? 'it had too little of a processor' : 'it took too long', used, starved)
    }, timerMs(deadlineMs))
    const look = async () => {
      const used = (await usedMs()) ?? 0
      if (used >= cpuLimitMs) fail('it used too much of a processor', used)
    }
    const looking = cpuLimitMs > 0 ? setInterval(look, LOOK_AT_CPU_EVERY_MS) : undefined
    const answered = async (answer: Answer) => {
      isAnswered = true
      resolve({ kind: 'answered', answer, cpuMs: (await usedMs()) ?? 0 })
    }
    // Logs only the error's kind: its message may quote a sender.
    const failed = (error: Error) => fail('code' in error ? String(error.code) : error.name, cpuLimitMs)
    const exited = () => reject(new AssayError('unavailable', `The thread ${name} has ended.`))
    thread.on('message', answered).on('error', failed).on('exit', exited)
    thread.postMessage(question, [...transferred])
    return promise.finally(() => {
      clearTimeout(late)
      clearInterval(looking)
      thread.off('message', answered).off('error', failed).off('exit', exited)
    })
  }

  return {
    ask: (question, transferred = []) => {
      const asking = last.then(() => {
        if (stopped) throw new AssayError('unavailable', `The thread ${name} is about to stop.`)
        return askNow(question, transferred)
      })
      last = asking.catch(() => {})
      return asking
    },
    stop: async () => {
      stopped = true
      await end()
    },
  }
}

/** A thread's first message: it runs, or why it cannot. */
export type Started =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }

/** Resolves once the thread runs. Rejects with the reason why it refused to start, or with the error that ended it. */
export const started = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (message: Started) => {
      worker.off('error', reject)
      if (message.kind === 'refused') reject(new AssayError(message.code, message.message))
      else resolve()
    })
  })

/** Niceness of a thread whose work can wait. */
const BEHIND_OTHERS = 10

/**
 * Lowers the calling thread's priority. Linux has a priority for each thread; elsewhere this would affect the whole
 * process, and nothing is changed.
 */
export const giveWayToOtherThreads = (): void => {
  if (process.platform === 'linux') setPriority(0, BEHIND_OTHERS)
}
