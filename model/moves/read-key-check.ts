import type { OwnerQuery } from '../../infra/postgres/owner.ts'

/** What the database knows its key by; null before its first start. */
export const readKeyCheck = async (query: OwnerQuery): Promise<Uint8Array | null> => {
  const [row] = await query<{ check_value: Uint8Array }>('select check_value from installation_key')
  return row?.check_value ?? null
}
