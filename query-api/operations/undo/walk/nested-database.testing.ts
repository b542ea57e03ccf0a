import { databaseError } from '../../../../infra/postgres/errors.ts'
import { createPool, type PostgresConnection } from '../../../../infra/postgres/pool.ts'
import type { Database, Scope, Transaction } from '../../../../infra/postgres/port.ts'
import { silentLogger } from '../../../../infra/postgres/testing-embedded.ts'

/** A database whose transactions are parts of one that is never committed, so that the next walk finds no trace. */
export interface NestedDatabase {
  readonly database: Database
  /** Runs `work`, whose transactions are all parts of one, and rolls everything back. */
  rolledBack<T>(work: () => Promise<T>): Promise<T>
  /** The same within it. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** As the owner of the tables, who sees all of them. */
  readonly asOwner: Transaction
}

const settingsOf = (scope: Scope): string => {
  const one = 'workspaceId' in scope ? scope.workspaceId : ''
  const several = 'workspaceIds' in scope ? scope.workspaceIds.join(',') : ''
  return `set local role ${scope.role}; set local assay.workspace_id = '${one}'; set local assay.workspace_ids = '{${several}}'`
}

/** Checks of a transaction's end run at a part's end; the role ends with the part. */
const END = `set constraints all immediate; set constraints all deferred; release savepoint part; set local role none`

/** A walk that a debugger or a signal stops for a while keeps its connection. */
const TIMEOUT_MS = 3_600_000

export const nestedDatabase = (connection: PostgresConnection): NestedDatabase => {
  const pool = createPool({ connection, max: 1, statementTimeoutMs: TIMEOUT_MS, logger: silentLogger })
  const connect = () => pool.connect()
  let client: Awaited<ReturnType<typeof connect>> | undefined
  const current = () => {
    if (client === undefined) throw new Error('Nothing is begun.')
    return client
  }
  /** A walk repeats its statements, so each is planned once. */
  const names = new Map<string, string>()
  const nameOf = (statement: string): string => {
    const name = names.get(statement) ?? `walk_${names.size}`
    names.set(statement, name)
    return name
  }
  const transaction: Transaction = {
    query: async <Row extends object>(statement: string, values: readonly unknown[] = []) => {
      try {
        const query = { name: nameOf(statement), text: statement, values: [...values] }
        // The caller declares the rows of its statement.
        return (await current().query(query)).rows as Row[]
      } catch (error) {
        throw databaseError(error)
      }
    },
  }
  return {
    asOwner: transaction,
    database: {
      async transaction(scope, work) {
        await current().query(`savepoint part; ${settingsOf(scope)}; set local assay.change_id = ''`)
        try {
          const result = await work(transaction)
          await current().query(END)
          return result
        } catch (error) {
          await current().query('rollback to savepoint part; release savepoint part')
          throw databaseError(error)
        }
      },
      ping: async () => {},
      close: () => pool.end(),
    },
    async attempt(work) {
      await current().query('savepoint attempt')
      const result = await work()
      await current().query('rollback to savepoint attempt; release savepoint attempt')
      return result
    },
    async rolledBack(work) {
      client = await connect()
      try {
        await client.query('begin')
        return await work()
      } finally {
        await client.query('rollback')
        client.release()
        client = undefined
      }
    },
  }
}
