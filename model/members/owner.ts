import type { Transaction } from '../../infra/postgres/port.ts'
import { type Person, personIn } from './people.ts'

/** What a member can look after. */
export const OWNED = ['signal', 'claim', 'solution'] as const
export type Owned = (typeof OWNED)[number]

const TABLE: Readonly<Record<Owned, string>> = { signal: 'signals', claim: 'claims', solution: 'solutions' }

/** Stands for nobody where a list is asked for what nobody looks after: no account has it. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

/** A condition on a table with an `owner_id`, for a parameter that is null, a member's id or `NOBODY`. */
export const ownedBy = (parameter: string): string =>
  `(${parameter}::uuid is null or coalesce(owner_id, '${NOBODY}') = ${parameter})`

const readOwner = (table: string): string =>
  `select ${personIn('owner_id')} as owner from ${table} where id = $1 for update`

/** Who looks after an object, which is held until the transaction ends; null for nobody, undefined where it is not. */
export const lockOwner = async (
  transaction: Transaction,
  { kind, id }: { readonly kind: Owned; readonly id: string },
): Promise<Person | null | undefined> =>
  (await transaction.query<{ owner: Person | null }>(readOwner(TABLE[kind]), [id]))[0]?.owner

/** The version stays: who edits the object meanwhile loses nothing to it. */
export const setOwner = async (
  transaction: Transaction,
  { kind, id }: { readonly kind: Owned; readonly id: string },
  owner: string | null,
): Promise<void> => {
  await transaction.query(`update ${TABLE[kind]} set owner_id = $2 where id = $1`, [id, owner])
}
