import type { Transaction } from '../../infra/postgres/port.ts'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { checkStoredRows } from '../../model/transfers/workspace/check-export.ts'
import type { RowsToStore } from '../../model/transfers/workspace/check-stored.ts'
import type { TableRules } from '../../model/transfers/workspace/rules.ts'
import type { TransferId } from '../../schemas/domain/ids.ts'
import type { ExportHeader } from '../../schemas/transfers/workspace-export.ts'
import type { Caller } from '../operations/define.ts'
import type { Worker } from '../worker/work.ts'

/** Most repeated checks for one part of an upload. */
const MAX_TRIES = 3

/**
 * True when the thread that held the upload's check has ended. A thread without room for the upload reports another
 * error.
 */
const hasThreadEnded = (thrown: unknown): boolean => isAssayError(thrown) && thrown.context.thread_ended === true

/**
 * Checks an export while it is uploaded: its lines on a worker thread, and the rules that need the database in a
 * transaction.
 */
export interface ExportCheck {
  /** Rejects with the faults of the completed lines. Answers their rows for `checkStored`. */
  add(bytes: Uint8Array): Promise<readonly RowsToStore[]>
  end(): Promise<{ readonly header: ExportHeader | null; readonly rows: readonly RowsToStore[] }>
  checkStored(transaction: Transaction, rows: readonly RowsToStore[]): Promise<void>
  /** Frees the state of the check. Never rejects. */
  over(): Promise<void>
}

/** `stored` answers all parts so far; they are checked again when the thread with the check has ended. */
export const startExportCheck = async (
  worker: Pick<Worker, 'run'>,
  { tenantId }: Pick<Caller, 'tenantId'>,
  upload: TransferId,
  rules: ReadonlyMap<string, TableRules>,
  stored: () => AsyncIterable<Uint8Array>,
): Promise<ExportCheck> => {
  const begin = async (): Promise<string> => {
    const { thread } = await worker.run(tenantId, 'export', { is: 'first', upload, tenant: tenantId, rules })
    return thread
  }
  let thread = await begin()
  const next = (bytes: Uint8Array) => worker.run(tenantId, 'export', { is: 'next', upload, thread, bytes })
  const checkAgain = async (): Promise<void> => {
    thread = await begin()
    for await (const bytes of stored()) await next(bytes)
  }
  /** Another upload may end the thread again during the repeated check. */
  const evenAfterAnEnd = async <T>(work: () => Promise<T>): Promise<T> => {
    let again: (() => Promise<void>) | null = null
    for (let tries = 0; ; tries += 1) {
      try {
        await again?.()
        return await work()
      } catch (error) {
        if (!hasThreadEnded(error) || tries === MAX_TRIES) throw error
        again = checkAgain
      }
    }
  }
  return {
    add: async bytes => (await evenAfterAnEnd(() => next(bytes))).rows,
    end: () => evenAfterAnEnd(() => worker.run(tenantId, 'export', { is: 'end', upload, thread })),
    checkStored: checkStoredRows(rules),
    over: () =>
      worker.run(tenantId, 'export', { is: 'over', upload }).then(
        () => {},
        // The thread drops the oldest checks on its own.
        () => {},
      ),
  }
}
