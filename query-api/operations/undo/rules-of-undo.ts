import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { outcomeOf } from '../../../model/outcomes/outcomes.ts'
import { lockSolution } from '../../../model/solutions/change-solution.ts'
import type { NetRow } from '../../../model/undo/changed-rows.ts'
import { requiresAppDecisions } from '../../../model/workspaces/workspaces.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import type { Caller } from '../define.ts'

/** Done, Dropped and Outcomes, which a workspace may want decided in the app alone. */
const isReserved = ({ table, before }: NetRow): boolean =>
  table === 'outcomes' ||
  (table === 'solutions' && (before === null || before.state === 'Done' || before.state === 'Dropped'))

/** Refuses what would leave a Solution in a state that nobody may bring it into. Throws `forbidden` or `conflict`. */
export const refuseWhatRulesForbid = async (
  transaction: Transaction,
  caller: Caller,
  net: readonly NetRow[],
): Promise<void> => {
  const needsApp = caller.via.kind === 'key' && net.some(isReserved)
  if (needsApp && (await requiresAppDecisions(transaction, caller.workspaceId))) {
    throw new AssayError(
      'forbidden',
      'This workspace requires Decisions made in the app for Done, Dropped and Outcomes; nothing was changed. Ask a person to take it back there.',
    )
  }
  for (const { table, key, before, after } of net) {
    if (table === 'solutions' && after?.state === 'Done' && before !== null) {
      await refuseOutcome(transaction, String(key.id))
    }
    if (table === 'roadmap_items' && after === null) await refuseFinished(transaction, String(key.solution_id))
  }
}

const refuseOutcome = async (transaction: Transaction, id: string): Promise<void> => {
  if (!(await outcomeOf(transaction, id))) return
  const { number } = await lockSolution(transaction, id, undefined)
  const name = reference('solution', number)
  throw new AssayError(
    'conflict',
    `The Outcome of ${name} was recorded, which needs Done; nothing was changed. Take that back first.`,
  )
}

const refuseFinished = async (transaction: Transaction, id: string): Promise<void> => {
  const { number, state } = await lockSolution(transaction, id, undefined)
  if (state !== 'Done' && state !== 'Dropped') return
  const name = reference('solution', number)
  throw new AssayError(
    'conflict',
    `${name} is ${state}, and the roadmap takes what is still to be done; nothing was changed.`,
  )
}
