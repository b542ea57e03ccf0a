import { violates } from '../../infra/postgres/errors.ts'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { AccountEvent } from '../../schemas/domain/vocabulary.ts'
import { type AuditSubject, recordAudit } from '../audit/audit-log.ts'

interface Administrator {
  readonly user_id: string
  readonly name: string
  readonly email: string | null
  readonly since: Date
  readonly disabled: boolean
}

const LIST = `
  select user_id, name, case when $1 then email end as email, since, disabled_at is not null as disabled
  from administrators join account_users on id = user_id
  order by since, lower(name), user_id`

/** The installation's administrators, longest first. Addresses only on request. */
export const listAdministrators = (transaction: Transaction, withEmail: boolean): Promise<Administrator[]> =>
  transaction.query<Administrator>(LIST, [withEmail])

const FIND = `
  select id, name, (
    select count(*)::integer from administrators join account_users as people on people.id = user_id
    where user_id <> $1 and people.disabled_at is null) as others
  from administrators join account_users on id = user_id
  where user_id = $1`

interface FoundAdministrator {
  readonly id: string
  readonly name: string
  /** Other administrators whose accounts are not disabled. */
  readonly others: number
}

export const findAdministrator = async (
  transaction: Transaction,
  id: string,
): Promise<FoundAdministrator | undefined> => (await transaction.query<FoundAdministrator>(FIND, [id]))[0]

const OTHERS = `
  select from administrators join account_users on id = user_id where user_id <> $1 and disabled_at is null limit 1`

/** True when another person with an account that is not disabled is an administrator. */
export const hasOtherAdministrators = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.query(OTHERS, [id])).length > 0

interface Named {
  readonly id: string
  readonly name: string
}

interface Change {
  readonly change: AccountEvent
  readonly account: Named
  /** Null: the operator's command line. */
  readonly by: Named | null
  readonly detail?: AuditSubject['detail']
  readonly clientAddress?: string | null
}

/** Records a change of an account with its author, in the transaction of the change. */
export const recordChange = (
  transaction: Transaction,
  { change, account: { id, name }, by, detail = {}, clientAddress = null }: Change,
): Promise<void> =>
  recordAudit(transaction, {
    action: change,
    by: by === null ? { kind: 'operator' } : { kind: 'person', id: by.id, name: by.name },
    id,
    name,
    detail,
    clientAddress,
  })

const ADD = `insert into administrators (user_id) values ($1) on conflict do nothing returning user_id`
const REMOVE = `delete from administrators where user_id = $1 returning user_id`

/** False when the person was an administrator already. */
export const makeAdministrator = async (
  transaction: Transaction,
  account: Named,
  by: Named | null,
): Promise<boolean> => {
  const made = (await transaction.query(ADD, [account.id])).length > 0
  if (made) await recordChange(transaction, { change: 'made_administrator', account, by })
  return made
}

/** False when the person was none. The database refuses to remove the last one. */
export const unmakeAdministrator = async (
  transaction: Transaction,
  account: Named,
  by: Named | null,
): Promise<boolean> => {
  const removed = (await transaction.query(REMOVE, [account.id])).length > 0
  if (removed) await recordChange(transaction, { change: 'administrator_no_more', account, by })
  return removed
}

const LAST =
  'An installation keeps at least one administrator whose account is not disabled. Make somebody else an administrator first: under Settings → Installation, or with `assay account make-administrator`.'

/**
 * A transaction that may remove an administrator. The database's refusal to remove the last one becomes a `conflict`.
 */
export const guardedTransaction = async <T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> => {
  try {
    return await database.transaction({ role: 'assay_accounts' }, work)
  } catch (error) {
    throw violates(error, 'an_administrator_remains') ? new AssayError('conflict', LAST, { cause: error }) : error
  }
}
