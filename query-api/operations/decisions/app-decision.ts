import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import type { Caller } from '../define.ts'
import type { GivenBasis } from './decision-basis.ts'

const RULE = `select requires_app_decisions as required from workspaces where id = $1`

/** What a Decision was logged about has an empty change; a change that was hung on it later does not make it about the Solution. */
const MADE_IN_APP = `
  select from decisions
  where id = $1 and through = 'app'
    and not exists (select from decision_reversals where decision_id = decisions.id)
    and exists (
      select from decision_objects
      where decision_id = decisions.id and object_kind = 'solution' and object_id = $2 and change = '{}')`

/** What a workspace may want decided in the app alone. */
export type Reserved = 'Done' | 'Dropped' | 'an Outcome'

/**
 * Where the workspace's rule says that `what` needs a Decision made in the app, refuses a key that brings none: `forbidden`. Such a Decision was
 * logged in the app, is about this Solution, and was not reversed.
 */
export const requireAppDecision = async (
  transaction: Transaction,
  caller: Caller,
  { decision_id: decisionId }: GivenBasis,
  { what, solution }: { readonly what: Reserved; readonly solution: { readonly id: string; readonly number: number } },
): Promise<void> => {
  if (caller.through.kind === 'app') return
  const [rule] = await transaction.query<{ required: boolean }>(RULE, [caller.workspaceId])
  if (!rule?.required) return
  if (decisionId !== undefined) {
    const { id } = await resolveOne(transaction, 'decision', decisionId)
    if ((await transaction.query<object>(MADE_IN_APP, [id, solution.id])).length > 0) return
  }
  const name = reference('solution', solution.number)
  throw new AssayError(
    'forbidden',
    `This workspace requires Decisions made in the app for Done, Dropped and Outcomes; nothing was changed. Ask a person to log a Decision about ${name} there, then send ${what === 'an Outcome' ? 'the Outcome' : `the move to ${what}`} again with its decision_id.`,
  )
}
