import type { Transferable } from 'node:worker_threads'
import { createFairQueue } from './fair-queue.ts'
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
  const turn = createFairQueue<Holder>({ each: 1, total: count })
  return {
    ask: (holder, question, transferred = []) =>
      turn(holder, async () => {
        // As many are under way as there are threads, at most.
        const thread = idle.pop() as (typeof threads)[number]
        return thread.ask(question, transferred).finally(() => idle.push(thread))
      }),
    stop: async () => void (await Promise.all(threads.map(thread => thread.stop()))),
  }
}
