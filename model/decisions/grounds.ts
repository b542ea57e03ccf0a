import type { Transaction } from '../../infra/postgres/port.ts'
import type { DecisionObject } from './log-decision.ts'
import { type DecisionObjectRow, objectsOfDecision } from './read-decisions.ts'

/** What a change is made of, which a Decision must be about. */
export interface GroundedSubject {
  readonly kind: DecisionObject['kind']
  readonly id: string
  /** Claims that the change speaks of beside those that a Solution answers now. */
  readonly claimIds?: readonly string[]
  /** Other objects of the same change that a Decision may be about instead. */
  readonly orIds?: readonly string[]
}

// What was hung on a Decision later by its id tells who carried it out; that does not make the Decision about it.
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
 * The first of `subjects` that a Decision says nothing about; undefined when it grounds them all. A Decision grounds
 * what it was logged about or changed when it was made, Solutions that answer a claim that it was logged about (or the
 * claim of a Signal that it was logged about), and anything where it was logged about nothing in particular.
 */
export const ungroundedBy = async <Subject extends GroundedSubject>(
  transaction: Transaction,
  decisionId: string,
  subjects: readonly Subject[],
): Promise<Subject | undefined> => {
  const asked = subjects.map(({ kind, id, claimIds = [], orIds = [] }, place) => ({
    place,
    kind,
    id,
    claims: claimIds,
    others: orIds,
  }))
  const [found] = await transaction.query<{ place: number }>(UNGROUNDED, [decisionId, JSON.stringify(asked)])
  return found === undefined ? undefined : subjects[found.place]
}

const MAX_NAMED = 5

/** What a Decision is about, for people to read: the first few. */
export const aboutOf = async (transaction: Transaction, decisionId: string): Promise<readonly DecisionObjectRow[]> =>
  (await objectsOfDecision(transaction, decisionId, { limit: 4 * MAX_NAMED, offset: 0 }))
    .filter(({ change }) => !(CARRIED_OUT in change))
    .slice(0, MAX_NAMED)
