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

/** What a holder spent of a processor counts for half after so long. */
const HALF_LIFE_MS = 30_000

/** What holders have spent of a processor lately, in milliseconds. Who has nothing left of it is forgotten. */
const createSpending = <Holder>() => {
  const spending = new Map<Holder, { readonly cpuMs: number; readonly at: number }>()
  const spentBy = (holder: Holder): number => {
    const { cpuMs = 0, at = 0 } = spending.get(holder) ?? {}
    const left = cpuMs * 0.5 ** ((performance.now() - at) / HALF_LIFE_MS)
    return left < 1 ? 0 : left
  }
  return {
    spentBy,
    spend: (holder: Holder, cpuMs: number): void => {
      const before = spentBy(holder)
      // Those that spent again longest ago come first.
      for (const [other] of spending) {
        if (spentBy(other) > 0) break
        spending.delete(other)
      }
      spending.delete(holder)
      spending.set(holder, { cpuMs: before + cpuMs, at: performance.now() })
    },
  }
}

/**
 * Question threads with a queue for each holder. Whoever spent least of a processor lately comes next, and among equals
 * whoever waits longest. One has a single thread at a time: its questions wait for each other, and another's find a
 * thread however many they are and however long each takes.
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
  const { spentBy, spend } = createSpending<Holder>()
  const turn = createFairQueue<Holder>({ each: 1, total: count, spentBy })
  return {
    ask: (holder, question, transferred = []) =>
      turn(holder, async () => {
        // As many are under way as there are threads, at most.
        const thread = idle.pop() as (typeof threads)[number]
        try {
          const answered = await thread.ask(question, transferred)
          spend(holder, answered.cpuMs)
          return answered
        } finally {
          idle.push(thread)
        }
      }),
    stop: async () => void (await Promise.all(threads.map(thread => thread.stop()))),
  }
}
