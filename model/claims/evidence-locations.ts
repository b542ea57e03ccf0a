import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { Candidate } from './find-candidates.ts'
import { lockSurvivors } from './survivors.ts'

/** Where evidence is: its claim, and the claims merged into that one which it came with; none when it is the claim's own. */
export interface EvidenceLocation {
  readonly claimId: ClaimId
  readonly origins: readonly ClaimId[]
}

// `offset 0` keeps each look-up one by its index, whatever the planner knows of the tables.
const FIND_STANDING = `
  select asked.place::integer, evidence.origins
  from unnest($1::uuid[], $2::uuid[]) with ordinality as asked (claim_id, signal_id, place)
  cross join lateral (
    select origins from claim_evidence
    where claim_evidence.claim_id = asked.claim_id and claim_evidence.signal_id = asked.signal_id
    offset 0
  ) as evidence
  where exists (select from claims where claims.id = asked.claim_id and claims.state <> 'dismissed' offset 0)`

/**
 * Where candidates that were found before are by this moment, their claims held until the transaction ends. One that has no claim yet, that was pulled
 * out of its claim meanwhile, or whose claim was dismissed, is missing. Rejects with `busy` like `lockSurvivors`.
 */
export const lockEvidenceLocations = async (
  transaction: Transaction,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, EvidenceLocation>> => {
  const claimed = candidates.flatMap(candidate =>
    candidate.claimId === null ? [] : [{ candidate, claimId: candidate.claimId }],
  )
  if (claimed.length === 0) return new Map()
  const survivors = await lockSurvivors(transaction, [...new Set(claimed.map(({ claimId }) => claimId))])
  const requested = claimed.map(({ candidate, claimId }) => ({ candidate, claimId: survivors.get(claimId) ?? claimId }))
  const rows = await transaction.query<{ place: number; origins: readonly ClaimId[] }>(FIND_STANDING, [
    requested.map(({ claimId }) => claimId),
    requested.map(({ candidate }) => candidate.signalId),
  ])
  const locations = new Map<Candidate, EvidenceLocation>()
  for (const { place, origins } of rows) {
    const found = requested[place - 1]
    if (found !== undefined) locations.set(found.candidate, { claimId: found.claimId, origins })
  }
  return locations
}
