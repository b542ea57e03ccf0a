import type pg from 'pg'
import { isUuid } from '../../schemas/domain/ids.ts'
import { MEMBER_ROLES } from '../../schemas/domain/vocabulary.ts'
import { AssayError, codeOf, isAssayError } from '../runtime/errors.ts'
import { isSocketDirectory } from './embedded/socket-directory.ts'
import { databaseError } from './errors.ts'
import type { Database, Scope, Standing, Transaction } from './port.ts'

const checked = (id: string): string => {
  if (isUuid(id)) return id
  throw new AssayError('invalid_input', 'An id is not a UUID.')
}

const HELD: ReadonlySet<unknown> = new Set<Standing['holds']>(['own', 'owners', 'administrators'])

/** Whom the transaction works for, looked up in the same round trip. */
const lookUp = ({ workspaceId, userId, role, administers, proof, holds }: Standing): string => {
  const text = (value: string | null) => (value === null ? 'null' : `'${value}'`)
  const key = 'keyId' in proof ? checked(proof.keyId) : null
  const session = 'sessionId' in proof ? checked(proof.sessionId) : null
  const admittedAs = MEMBER_ROLES.find(each => each === role) ?? null
  const held = HELD.has(holds) ? holds : null
  const values = [text(checked(workspaceId)), text(checked(userId)), text(admittedAs), administers === true, text(key)]
  return `select require_standing(${[...values, text(session), text(held)].join(', ')})`
}

/**
 * One round trip that opens the transaction and takes the role on. The ids are checked, as this form of query binds no
 * values.
 */
const opening = (scope: Scope): string => {
  const standing = 'standing' in scope && scope.standing !== undefined ? `; ${lookUp(scope.standing)}` : ''
  const begin = `begin; set local role ${scope.role}${standing}`
  if ('workspaceId' in scope) {
    const inWorkspace = `${begin}; set local assay.workspace_id = '${checked(scope.workspaceId)}'`
    const isOpenAnyway = scope.role !== 'assay_app' || scope.whileImported === true
    return isOpenAnyway ? inWorkspace : `${inWorkspace}; select require_whole_workspace()`
  }
  if ('workspaceIds' in scope)
    return `${begin}; set local assay.workspace_ids = '{${scope.workspaceIds.map(checked).join(',')}}'`
  return begin
}

const ROLES: ReadonlySet<string> = new Set<Scope['role']>([
  'assay_app',
  'assay_sandbox',
  'assay_pipeline',
  'assay_accounts',
  'assay_edge',
  'assay_transfer',
  'assay_erasure',
])

/** What stands in the literal of an array without quotes. */
const PLAIN = /^(?!null$)[\w-]+$/i
const isPlain = (element: unknown): boolean =>
  typeof element === 'number' || (typeof element === 'string' && PLAIN.test(element))

/**
 * An array of ids, numbers or names as PostgreSQL reads it. Any other is the driver's, which quotes each element and
 * puts the literal together piece by piece: that takes several times as much memory.
 */
const parameterOf = (value: unknown): unknown =>
  Array.isArray(value) && value.every(isPlain) ? `{${value.join(',')}}` : value

/** PostgreSQL's code for a statement behind one that failed: `in_failed_sql_transaction`. */
const BEHIND_A_FAILURE = '25P02'

/**
 * `opened` is the answer to the transaction's opening. A statement that was sent behind one that failed tells why that
 * one did: of several that are waited for together, either may be heard first.
 */
const transactionOn = (client: pg.PoolClient, opened: Promise<unknown>): Transaction => {
  let failure: unknown = null
  return {
    async query<Row extends object>(statement: string, values: readonly unknown[] = []) {
      try {
        const [, result] = await Promise.all([
          opened,
          client.query<Row & pg.QueryResultRow>(statement, values.map(parameterOf)),
        ])
        return result.rows
      } catch (error) {
        if (failure === null || codeOf(error) !== BEHIND_A_FAILURE) failure = databaseError(error)
        throw failure
      }
    },
  }
}

