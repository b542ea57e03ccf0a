import type { Transferable } from 'node:worker_threads'
import { createFairQueue } from './fair-queue.ts'
import { type Answered, createQuestionThread, type QuestionThreadOptions } from './threads.ts'

/** Threads that several holders, such as tenants, share. */
export interface FairThreads<Holder, Question, Answer> {
  /**
   * Resolves with `failed` where the thread could not answer. Rejects with `unavailable` when the threads are stopped.
   */
  ask(holder: Holder, question: Question, transferred?: readonly Transferable[]): Promise<Answered<Answer>>
  /** Ends the threads. Questions under way are not finished. */
  stop(): Promise<void>
}

/** Half-life of recorded CPU spending. */
const HALF_LIFE_MS = 30_000

/** CPU that each holder has spent lately, in ms, with exponential decay. A holder below 1 ms is forgotten. */
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
      // The map is in the order of the last spending, oldest first.
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
 * Question threads behind a fair queue. The holder that spent least CPU lately comes next, among equals the one that
 * has waited longest. A holder has one thread at a time: the number and cost of its questions do not delay other
 * holders.
 */
export const createFairThreads = <Holder, Question, Answer>(
  count: number,
  options: QuestionThreadOptions,
): FairThreads<Holder, Question, Answer> => {
  const threads = Array.from({ length: count }, (_, at) =>
    createQuestionThread<Question, Answer>({ ...options, name: `${options.name} ${at + 1}` }),
  )
  /** A stack: the thread that answered last is used first, so that no more threads are started than are needed. */
  const idle = threads.toReversed()
  const { spentBy, spend } = createSpending<Holder>()
  const turn = createFairQueue<Holder>({ each: 1, total: count, spentBy })
  return {
    ask: (holder, question, transferred = []) =>
      turn(holder, async () => {
        // The queue lets at most `count` questions through, hence a thread is idle here.
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
