import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'
import { learnFromDecisions } from '../merges/chance/correction.ts'
import { keepToBars } from '../merges/proposal-bar.ts'
import type { OfErasure } from './erasures.ts'
import { ERASED } from './words.ts'

/** Title of a claim that lost its text and evidence with an import, and that people have worked on. */
export const TAKEN_BACK = 'Its evidence was taken back.'

/** Condition: the claim has no evidence, and none of the surviving claim's evidence came through it. */
export const NOTHING_LEFT = `not exists (
  select from claim_evidence where claim_evidence.claim_id = surviving_claim(claims.id)
    and (claims.merged_into is null or claims.id = any (claim_evidence.origins)))`

// True when a Decision on the claim is more than a decision on erased signals or on merges: those mean nothing without
// the signals.
const DECIDED_ON = `exists (
  select from decision_objects as said
  where said.workspace_id = claims.workspace_id and said.object_kind = 'claim' and said.object_id = claims.id
    and not said.change ?| array['merged_into', 'merged_from', 'may_merge_with', 'refused_merge_with', 'pulled_apart',
      'pulled_apart_from']
    and not exists (
      select from decision_objects as beside join erasure_items on erasure_id = $2 and signal_id = beside.object_id
      where beside.decision_id = said.decision_id and beside.object_kind = 'signal'))`

const WORKED_ON = `(
  claims.title not in ('${ERASED}', '${TAKEN_BACK}') or claims.statement <> '' or owner_id is not null or kind_decided
  or exists (select from solution_claims where solution_claims.claim_id = claims.id)
  or exists (select from strategy_claims where strategy_claims.claim_id = claims.id)
  or exists (select from comments where comments.claim_id = claims.id)
  or exists (select from knowledge_notes where knowledge_notes.claim_id = claims.id)
  or ${DECIDED_ON})`

// A claim stays when another claim that stays was merged into it.
const EMPTIED = `
  with recursive emptied as materialized (
    select id, ${WORKED_ON} as is_worked_on from claims
    where workspace_id = $1 and erased_at >= (select asked_at from erasures where id = $2) and ${NOTHING_LEFT}
  ), kept as (
    select id from emptied where is_worked_on
    union
    select merged_into from claims where merged_into in (select id from emptied) and id not in (select id from emptied)
    union
    select merged_into from claims join kept using (id) where merged_into is not null
  )
  select id, id in (select id from kept) as is_kept from emptied`

const REMOVALS: readonly string[] = [
  'delete from merge_proposals where claim_id = any ($1::uuid[]) or candidate_claim_id = any ($1::uuid[])',
  'delete from merges where merged_claim_id = any ($1::uuid[]) or survivor_claim_id = any ($1::uuid[])',
  `delete from decision_objects where object_kind = 'claim' and object_id = any ($1::uuid[])`,
  `delete from search_entries where kind = 'claim' and id = any ($1::uuid[])`,
  'delete from claims where id = any ($1::uuid[])',
]

const FORGET_BAR: readonly string[] = [
  `delete from proposal_bars where workspace_id = $1
    and not exists (select from merge_proposals where merge_proposals.workspace_id = $1)`,
  'update proposal_bars set bar = 0 where workspace_id = $1',
]

const NAME = `
  update claims set title = '${TAKEN_BACK}', version = version + 1, updated_at = now()
  where id = any ($1::uuid[]) and title = '${ERASED}'`

/**
 * Removes claims that an import left empty and that nobody has worked on. Other emptied claims get the title
 * `TAKEN_BACK`. Needs the locks of the workspace.
 */
export const removeEmptiedClaims = async (
  transaction: Transaction,
  { workspaceId, erasureId }: OfErasure,
): Promise<void> => {
  const rows = await transaction.query<{ id: ClaimId; is_kept: boolean }>(EMPTIED, [workspaceId, erasureId])
  const idsOf = (isKept: boolean) => rows.filter(({ is_kept }) => is_kept === isKept).map(({ id }) => id)
  const removed = idsOf(false)
  if (removed.length > 0) {
    for (const statement of REMOVALS) await transaction.query(statement, [removed])
    // The bar is computed again from the remaining pairs, so that an import that comes again is asked about as often as
    // the first time.
    for (const statement of FORGET_BAR) await transaction.query(statement, [workspaceId])
    await learnFromDecisions(transaction, workspaceId)
    await keepToBars(transaction, [workspaceId])
  }
  await transaction.query(NAME, [idsOf(true)])
}

const FORGET_DECISIONS = `delete from decision_objects where object_kind = 'signal' and object_id = any ($1::uuid[]) returning 1`

/** Removes erased signals from Decisions. Answers the number of removed rows. */
export const forgetDecisionsOn = async (transaction: Transaction, ids: readonly SignalId[]): Promise<number> =>
  (await transaction.query(FORGET_DECISIONS, [ids])).length
