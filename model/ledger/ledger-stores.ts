import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

export interface LedgerStores {
  /** Runs a transaction that sees these workspaces. */
  readonly read: <T>(workspaceIds: readonly WorkspaceId[], work: (transaction: Transaction) => Promise<T>) => Promise<T>
  readonly analytics: Analytics
}
