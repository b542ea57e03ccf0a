import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { MergeInForce } from './undo-merge.ts'

const IN_FORCE = `
  select id, workspace_id, merged_claim_id, survivor_claim_id from merges where undone_at is null`

/** The merge of this claim into another. */
const OF_CLAIM = `${IN_FORCE} and merged_claim_id = $1`
/** The merge that a proposal led to. */
const OF_PROPOSAL = `${IN_FORCE} and proposal_id = $1`
/** Those of one Decision, the last one first. */
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

/** The numbers of the claims that were merged into this one the last; at most 20. */
export const newestMergedInto = async (transaction: Transaction, id: ClaimId): Promise<number[]> =>
  (await transaction.query<{ number: number }>(NEWEST_INTO, [id])).map(({ number }) => number)
