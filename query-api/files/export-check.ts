import type { Transaction } from '../../infra/postgres/port.ts'
import { checkStoredRows } from '../../model/transfers/workspace/check-export.ts'
import type { RowsToStore } from '../../model/transfers/workspace/check-stored.ts'
import type { TableRules } from '../../model/transfers/workspace/rules.ts'
import type { TransferId } from '../../schemas/domain/ids.ts'
import type { ExportHeader } from '../../schemas/transfers/workspace-export.ts'
import type { Caller } from '../operations/define.ts'
import type { Worker } from '../worker/work.ts'

/** Checks an export as it passes: its lines on a thread, and in a transaction what only the database can say. */
export interface ExportCheck {
  /** Rejects with what is wrong with the lines that end here. Answers their rows, for `checkStored`. */
  add(bytes: Uint8Array): Promise<readonly RowsToStore[]>
  end(): Promise<{ readonly header: ExportHeader | null; readonly rows: readonly RowsToStore[] }>
  checkStored(transaction: Transaction, rows: readonly RowsToStore[]): Promise<void>
  /** Lets go of what was kept of it. Never rejects. */
  over(): Promise<void>
}

export const startExportCheck = async (
  worker: Worker,
  { tenantId }: Pick<Caller, 'tenantId'>,
  upload: TransferId,
  rules: ReadonlyMap<string, TableRules>,
): Promise<ExportCheck> => {
  await worker.run(tenantId, 'export', { is: 'first', upload, tenant: tenantId, rules })
  return {
    add: async bytes => (await worker.run(tenantId, 'export', { is: 'next', upload, bytes })).rows,
    end: () => worker.run(tenantId, 'export', { is: 'end', upload }),
    checkStored: checkStoredRows(rules),
    over: () =>
      worker.run(tenantId, 'export', { is: 'over', upload }).then(
        () => {},
        // The thread forgets the oldest by itself.
        () => {},
      ),
  }
}
