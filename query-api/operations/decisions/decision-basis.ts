import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { attachToDecision, type DecisionObject, storeDecision } from '../../../model/decisions/log-decision.ts'
import { isLoggedInApp } from '../../../model/decisions/read-decisions.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { requiresAppDecisions } from '../../../model/workspaces/rules.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import type { Caller, WriteContext } from '../define.ts'
import { nullable, oneOf, uuid } from '../parts/fields.ts'
import { actorLabel } from './actor-label.ts'

/** The Decision that a change hangs on, as answers show it. */
export const DecisionBasis = Type.Object({
  id: uuid,
  reference: nullable(Type.String()),
  recorded: oneOf(['now', 'before'], {
    description: 'now: from the comment, made through this key. before: the decision_id given.',
  }),
})
export type DecisionBasis = Static<typeof DecisionBasis>

export interface GivenBasis {
  readonly comment?: string
  readonly decision_id?: string
}

const GROUNDLESS =
  'Every change of a Solution hangs on a human Decision. Send a comment that states what was decided and why: it is logged as a Decision of the owner of this key, made through it. Or send decision_id of a Decision logged before (service_decide mode decision logs one).'

/** Refuses a change that nobody decided. Called before anything is looked up or written. */
export const requireDecision = ({ comment, decision_id: decisionId }: GivenBasis): void => {
  if (comment === undefined && decisionId === undefined) {
    throw new AssayError('invalid_input', GROUNDLESS, {
      violations: [{ pointer: '', message: 'needs comment or decision_id' }],
    })
  }
}

/**
 * Looks the named Decision up before anything else is checked, so that one that is not there is refused as such. Throws `not_found`.
 */
export const requireNamedDecision = async (
  transaction: Transaction,
  { decision_id: given }: GivenBasis,
): Promise<void> => {
  if (given !== undefined) await resolveOne(transaction, 'decision', given)
}

/**
 * Records the changes under the Decision that they hang on: the one named by `decision_id`, where a `comment` and who carried it
 * out are kept beside the change, or a new one that the `comment` states.
 */
export const recordDecision = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  given: GivenBasis,
  objects: readonly DecisionObject[],
): Promise<DecisionBasis> => {
  requireDecision(given)
  if (given.decision_id === undefined) {
    const decision = { statement: given.comment ?? '', at: services.now(), objects }
    return { ...(await storeDecision(transaction, caller, decision)), recorded: 'now' }
  }
  const { id, reference } = await resolveOne(transaction, 'decision', given.decision_id)
  const { comment } = given
  const beside = { ...(comment === undefined ? {} : { comment }), carried_out_by: actorLabel(caller) }
  const signed = objects.map(one => ({ ...one, change: { ...one.change, ...beside } }))
  await attachToDecision(transaction, caller.workspaceId, id, signed)
  return { id, reference, recorded: 'before' }
}

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
  if (caller.via.kind === 'app') return
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
