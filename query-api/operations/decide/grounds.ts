import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { type DecisionObject, hangOnDecision, logDecision } from '../../../model/decisions/log-decision.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { WriteContext } from '../define.ts'
import { nullable, oneOf, uuid } from '../parts/fields.ts'
import { byline } from './byline.ts'

/** The Decision that a change hangs on, as answers show it. */
export const Grounds = Type.Object({
  id: uuid,
  reference: nullable(Type.String()),
  logged: oneOf(['now', 'before'], {
    description: 'now: from the comment, made through this key. before: the decision_id given.',
  }),
})
export type Grounds = Static<typeof Grounds>

export interface GivenGrounds {
  readonly comment?: string
  readonly decision_id?: string
}

const GROUNDLESS =
  'Every change of a Solution hangs on a human Decision. Send a comment that states what was decided and why: it is logged as a Decision of the owner of this key, made through it. Or send decision_id of a Decision logged before (service_decide mode decision logs one).'

/** Refuses a change that nobody decided. Called before anything is looked up or written. */
export const requireGrounds = ({ comment, decision_id: decisionId }: GivenGrounds): void => {
  if (comment === undefined && decisionId === undefined) {
    throw new AssayError('invalid_input', GROUNDLESS, {
      violations: [{ pointer: '', message: 'needs comment or decision_id' }],
    })
  }
}

/**
 * Looks the named Decision up before anything else is checked, so that one that is not there is refused as such. Throws `not_found`.
 */
export const namedGrounds = async (transaction: Transaction, { decision_id: given }: GivenGrounds): Promise<void> => {
  if (given !== undefined) await resolveOne(transaction, 'decision', given)
}

/**
 * Records the changes under the Decision that they hang on: the one named by `decision_id`, where a `comment` and who carried it
 * out are kept beside the change, or a new one that the `comment` states.
 */
export const recordGrounds = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  given: GivenGrounds,
  objects: readonly DecisionObject[],
): Promise<Grounds> => {
  requireGrounds(given)
  if (given.decision_id === undefined) {
    const decision = { statement: given.comment ?? '', at: services.now(), objects }
    return { ...(await logDecision(transaction, caller, decision)), logged: 'now' }
  }
  const { id, reference } = await resolveOne(transaction, 'decision', given.decision_id)
  const { comment } = given
  const beside = { ...(comment === undefined ? {} : { comment }), carried_out_by: byline(caller) }
  const signed = objects.map(one => ({ ...one, change: { ...one.change, ...beside } }))
  await hangOnDecision(transaction, caller.workspaceId, id, signed)
  return { id, reference, logged: 'before' }
}
