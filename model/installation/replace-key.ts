import type { Database, Scope, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { type InstallationKey, keyBefore, keyCheckValue, keyInForce, sameSecret } from '../../infra/runtime/secrets.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { everyWorkspaceId } from '../workspaces/workspaces.ts'
import { SEALED_COLUMNS, type Sealed, type SealedColumn, sealsOf } from './sealed-columns.ts'

/** Counts of a column's values by the key that sealed them. */
export interface SealedCount {
  readonly table: string
  readonly column: string
  readonly current: number
  /** Values of the previous key, which are still to do. */
  readonly before: number
  /** Values of neither key: their key is lost. */
  readonly unreadable: number
}

type Row = { readonly key: readonly string[]; readonly sealed: Sealed }

const orderOf = ({ key }: SealedColumn): string => key.map(([name]) => name).join(', ')

/** The next rows after `$1`, the last row's key as texts; null starts at the beginning. */
const nextRows = (of: SealedColumn, isLocked: boolean): string => {
  const { table, key, column, only = 'true', batch } = of
  const texts = key.map(([name]) => `${name}::text`).join(', ')
  const after = key.map(([, type], index) => `($1::text[])[${index + 1}]::${type}`).join(', ')
  return `
    select array[${texts}] as key, ${column} as sealed from ${table}
    where ${column} is not null and ${only} and ($1::text[] is null or (${orderOf(of)}) > (${after}))
    order by ${orderOf(of)} limit ${batch} ${isLocked ? 'for update' : ''}`
}

const setRow = ({ table, key, column }: SealedColumn): string => {
  const same = key.map(([name, type], index) => `${name} = ($1::text[])[${index + 1}]::${type}`).join(' and ')
  return `update ${table} set ${column} = $2 where ${same}`
}

const scopesOf = (of: SealedColumn, workspaceIds: readonly WorkspaceId[]): readonly Scope[] =>
  of.of === 'installation'
    ? [{ role: 'assay_accounts' }]
    : workspaceIds.map(workspaceId => ({ role: 'assay_erasure', workspaceId }))

/** Visits the rows of a column, some in each transaction. */
const walk = async (
  database: Database,
  scope: Scope,
  of: SealedColumn,
  { isLocked, look }: { isLocked: boolean; look: (transaction: Transaction, row: Row) => Promise<void> },
): Promise<void> => {
  const statement = nextRows(of, isLocked)
  let after: readonly string[] | null = null
  do {
    const from: readonly string[] | null = after
    after = await database.transaction<readonly string[] | null>(scope, async transaction => {
      const rows = await transaction.query<Row>(statement, [from])
      for (const row of rows) await look(transaction, row)
      return rows.at(-1)?.key ?? null
    })
  } while (after !== null)
}

/** Counts the values, and seals those of the previous key again when `isSealing`. They then count as `current`. */
const goOver = async (
  database: Database,
  key: InstallationKey,
  isSealing: boolean,
): Promise<readonly SealedCount[]> => {
  const before = keyBefore(key)
  const workspaceIds = await everyWorkspaceId(database)
  const counts: SealedCount[] = []
  for (const of of SEALED_COLUMNS) {
    const count = { current: 0, before: 0, unreadable: 0 }
    const set = setRow(of)
    const current = sealsOf(of, keyInForce(key))
    const earlier = before && sealsOf(of, before)
    const look = async (transaction: Transaction, { key: row, sealed }: Row) => {
      if ((await current.open(sealed)) !== null) count.current += 1
      else {
        const plain = earlier && (await earlier.open(sealed))
        if (plain === null) count.unreadable += 1
        else if (isSealing) {
          await transaction.query(set, [row, await current.seal(plain)])
          count.current += 1
        } else count.before += 1
      }
    }
    for (const scope of scopesOf(of, workspaceIds)) await walk(database, scope, of, { isLocked: isSealing, look })
    counts.push({ table: of.table, column: of.column, ...count })
  }
  return counts
}

/** Counts all sealed values by key. */
export const readSealedCounts = (database: Database, key: InstallationKey): Promise<readonly SealedCount[]> =>
  goOver(database, key, false)

const NOTED = 'select check_value, next_check_value from installation_key'
const DONE = 'update installation_key set check_value = $1, next_check_value = null, created_at = now()'

/**
 * Throws `conflict` until a program has started with both keys: a program with the old key alone could not read newly
 * sealed values.
 */
const assertStarted = async (database: Database, key: InstallationKey): Promise<void> => {
  const [noted] = await database.transaction({ role: 'assay_edge' }, transaction =>
    transaction.query<{ check_value: Uint8Array; next_check_value: Uint8Array | null }>(NOTED),
  )
  const own = keyCheckValue(key)
  if ([noted?.check_value, noted?.next_check_value].some(value => value && sameSecret(value, own))) return
  const message = 'No program has started with the new key. Restart every program first, then run this again.'
  throw new AssayError('conflict', message)
}

/**
 * Seals all values of the previous key again, while programs with both keys run. It can be stopped and repeated: the
 * bytes of a value show its key. When no value of the previous key is left, the database stores the new key's check
 * value.
 */
export const reseal = async (database: Database, key: InstallationKey): Promise<readonly SealedCount[]> => {
  await assertStarted(database, key)
  await goOver(database, key, true)
  // Values that a program with the old key sealed meanwhile.
  const counts = await readSealedCounts(database, key)
  if (counts.every(({ before }) => before === 0))
    await database.transaction({ role: 'assay_edge' }, transaction => transaction.query(DONE, [keyCheckValue(key)]))
  return counts
}
