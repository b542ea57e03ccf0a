import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

const REMOVE = `
  delete from signal_vectors using signals
  where signals.workspace_id = $1 and signals.number > $3 and signals.number <= $4
    and signal_vectors.signal_id = signals.id and signal_vectors.model <> $2`

/** Removes the vectors of models other than this one, of the signals with a number behind `after` up to `through`. */
export const removeOtherModels = async (
  transaction: Transaction,
  range: {
    readonly workspaceId: WorkspaceId
    readonly model: string
    readonly after: number
    readonly through: number
  },
): Promise<void> => {
  await transaction.query(REMOVE, [range.workspaceId, range.model, range.after, range.through])
}
