import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { reference } from '../../schemas/domain/vocabulary.ts'

const BARE = `
  select number from claims
  where id = any (array(select surviving_claim(given) from unnest($1::uuid[]) as given)) and merged_into is null and state <> 'dismissed'
    and not exists (select from claim_evidence where claim_id = claims.id)
  order by number limit 1`

/** To be called once evidence was taken off these claims: throws `conflict` where one that stands has none left. */
export const refuseBareClaims = async (transaction: Transaction, ids: ReadonlySet<string>): Promise<void> => {
  if (ids.size === 0) return
  const [bare] = await transaction.query<{ number: number }>(BARE, [[...ids]])
  if (bare === undefined) return
  const name = reference('claim', bare.number)
  throw new AssayError(
    'conflict',
    `It is the only evidence that ${name} has by now, and no claim is without any. Nothing was changed. Attach other evidence to ${name} first, merge it into another claim, or dismiss it.`,
  )
}
