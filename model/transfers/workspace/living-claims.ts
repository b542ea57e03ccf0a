import type { Transaction } from '../../../infra/postgres/port.ts'
import type { Row } from './exported-rows.ts'

/** Tables whose rows need a surviving claim. */
export const HANG_ON_CLAIMS: ReadonlySet<string> = new Set(['claim_evidence', 'solution_claims'])

const SURVIVORS = `
  select id, surviving_claim(id) as survivor from claims where id = any ($1::uuid[]) and merged_into is not null`

/**
 * Exports of older versions may have rows on merged claims: the rows move to the surviving claims, and keep the merged
 * claim as their origin.
 */
export const withLivingClaims = async (
  transaction: Transaction,
  table: string,
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  if (!HANG_ON_CLAIMS.has(table)) return rows
  const named = [...new Set(rows.map(({ claim_id }) => claim_id))]
  const merged = await transaction.query<{ id: string; survivor: string }>(SURVIVORS, [named])
  if (merged.length === 0) return rows
  const survivors = new Map(merged.map(({ id, survivor }) => [id, survivor]))
  return rows.map(row => {
    const survivor = survivors.get(String(row.claim_id))
    if (survivor === undefined) return row
    const cameBy = Array.isArray(row.origins) && row.origins.length > 0 ? row.origins : [row.claim_id]
    return { ...row, claim_id: survivor, origins: cameBy }
  })
}