/**
 * Whether the first statements are sent before the opening is answered: a round trip less. On a server only what the
 * pipeline asks: whoever cancels the opening from outside has what is behind it run without the role, and a statement
 * that somebody outside asked for is sent once the role is known to be taken on. Nobody cancels one on the embedded
 * engine.
 */
const sendsBehindOpening = ({ role }: Scope, isEmbedded: boolean): boolean => isEmbedded || role === 'assay_pipeline'

/** Throws where a commit was none: PostgreSQL answers that of a failed transaction with a rollback and no error. */
const assertCommitted = ({ command }: pg.QueryResult): void => {
  if (command !== 'COMMIT')
    throw new AssayError('internal', 'A failed transaction was committed as if it had not failed.')
}

/** Statements of which those that are asked together are one transaction, which travels whole. */
interface DividedTransaction extends Transaction {
  /** Resolves once the connection has nothing under way. */
  ended(): Promise<void>
}

const dividedOn = (client: pg.PoolClient, begin: string): DividedTransaction => {
  interface Part {
    readonly transaction: Transaction
    readonly committed: Promise<void>
  }
  let open: Part | null = null
  let last: Promise<unknown> = Promise.resolve()
  const openPart = (): Part => {
    const opened = client.query(begin)
    opened.catch(() => {})
    const committed = Promise.resolve().then(async () => {
      open = null
      assertCommitted(await client.query('commit'))
    })
    last = committed.catch(() => {})
    return { transaction: transactionOn(client, opened), committed }
  }
  return {
    async query<Row extends object>(statement: string, values?: readonly unknown[]) {
      open ??= openPart()
      const { transaction, committed } = open
      const rows = await transaction.query<Row>(statement, values)
      await committed
      return rows
    },
    ended: async () => void (await last),
  }
}

/** After these the connection may still be in the middle of an answer, so it is not used again. */
const isBroken = (error: unknown): boolean =>
  isAssayError(error) && (error.code === 'unavailable' || error.code === 'timeout')

/** Runs work whose statements need not be one transaction. */
const divided = async <T>(
  client: pg.PoolClient,
  begin: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> => {
  const transaction = dividedOn(client, begin)
  try {
    const result = await work(transaction)
    await transaction.ended()
    client.release()
    return result
  } catch (caught) {
    const error = databaseError(caught)
    await transaction.ended()
    client.release(isBroken(error))
    throw error
  }
}

/** The database over a pool, which `close` ends. */
export const createDatabase = (pool: pg.Pool): Database => {
  const isEmbedded = isSocketDirectory(pool.options.host ?? '')
  const connect = async () => {
    try {
      return await pool.connect()
    } catch (error) {
      throw databaseError(error)
    }
  }

  const rollBack = async (client: pg.PoolClient, error: unknown) => {
    if (isBroken(error)) return client.release(true)
    try {
      await client.query('rollback')
      client.release()
    } catch {
      client.release(true)
    }
  }

  return {
    async transaction<T>(scope: Scope, work: (transaction: Transaction) => Promise<T>): Promise<T> {
      if (!ROLES.has(scope.role)) throw new AssayError('internal', 'An unknown database role was asked for.')
      const begin = opening(scope)
      const client = await connect()
      if (isEmbedded && scope.isDivisible === true) return divided(client, begin, work)
      try {
        const opened = client.query(begin)
        // It is heard of below, by whoever asks first.
        opened.catch(() => {})
        if (!sendsBehindOpening(scope, isEmbedded)) await opened
        const result = await work(transactionOn(client, opened))
        await opened
        assertCommitted(await client.query('commit'))
        client.release()
        return result
      } catch (caught) {
        const error = databaseError(caught)
        await rollBack(client, error)
        throw error
      }
    },

    async ping() {
      try {
        await pool.query('select 1')
      } catch (error) {
        throw databaseError(error)
      }
    },

    close: () => pool.end(),
  }
}
