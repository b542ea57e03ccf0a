import type { Transaction } from '../../../../infra/postgres/port.ts'

/** A key that nobody uses. */
export interface UnusedKey {
  readonly label: string
  readonly last_four: string
  /** Since it was last used, or made. */
  readonly days: number
  readonly ever_used: boolean
}

const UNUSED = `
  select label, last_four, last_used_at is not null as ever_used,
    floor(extract(epoch from now() - coalesce(last_used_at, created_at)) / 86400)::integer as days
  from mcp_keys
  where case when last_used_at is null then created_at < now() - interval '7 days' else last_used_at < now() - interval '90 days' end
  order by days desc, id`

export const unusedKeys = (transaction: Transaction): Promise<readonly UnusedKey[]> =>
  transaction.query<UnusedKey>(UNUSED)
