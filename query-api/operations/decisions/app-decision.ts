import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { isLoggedInApp } from '../../../model/decisions/read-decisions.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { requiresAppDecisions } from '../../../model/workspaces/requires-app-decisions.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import type { Caller } from '../define.ts'
import type { GivenBasis } from './decision-basis.ts'

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
  if (!(await requiresAppDecisions(transaction, caller.workspaceId))) return
  if (decisionId !== undefined) {
    const { id } = await resolveOne(transaction, 'decision', decisionId)
    if (await isLoggedInApp(transaction, id, { kind: 'solution', id: solution.id })) return
  }
  const name = reference('solution', solution.number)
  throw new AssayError(
    'forbidden',
    `This workspace requires Decisions made in the app for Done, Dropped and Outcomes; nothing was changed. Ask a person to log a Decision about ${name} there, then send ${what === 'an Outcome' ? 'the Outcome' : `the move to ${what}`} again with its decision_id.`,
  )
}
