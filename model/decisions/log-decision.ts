import type { Transaction } from '../../infra/postgres/port.ts'
import {
  type DecisionId,
  derivedId,
  type EventId,
  type KeyId,
  newId,
  type UserId,
  type WorkspaceId,
} from '../../schemas/domain/ids.ts'
import { reference } from '../../schemas/domain/vocabulary.ts'
import { activity } from '../../schemas/events/activity.ts'
import { recordActivity } from '../activity/activity-rows.ts'
import { nextNumber } from '../references/next-numbers.ts'
import { type DecisionObjectRow, objectsOfDecision } from './read-decisions.ts'
import { isRoutine } from './routine.ts'

/** The person who decides, and the key through which the Decision came. */
export interface Decider {
  readonly workspaceId: WorkspaceId
  readonly userId: UserId
  readonly userName: string
  readonly via: { readonly kind: 'app' } | { readonly kind: 'key'; readonly keyId: KeyId; readonly label: string }
}

/** An object of a Decision, with its changes. */
export interface DecisionObject {
  readonly kind: 'solution' | 'claim' | 'signal' | 'group' | 'strategy_element'
  readonly id: string
  readonly change: Readonly<Record<string, unknown>>
}

export interface LoggedDecision {
  readonly id: DecisionId
  readonly reference: string
}

const INSERT_DECISION = `
  insert into decisions (
    id, workspace_id, number, statement, made_by, made_by_name, through, key_id, key_label, made_at, routine)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`

const INSERT_OBJECTS = `
  insert into decision_objects (workspace_id, decision_id, object_kind, object_id, change)
  select $1, $2, kind, id, change
  from jsonb_to_recordset($3::jsonb) as object (kind text, id uuid, change jsonb)`

interface MadeDecision {
  readonly statement: string
  readonly at: Date
  readonly objects: readonly DecisionObject[]
  /** True for a routine Decision, one of many a day. Default: the kinds of its objects decide. */
  readonly routine?: boolean
}

/** Stores a person's Decision, its objects and its activity. */
export const storeDecision = async (
  transaction: Transaction,
  decider: Decider,
  decision: MadeDecision,
): Promise<LoggedDecision> => {
  const { workspaceId, via: through } = decider
  const id = newId<DecisionId>()
  const number = await nextNumber(transaction, 'decision', workspaceId)
  const key = through.kind === 'key' ? [through.keyId, through.label] : [null, null]
  await transaction.query(INSERT_DECISION, [
    id,
    workspaceId,
    number,
    decision.statement,
    decider.userId,
    decider.userName,
    through.kind,
    ...key,
    decision.at,
    decision.routine ?? isRoutine(decision.objects),
  ])
  await insertObjects(transaction, workspaceId, id, decision.objects)
  const made = activity({
    event_id: derivedId<EventId>('decision.made', id),
    workspace_id: workspaceId,
    kind: 'decision.made',
    occurred_at: decision.at.getTime(),
    subject_id: id,
    actor: decider.userId,
  })
  await recordActivity(transaction, [made])
  return { id, reference: reference('decision', number) }
}

const insertObjects = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  decisionId: string,
  objects: readonly DecisionObject[],
): Promise<void> => {
  if (objects.length === 0) return
  await transaction.query(INSERT_OBJECTS, [workspaceId, decisionId, JSON.stringify(objects)])
}

const MORE_THAN_ROUTINE = 'update decisions set routine = false where id = $1 and routine'

/** Adds changes to an existing Decision that grounds them. */
export const attachToDecision = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  decisionId: string,
  objects: readonly DecisionObject[],
): Promise<void> => {
  await insertObjects(transaction, workspaceId, decisionId, objects)
  if (objects.length > 0 && !isRoutine(objects)) await transaction.query(MORE_THAN_ROUTINE, [decisionId])
}

/** An author under the name at the time, and the label of the key; null in the app. */
export interface Author {
  readonly author_name: string
  readonly key_label: string | null
}

/** Values for the columns `author_id`, `author_name` and `key_label`. */
export const authorValues = ({ userId, userName, via: through }: Decider): readonly [string, string, string | null] => [
  userId,
  userName,
  through.kind === 'key' ? through.label : null,
]

/** A subject of a change that needs a Decision about it. */
export interface GroundedSubject {
  readonly kind: DecisionObject['kind']
  readonly id: string
  /** Claims of the change beside those that a Solution answers now. */
  readonly claimIds?: readonly string[]
  /** Other objects of the change that the Decision may be about. */
  readonly orIds?: readonly string[]
}

// Mark of objects that were added to a Decision later by its id. The Decision is not about them.
const CARRIED_OUT = 'carried_out_by'

const UNGROUNDED = `
  with own as (
    select object_kind as kind, object_id as id, change from decision_objects
    where decision_id = $1 and not change ? '${CARRIED_OUT}'
  ),
  own_claims as (
    select surviving_claim(id) as id from own where kind = 'claim' and change = '{}'
    union
    select surviving_claim(claim_id) from own join claim_evidence on signal_id = own.id
    where kind = 'signal' and change = '{}'
  )
  select place
  from jsonb_to_recordset($2::jsonb) as subject (place integer, kind text, id uuid, claims uuid[], others uuid[])
  where exists (select from own)
    and not exists (select from own where own.id = subject.id or own.id = any (subject.others))
    and not exists (select from own_claims where own_claims.id = any (subject.claims))
    and not exists (
      select from own_claims join solution_claims on claim_id = own_claims.id
      where subject.kind = 'solution' and solution_id = subject.id)
  order by place limit 1`

/**
 * The first of `subjects` that a Decision does not ground; undefined when it grounds all. A Decision grounds its logged
 * objects and what it changed when it was made, Solutions that answer its logged claims or the claims of its logged
 * Signals, and anything when it was logged without an object.
 */
export const ungroundedBy = async <Subject extends GroundedSubject>(
  transaction: Transaction,
  decisionId: string,
  subjects: readonly Subject[],
): Promise<Subject | undefined> => {
  const subjectRows = subjects.map(({ kind, id, claimIds = [], orIds = [] }, place) => ({
    place,
    kind,
    id,
    claims: claimIds,
    others: orIds,
  }))
  const [found] = await transaction.query<{ place: number }>(UNGROUNDED, [decisionId, JSON.stringify(subjectRows)])
  return found === undefined ? undefined : subjects[found.place]
}

const MAX_NAMED = 5

/** The first few objects of a Decision, for people. */
export const aboutOf = async (transaction: Transaction, decisionId: string): Promise<readonly DecisionObjectRow[]> =>
  (await objectsOfDecision(transaction, decisionId, { limit: 4 * MAX_NAMED, offset: 0 }))
    .filter(({ change }) => !(CARRIED_OUT in change))
    .slice(0, MAX_NAMED)
