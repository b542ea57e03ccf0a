import type { Transaction } from '../../../infra/postgres/port.ts'
import { closeSource as close } from '../../../model/sources/change-sources.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { noSource } from './find-source.ts'

/** Rejects with `not_found`. */
export const closeSource = async (transaction: Transaction, workspaceId: WorkspaceId, id: string): Promise<void> => {
  if (!(await close(transaction, workspaceId, id))) noSource(id)
}
