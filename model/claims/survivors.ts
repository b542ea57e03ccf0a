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
 * Holds claims until the transaction ends, so that no merge takes one away before it is written to. Rejects with `busy`
 * when one was merged between the look and the lock.
 */
export const lockClaims = async (transaction: Transaction, claimIds: readonly ClaimId[]): Promise<void> => {
  if (claimIds.length === 0) return
  const locked = await transaction.query<{ id: ClaimId; merged_into: ClaimId | null }>(LOCK_CLAIMS, [claimIds])
  if (locked.some(claim => claim.merged_into !== null)) {
    throw new AssayError('busy', 'A claim was merged into another one at the same moment. Try again.')
  }
}

/**
 * The claims that the given ones live on in, each held until the transaction ends, so that no merge moves its evidence
 * meanwhile. Rejects with `busy` when one was merged between the look and the lock.
 */
export const lockSurvivors = async (transaction: Transaction, claimIds: readonly ClaimId[]): Promise<Survivors> => {
  const survivors = await findSurvivors(transaction, claimIds)
  await lockClaims(transaction, [...survivors.values()])
  return survivors
}

/**
 * Where evidence is: its claim, and the claims merged into that one which it came with; none when it is the claim's
 * own.
 */
export interface EvidenceLocation {
  readonly claimId: ClaimId
  readonly origins: readonly ClaimId[]
}

// `offset 0` keeps each look-up one by its index, whatever the planner knows of the tables.
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
 * Where candidates that were found before are by this moment, their claims held until the transaction ends. One that
 * has no claim yet, that was pulled out of its claim meanwhile, or whose claim was dismissed, is missing. Rejects with
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
