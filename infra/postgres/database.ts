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

/** The statement that checks whom the transaction works for, sent in the same round trip. */
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
 * Opens the transaction and sets the role in one round trip. A query of several statements binds no values, therefore
 * the ids are checked.
 */
const opening = (scope: Scope): string => {
  const standing = 'standing' in scope && scope.standing !== undefined ? `; ${lookUp(scope.standing)}` : ''
  const begin = `begin; set local role ${scope.role}${standing}`
  if ('workspaceId' in scope) {
    const inWorkspace = `${begin}; set local assay.workspace_id = '${checked(scope.workspaceId)}'`
    const isOpenAnyway = scope.role !== 'assay_app' || scope.allowedDuringImport === true
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

/** Elements that need no quotes in an array literal. */
const PLAIN = /^(?!null$)[\w-]+$/i
const isPlain = (element: unknown): boolean =>
  typeof element === 'number' || (typeof element === 'string' && PLAIN.test(element))

/**
 * An array of ids, numbers or names as PostgreSQL's literal. The driver's own conversion, used for any other array,
 * quotes each element and takes several times as much memory.
 */
const parameterOf = (value: unknown): unknown =>
  Array.isArray(value) && value.every(isPlain) ? `{${value.join(',')}}` : value

/** PostgreSQL's code for a statement after a failed one: `in_failed_sql_transaction`. */
const BEHIND_A_FAILURE = '25P02'

/**
 * `opened` is the answer to the opening of the transaction. A statement sent after a failed one rejects with the first
 * failure: of several concurrent statements either may be awaited first.
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
 * True when the first statements may be sent before the opening is answered, which saves a round trip. On a server only
 * for the pipeline: whoever cancels the opening from outside makes the following statements run without the role,
 * therefore a request of a user waits until the role is set. Nobody can cancel on the embedded engine.
 */
const sendsBehindOpening = ({ role }: Scope, isEmbedded: boolean): boolean => isEmbedded || role === 'assay_pipeline'

/**
 * Throws when nothing was committed: PostgreSQL answers the commit of a failed transaction with a rollback, without an
 * error.
 */
const assertCommitted = ({ command }: pg.QueryResult): void => {
  if (command !== 'COMMIT')
    throw new AssayError('internal', 'A failed transaction was committed as if it had not failed.')
}

/** Statements requested together form one transaction, which is sent as a whole. */
interface DividedTransaction extends Transaction {
  /** Resolves once the connection is idle. */
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

/** After these errors the connection may be in the middle of an answer, and is not used again. */
const isBroken = (error: unknown): boolean =>
  isAssayError(error) && (error.code === 'unavailable' || error.code === 'timeout')

/** Runs work whose statements need not share a transaction. */
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

/** A database over a pool, which `close` ends. */
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
        // The failure is thrown below, to the first who awaits.
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
