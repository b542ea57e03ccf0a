import type { Transaction } from '../../../infra/postgres/port.ts'
import { beginChange, forgetChange, storeChange } from '../../../model/undo/changes.ts'
import type { ChangeId } from '../../../schemas/domain/ids.ts'
import type { Answer, WriteContext, WriteOperation } from '../define.ts'

interface Recorded {
  readonly answer: Answer<unknown>
  /** Null where nothing was changed, or what was cannot be taken back. */
  readonly changeId: ChangeId | null
}

interface Recording {
  readonly context: WriteContext
  readonly input: Readonly<Record<string, unknown>>
  readonly at: Date
}

/** Runs a write, and keeps what it changes under the context's `changeId`, so that it can be taken back. */
export const recordChange = async (
  transaction: Transaction,
  operation: WriteOperation,
  { context: { caller, changeId }, input, at }: Recording,
  apply: () => Promise<Answer<unknown>>,
): Promise<Recorded> => {
  // What works as another role is about who may enter, or empties a whole workspace.
  if (operation.cannotBeUndone !== undefined || operation.worksAs !== undefined) {
    return { answer: await apply(), changeId: null }
  }
  await beginChange(transaction, changeId)
  const answer = await apply()
  if (answer.isUndoable === false) {
    await forgetChange(transaction, changeId)
    return { answer, changeId: null }
  }
  const stored = await storeChange(transaction, caller, {
    id: changeId,
    operation: operation.name,
    action: typeof input.action === 'string' ? input.action : null,
    forPeople: operation.audience === 'people',
    at,
    undoes: answer.undoes ?? null,
  })
  return { answer, changeId: stored ? changeId : null }
}
