import type { Transaction } from '../../../infra/postgres/port.ts'
import type { ClaimId } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'

const NAMES = `select id, number from claims where id = any ($1::uuid[])`

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
  const rows = await transaction.query<{ id: ClaimId; number: number }>(NAMES, [ids])
  const named = new Map(rows.map(row => [row.id, { ...row, reference: reference('claim', row.number) }]))
  return id => named.get(id) ?? throwDeleted('claim')
}
