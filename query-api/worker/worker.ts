import { AssayError, type ErrorCode, type Violation } from '../../infra/runtime/errors.ts'
import { createFairQueue } from '../../infra/runtime/fair-queue.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { createQuestionThread } from '../../infra/runtime/threads.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import type { Question, Worker } from './work.ts'

export type WorkAnswer =
  | { readonly is: 'done'; readonly value: unknown }
  | {
      readonly is: 'refused'
      readonly code: ErrorCode
      readonly message: string
      readonly violations: readonly Violation[]
      readonly context: Readonly<Record<string, unknown>>
    }

/** The most expensive accepted work takes a tenth of either limit. */
const DEADLINE_MS = 10_000
const CPU_LIMIT_MS = 4_000
const HEAP_MEBIBYTES = 512
/** Each waiting question holds a body of 1.25 MiB, or 4 MiB of a file, in memory. */
const MAX_WAITING = 20

export const createWorker = (logger: Pick<Logger, 'warn'>): Worker => {
  const start = (name: string) => ({
    ...createQuestionThread<Question, WorkAnswer>({
      file: new URL('./worker-thread.ts', import.meta.url),
      name,
      heapMebibytes: HEAP_MEBIBYTES,
      deadlineMs: DEADLINE_MS,
      cpuLimitMs: CPU_LIMIT_MS,
      logger,
    }),
    turn: createFairQueue<TenantId>({ each: 1, waiting: MAX_WAITING }),
  })
  // Separate threads: stopping an expensive preview or merge must not lose the state of uploads.
  const [large, exports] = [start('large work'), start('exports')]
  return {
    run: (tenant, kind, input) => {
      const { ask, turn } = kind === 'export' ? exports : large
      return turn(tenant, async () => {
        // A question's kind and its input come together.
        const answered = await ask({ kind, input } as Question)
        if (answered.kind === 'failed') throw failed(answered.starved)
        const { answer } = answered
        if (answer.is === 'refused') {
          const { code, message, violations, context } = answer
          throw new AssayError(code, message, { violations, context })
        }
        // The answer belongs to this kind of work, copied from the thread.
        return answer.value as never
      })
    },
    stop: async () => void (await Promise.all([large.stop(), exports.stop()])),
  }
}

const failed = (starved: boolean): AssayError =>
  starved
    ? new AssayError('busy', 'The machine has too much to do for this now. Try again in a while.')
    : new AssayError('too_costly', 'This takes longer than one call may. Send less of it at once.')
