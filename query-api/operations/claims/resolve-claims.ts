import type { Transaction } from '../../../infra/postgres/port.ts'
import { lockSurvivors } from '../../../model/claims/survivors.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { ClaimId } from '../../../schemas/domain/ids.ts'

/**
 * The claims that identifiers stand for, each once, held until the transaction ends so that no merge takes one away before it is
 * linked. One that fits none or several refuses them all.
 */
export const resolveClaims = async (
  transaction: Transaction,
  identifiers: readonly string[] | undefined,
): Promise<ClaimId[]> => {
  const ids = new Set<ClaimId>()
  for (const identifier of identifiers ?? []) {
    // Resolved as a claim.
    ids.add((await resolveOne(transaction, 'claim', identifier)).id as ClaimId)
  }
  return [...new Set((await lockSurvivors(transaction, [...ids])).values())]
}
