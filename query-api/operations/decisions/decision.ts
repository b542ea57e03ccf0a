import {
  aboutOf,
  attachToDecision,
  type DecisionObject,
  type GroundedSubject,
  storeDecision,
  ungroundedBy,
} from '../../../model/decisions/log-decision.ts'
import {
  type DecisionObjectRow,
  type DecisionOnObject,
  type DecisionRow,
  isLoggedInApp,
  readDecision,
} from '../../../model/decisions/read-decisions.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { isReferenced } from '../../../model/references/statements.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { requiresAppDecisions } from '../../../model/workspaces/workspaces.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import {
  AssayError,
  actorLabel,
  type Caller,
  type Static,
  type Transaction,
  Type,
  throwDeleted,
  type WriteContext,
} from '../define.ts'
import { cut, excerpt } from '../parts/excerpt.ts'
import { instant, nullable, oneOf, uuid } from '../parts/fields.ts'

/** A Decision as lists show it. */
export const DecisionShape = Type.Object({
  reference: Type.String(),
  text: ownText({ description: 'What was decided and why, as a human or their agent stated it.' }),
  text_truncation: cut,
  made_by: Type.String(),
  via: oneOf(['app', 'key']),
  key_label: nullable(Type.String({ description: 'The key that it was made through.' })),
  made_at: instant,
  carried_out_by: nullable(
    Type.String({ description: 'Who made the change that hangs on it, where that was not who decided.' }),
  ),
  objects: Type.Integer({ description: 'Changes that hang on it.' }),
  reversed_by: nullable(Type.String({ description: 'The Decision that undid it.' })),
  reversed_by_name: nullable(Type.String({ description: 'Who reversed it.' })),
  reversed_at: nullable(instant),
  reverses: nullable(Type.String({ description: 'The Decision that it undoes.' })),
})
export type DecisionShape = Static<typeof DecisionShape>

/** The statement is cut at `characters`. */
export const toDecision = (
  row: DecisionRow & Partial<DecisionOnObject>,
  characters = Number.POSITIVE_INFINITY,
): DecisionShape => {
  const { id: _, routine: _routine, number, statement, made_at, reversed_by, reversed_at, reverses, ...rest } = row
  const name = reference('decision', number)
  return {
    ...rest,
    carried_out_by: row.carried_out_by ?? null,
    reference: name,
    ...excerpt(statement, characters, `service_lookup mode decision, id ${name}`),
    made_at: made_at.toISOString(),
    reversed_by: reversed_by === null ? null : reference('decision', reversed_by),
    reversed_at: reversed_at?.toISOString() ?? null,
    reverses: reverses === null ? null : reference('decision', reverses),
  }
}

/** The Decision behind a change, as answers show it. */
export const DecisionBasis = Type.Object({
  id: uuid,
  reference: nullable(Type.String()),
  recorded: oneOf(['now', 'before'], {
    description: 'now: from the comment, made through this key. before: the decision_id given.',
  }),
})
export type DecisionBasis = Static<typeof DecisionBasis>

interface GivenBasis {
  readonly comment?: string
  readonly decision_id?: string
}

const GROUNDLESS =
  'Every change of a Solution needs a human Decision. Send a comment that states what was decided and why: it is logged as a Decision of the owner of this key, made through it. Or send decision_id of a Decision logged before (service_decide mode decision logs one).'

/** Basis of a change: a comment, or a valid Decision with an optional comment. */
interface Grounds {
  readonly comment: string | undefined
  readonly decision: { readonly id: string; readonly reference: string } | null
}

/**
 * Refuses a change without a Decision, or with a reversed one; the named Decision cannot be reversed until the
 * transaction ends. Called before any other look-up or lock. Throws `invalid_input`, `not_found` or `conflict`.
 */
