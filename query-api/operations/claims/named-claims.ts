import type { Transaction } from '../../../infra/postgres/port.ts'
import { claimNumbers } from '../../../model/claims/claims.ts'
import type { ClaimId } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'

export interface NamedClaim {
  readonly id: ClaimId
  readonly number: number
  readonly reference: string
}

/** The claims' own references, merged or not. */
export const namedClaims = async (
  transaction: Transaction,
  ids: readonly ClaimId[],
): Promise<(id: ClaimId) => NamedClaim> => {
  const numbers = await claimNumbers(transaction, ids)
  return id => {
    const number = numbers.get(id) ?? throwDeleted('claim')
    return { id, number, reference: reference('claim', number) }
  }
}
