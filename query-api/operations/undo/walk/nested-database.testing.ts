import { databaseError } from '../../../../infra/postgres/errors.ts'
import type { Database, Scope, Transaction } from '../../../../infra/postgres/port.ts'

/**
 * A database whose transactions are parts of one that is never committed: whatever they do, the next walk finds nothing
 * of it.
 */
export interface NestedDatabase {
  readonly database: Database
  /** Runs `work`, within which all transactions are parts of one, and takes back what it wrote. */
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

/** As much of the driver's as a walk needs. */
interface Client {
  query(statement: string | Named): Promise<{ readonly rows: unknown[] }>
  release(): void
}
interface Named {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}
interface Pool {
  connect(): Promise<Client>
}

export const nestedDatabase = (pool: Pool): NestedDatabase => {
  let client: Client | undefined
  const current = (): Client => {
    if (client === undefined) throw new Error('Nothing is begun.')
    return client
  }
  /** A walk asks the same again and again: each statement is planned once. */
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
        // The caller says what its statement answers.
        return (await current().query(query)).rows as Row[]
      } catch (error) {
        throw databaseError(error)
      }
    },
  }
  return {
    asOwner: {
      query: async (statement, values) => {
        await current().query('set local role none')
        return transaction.query(statement, values)
      },
    },
    database: {
      async transaction(scope, work) {
        await current().query(`savepoint part; ${settingsOf(scope)}; set local assay.change_id = ''`)
        try {
          const result = await work(transaction)
          // What is looked at when a transaction ends is looked at when this part does.
          await current().query('set constraints all immediate; set constraints all deferred; release savepoint part')
          return result
        } catch (error) {
          await current().query('rollback to savepoint part; release savepoint part')
          throw databaseError(error)
        }
      },
      ping: async () => {},
      close: async () => {},
    },
    async attempt(work) {
      await current().query('savepoint attempt')
      const result = await work()
      await current().query('rollback to savepoint attempt; release savepoint attempt')
      return result
    },
    async rolledBack(work) {
      client = await pool.connect()
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
