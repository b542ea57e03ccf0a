import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { identifier } from '../parts/fields.ts'

export const claimFilter = Type.Optional(
  Type.With(identifier, { description: 'A claim: only what concerns it, or what was merged into it.' }),
)

/** The id of the claim that a list is about; null for all. Throws `not_found` or `ambiguous`. */
export const filteredClaim = async (transaction: Transaction, given: string | undefined): Promise<string | null> =>
  given === undefined ? null : (await resolveOne(transaction, 'claim', given)).id
