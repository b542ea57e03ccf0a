import type { Transaction } from '../../infra/postgres/port.ts'

const LOCK = `select user_id from administrators order by user_id for update`

/** Who administers the installation, held until the transaction ends. */
export const lockAdministrators = async (transaction: Transaction): Promise<string[]> =>
  (await transaction.query<{ user_id: string }>(LOCK)).map(({ user_id }) => user_id)

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

/** Who administers the installation, those who do so the longest first; addresses only where asked for. */
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
  /** How many others administer the installation, whose accounts are not disabled. */
  readonly others: number
}

export const findAdministrator = async (
  transaction: Transaction,
  id: string,
): Promise<FoundAdministrator | undefined> => (await transaction.query<FoundAdministrator>(FIND, [id]))[0]

const OTHERS = `
  select from administrators join account_users on id = user_id where user_id <> $1 and disabled_at is null limit 1`

/** Whether anybody but this person, whose account is not disabled, administers the installation. */
export const hasOtherAdministrators = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.query(OTHERS, [id])).length > 0
