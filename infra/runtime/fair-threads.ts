import type { Transferable } from 'node:worker_threads'
import { type Answered, createQuestionThread, type QuestionThreadOptions } from './threads.ts'

/** Threads that several holders share, such as tenants. */
export interface FairThreads<Holder, Question, Answer> {
  /**
   * Resolves with `failed` where the thread could not answer. Rejects with `unavailable` when the threads are stopped.
   */
  ask(holder: Holder, question: Question, transferred?: readonly Transferable[]): Promise<Answered<Answer>>
  /** Ends the threads; what is being worked on is not finished. */
  stop(): Promise<void>
}

/**
 * Question threads with a queue for each holder. The holders take turns, and one has a single thread at a time: its
 * questions wait for each other, and another's find a thread however many they are and however long each takes.
 */
export const createFairThreads = <Holder, Question, Answer>(
  count: number,
  options: QuestionThreadOptions,
): FairThreads<Holder, Question, Answer> => {
  const threads = Array.from({ length: count }, (_, at) =>
    createQuestionThread<Question, Answer>({ ...options, name: `${options.name} ${at + 1}` }),
  )
  /** The one that answered last is taken first, so that no more are started than are needed. */
  const idle = threads.toReversed()
  /** What waits, by its holder; whose turn is next comes first. */
  const queues = new Map<Holder, ((thread: (typeof threads)[number]) => void)[]>()
  const served = new Set<Holder>()

  const serveNext = (): void => {
    for (const [holder, queue] of queues) {
      if (served.has(holder)) continue
      const thread = idle.pop()
      if (thread === undefined) return
      const begin = queue.shift()
      if (queue.length === 0) queues.delete(holder)
      served.add(holder)
      begin?.(thread)
    }
  }

  /** What else the holder has comes behind what others have. */
  const ended = (holder: Holder): void => {
    served.delete(holder)
    const queue = queues.get(holder)
    if (queue === undefined) return
    queues.delete(holder)
    queues.set(holder, queue)
  }

  return {
    ask: async (holder, question, transferred = []) => {
      const queue = queues.get(holder) ?? []
      queues.set(holder, queue)
      const thread = await new Promise<(typeof threads)[number]>(begin => {
        queue.push(begin)
        serveNext()
      })
      try {
        return await thread.ask(question, transferred)
      } finally {
        idle.push(thread)
        ended(holder)
        serveNext()
      }
    },
    stop: async () => void (await Promise.all(threads.map(thread => thread.stop()))),
  }
}