export const requireDecision = async (
  transaction: Transaction,
  { workspaceId }: Caller,
  { comment, decision_id: given }: GivenBasis,
): Promise<Grounds> => {
  if (given === undefined) {
    if (comment !== undefined) return { comment, decision: null }
    throw new AssayError('invalid_input', GROUNDLESS, {
      violations: [{ pointer: '', message: 'needs comment or decision_id' }],
    })
  }
  await lockWorkspaces(transaction, [workspaceId], 'decisions')
  const { id } = await resolveOne(transaction, 'decision', given)
  const { number, reversed_by } = (await readDecision(transaction, id)) ?? throwDeleted('Decision')
  const name = reference('decision', number)
  if (reversed_by === null) return { comment, decision: { id, reference: name } }
  throw new AssayError(
    'conflict',
    `${name} was reversed by ${reference('decision', reversed_by)} and can no longer be the reason for a change; nothing was changed. Send a comment that states what a human decided, or the decision_id of a Decision that stands.`,
  )
}

/**
 * Records the changes under their Decision: the named one, with the comment and the acting person beside the change, or
 * a new one made from the comment. Throws `conflict` unless the named Decision is about each of `subjects`.
 */
export const recordDecision = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  { comment, decision }: Grounds,
  objects: readonly DecisionObject[],
  subjects: readonly GroundedSubject[] = objects,
): Promise<DecisionBasis> => {
  if (decision === null) {
    const made = { statement: comment ?? '', at: services.now(), objects }
    return { ...(await storeDecision(transaction, caller, made)), recorded: 'now' }
  }
  await requireSubjects(transaction, decision, subjects)
  const beside = { ...(comment === undefined ? {} : { comment }), carried_out_by: actorLabel(caller) }
  const signed = objects.map(one => ({ ...one, change: { ...one.change, ...beside } }))
  await attachToDecision(transaction, caller.workspaceId, decision.id, signed)
  return { ...decision, recorded: 'before' }
}

const requireSubjects = async (
  transaction: Transaction,
  { id, reference: name }: NonNullable<Grounds['decision']>,
  subjects: readonly GroundedSubject[],
): Promise<void> => {
  const missing = await ungroundedBy(transaction, id, subjects)
  if (missing === undefined) return
  const about = (await aboutOf(transaction, id)).map(nameOf)
  throw new AssayError(
    'conflict',
    `${name} is about ${about.join(', ')}, not about this ${missing.kind.replace('_', ' ')}; nothing was changed. Send a comment that states what a human decided, or log a Decision about it (service_decide mode decision) and send that decision_id.`,
  )
}

const nameOf = ({ kind, number, name }: DecisionObjectRow): string =>
  number !== null && isReferenced(kind)
    ? reference(kind, number)
    : (name ?? `a ${kind.replace('_', ' ')} that is deleted`)

/** Changes that a workspace can reserve for Decisions in the app. */
type Reserved = 'Done' | 'Dropped' | 'an Outcome'

/**
 * Throws `forbidden` for a key when the workspace's rule requires an app Decision for `what` and the key brings none.
 * An app Decision was logged in the app, is about this Solution, and was not reversed.
 */
export const requireAppDecision = async (
  transaction: Transaction,
  caller: Caller,
  { decision }: Grounds,
  { what, solution }: { readonly what: Reserved; readonly solution: { readonly id: string; readonly number: number } },
): Promise<void> => {
  if (caller.via.kind === 'app') return
  if (!(await requiresAppDecisions(transaction, caller.workspaceId))) return
  if (decision !== null && (await isLoggedInApp(transaction, decision.id, { kind: 'solution', id: solution.id })))
    return
  const name = reference('solution', solution.number)
  throw new AssayError(
    'forbidden',
    `This workspace requires Decisions made in the app for Done, Dropped and Outcomes; nothing was changed. Ask a person to log a Decision about ${name} there, then send ${what === 'an Outcome' ? 'the Outcome' : `the move to ${what}`} again with its decision_id.`,
  )
}
