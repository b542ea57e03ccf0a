import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { Candidate } from './find-candidates.ts'

const FIND_SURVIVORS = `
  with recursive lineage as (
    select id as requested_id, id, merged_into from claims where id = any ($1::uuid[])
    union
    select lineage.requested_id, claims.id, claims.merged_into
    from lineage join claims on claims.id = lineage.merged_into
  )
  select requested_id, id from lineage where merged_into is null`

const LOCK_CLAIMS = `select id, merged_into from claims where id = any ($1::uuid[]) order by id for update`

type Survivors = ReadonlyMap<ClaimId, ClaimId>

const findSurvivors = async (transaction: Transaction, claimIds: readonly ClaimId[]): Promise<Survivors> => {
  if (claimIds.length === 0) return new Map()
  const rows = await transaction.query<{ requested_id: ClaimId; id: ClaimId }>(FIND_SURVIVORS, [claimIds])
  return new Map(rows.map(row => [row.requested_id, row.id]))
}

/**
 * Locks claims until the transaction ends, so that no merge removes one before the write. Rejects with `busy` when one
 * was merged between the look and the lock.
 */
export const lockClaims = async (transaction: Transaction, claimIds: readonly ClaimId[]): Promise<void> => {
  if (claimIds.length === 0) return
  const locked = await transaction.query<{ id: ClaimId; merged_into: ClaimId | null }>(LOCK_CLAIMS, [claimIds])
  if (locked.some(claim => claim.merged_into !== null)) {
    throw new AssayError('busy', 'A claim was merged into another one at the same moment. Try again.')
  }
}

/**
 * The claims that survive the given ones, locked until the transaction ends, so that no merge moves their evidence
 * meanwhile. Rejects with `busy` when one was merged between the look and the lock.
 */
export const lockSurvivors = async (transaction: Transaction, claimIds: readonly ClaimId[]): Promise<Survivors> => {
  const survivors = await findSurvivors(transaction, claimIds)
  await lockClaims(transaction, [...survivors.values()])
  return survivors
}

/** The claim of evidence, and the merged claims through which it came; none for the claim's own evidence. */
export interface EvidenceLocation {
  readonly claimId: ClaimId
  readonly origins: readonly ClaimId[]
}

// `offset 0` makes the planner use the index for each look-up, whatever its statistics say.
const FIND_STANDING = `
  select requested.place::integer, evidence.origins
  from unnest($1::uuid[], $2::uuid[]) with ordinality as requested (claim_id, signal_id, place)
  cross join lateral (
    select origins from claim_evidence
    where claim_evidence.claim_id = requested.claim_id and claim_evidence.signal_id = requested.signal_id
    offset 0
  ) as evidence
  where exists (select from claims where claims.id = requested.claim_id and claims.state <> 'dismissed' offset 0)`

/**
 * Present locations of candidates that were found before, with their claims locked until the transaction ends. A
 * candidate is missing when it has no claim, was pulled out of its claim, or its claim was dismissed. Rejects with
 * `busy` like `lockSurvivors`.
 */
export const lockEvidenceLocations = async (
  transaction: Transaction,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, EvidenceLocation>> => {
  const claimed = candidates.flatMap(candidate =>
    candidate.claimId === null ? [] : [{ candidate, claimId: candidate.claimId }],
  )
  if (claimed.length === 0) return new Map()
  const survivors = await findSurvivors(transaction, [...new Set(claimed.map(({ claimId }) => claimId))])
  const requested = claimed.map(({ candidate, claimId }) => ({ candidate, claimId: survivors.get(claimId) ?? claimId }))
  const [, rows] = await Promise.all([
    lockClaims(transaction, [...survivors.values()]),
    transaction.query<{ place: number; origins: readonly ClaimId[] }>(FIND_STANDING, [
      requested.map(({ claimId }) => claimId),
      requested.map(({ candidate }) => candidate.signalId),
    ]),
  ])
  const locations = new Map<Candidate, EvidenceLocation>()
  for (const { place, origins } of rows) {
    const found = requested[place - 1]
    if (found !== undefined) locations.set(found.candidate, { claimId: found.claimId, origins })
  }
  return locations
}
