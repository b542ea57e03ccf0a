import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'

const FIND_SURVIVORS = `
  with recursive lineage as (
    select id as asked, id, merged_into from claims where id = any ($1::uuid[])
    union
    select lineage.asked, claims.id, claims.merged_into
    from lineage join claims on claims.id = lineage.merged_into
  )
  select asked, id from lineage where merged_into is null`

const LOCK_CLAIMS = `select id, merged_into from claims where id = any ($1::uuid[]) order by id for update`

/**
 * The claims that the given ones live on in, each held until the transaction ends, so that no merge moves its evidence meanwhile.
 * Rejects with `busy` when one was merged between the look and the lock.
 */
export const lockSurvivors = async (
  transaction: Transaction,
  claimIds: readonly ClaimId[],
): Promise<ReadonlyMap<ClaimId, ClaimId>> => {
  if (claimIds.length === 0) return new Map()
  const rows = await transaction.query<{ asked: ClaimId; id: ClaimId }>(FIND_SURVIVORS, [claimIds])
  const locked = await transaction.query<{ id: ClaimId; merged_into: ClaimId | null }>(LOCK_CLAIMS, [
    rows.map(row => row.id),
  ])
  if (locked.some(claim => claim.merged_into !== null)) {
    throw new AssayError('busy', 'A claim was merged into another one at the same moment. Try again.')
  }
  return new Map(rows.map(row => [row.asked, row.id]))
}
