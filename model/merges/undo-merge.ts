import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId, SolutionId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { refuseBareClaims } from '../claims/change-evidence.ts'
import { touchClaim } from '../claims/claims.ts'
import { dismissSilentClaims } from '../claims/follow-evidence.ts'
import { setKindsOfEvidence } from '../claims/kind-of-evidence.ts'
import { lockSurvivors } from '../claims/survivors.ts'
import { type DecidedBy, keepApart, refuseConfirmed } from './kept-apart.ts'
import type { MovedByMerge } from './merge-claims.ts'
import { settleImpliedProposals } from './proposal.ts'

/** A merge that stands. */
export interface MergeInForce {
  readonly id: string
  readonly workspace_id: WorkspaceId
  readonly merged_claim_id: ClaimId
  readonly survivor_claim_id: ClaimId
  readonly merged_by: 'member' | 'judge'
}

const REOPEN = `update claims set merged_into = null, version = version + 1, updated_at = $2 where id = $1`

const MARK_UNDONE = `update merges set undone_at = $2, undone_by = $3 where id = $1`

/**
 * Moves back rows that came with the claim, or with a claim that was merged into it. Rows that the survivor also has
 * another way stay there, too. A row whose only origin is the claim itself needs no origin.
 */
const moveBack = (table: string, object: string, columns: string): string => `
  with lineage as materialized (
    select claim_lineage($1) as id
  ), split as materialized (
    select present.*,
      array(select origin from unnest(origins) as origin where origin in (select id from lineage)) as returning_origins,
      array(select origin from unnest(origins) as origin where origin not in (select id from lineage)) as staying_origins
    from ${table} as present where claim_id = $2 and origins && array(select id from lineage)
  ), returned as (
    insert into ${table} (workspace_id, claim_id, ${object}, ${columns}origins)
    select workspace_id, $1, ${object}, ${columns}
      case when returning_origins = array[$1::uuid] then '{}' else returning_origins end
    from split
    on conflict (claim_id, ${object}) do nothing
  ), stayed as (
    update ${table} as present
    set origins = case when staying_origins = array[$2::uuid] then '{}' else staying_origins end
    from split where present.claim_id = $2 and present.${object} = split.${object} and staying_origins <> '{}'
  ), left_behind as (
    delete from ${table} as present
    using split where present.claim_id = $2 and present.${object} = split.${object} and staying_origins = '{}'
  )
  select ${object} as id from split order by 1`

const RETURN_EVIDENCE = moveBack(
  'claim_evidence',
  'signal_id',
  'attached_by, actor, reason, attached_at, lost_candidates, ',
)
const RETURN_SOLUTIONS = moveBack('solution_claims', 'solution_id', '')

interface UndoneMerge extends MovedByMerge {
  /**
   * The claim that it is pulled out of: the survivor of the merge, or the claim that the survivor was merged into
   * since.
   */
  readonly from: ClaimId
}

/**
 * Undoes a merge: evidence and Solutions that came with the claim return to it, its reference leads to it again, and
 * the pair is kept apart. The survivor keeps its own rows. Solutions' links that a person removed meanwhile stay
 * removed. Needs the lock of the workspace.
 */
export const undoMerge = async (
  transaction: Transaction,
  merge: MergeInForce,
  settler: DecidedBy,
): Promise<UndoneMerge> => {
  const { merged_claim_id: claim, survivor_claim_id: survivor, merged_by } = merge
  const from = (await lockSurvivors(transaction, [survivor])).get(survivor) ?? survivor
  await transaction.query(REOPEN, [claim, settler.at])
  await touchClaim(transaction, from, settler.at)
  const evidence = await transaction.query<{ id: SignalId }>(RETURN_EVIDENCE, [claim, from])
  const solutions = await transaction.query<{ id: SolutionId }>(RETURN_SOLUTIONS, [claim, from])
  if (merged_by === 'judge') await setKindsOfEvidence(transaction, [claim, from])
  await refuseBareClaims(transaction, new Set([claim, from]))
  await dismissSilentClaims(transaction, [claim, from])
  await transaction.query(MARK_UNDONE, [merge.id, settler.at, settler.by])
  await keepApart(transaction, merge.workspace_id, [claim, survivor], settler)
  await refuseConfirmed(transaction, [claim, from], settler)
  for (const id of [claim, from]) await settleImpliedProposals(transaction, id, settler)
  return { from, signal_ids: evidence.map(row => row.id), solution_ids: solutions.map(row => row.id) }
}

const IN_FORCE = `
  select id, workspace_id, merged_claim_id, survivor_claim_id, merged_by from merges where undone_at is null`

/** The merge of a claim into another. */
const OF_CLAIM = `${IN_FORCE} and merged_claim_id = $1`
/** The merge by a proposal. */
const OF_PROPOSAL = `${IN_FORCE} and proposal_id = $1`
/** Merges of one Decision, last first. */
const OF_DECISION = `${IN_FORCE} and decision_id = $1 order by merged_at desc, id desc`

export const mergeOfClaim = async (transaction: Transaction, id: string): Promise<MergeInForce | undefined> =>
  (await transaction.query<MergeInForce>(OF_CLAIM, [id]))[0]

export const mergeOfProposal = async (transaction: Transaction, id: string): Promise<MergeInForce | undefined> =>
  (await transaction.query<MergeInForce>(OF_PROPOSAL, [id]))[0]

export const mergesOfDecision = (transaction: Transaction, id: string): Promise<MergeInForce[]> =>
  transaction.query<MergeInForce>(OF_DECISION, [id])

const NEWEST_INTO = `
  select number from merges join claims on claims.id = merged_claim_id
  where survivor_claim_id = $1 and undone_at is null order by merged_at desc limit 20`

/** Numbers of the claims that were last merged into this one; at most 20. */
export const newestMergedInto = async (transaction: Transaction, id: ClaimId): Promise<number[]> =>
  (await transaction.query<{ number: number }>(NEWEST_INTO, [id])).map(({ number }) => number)
