import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { BY_ID } from '../../../model/references/statements.ts'
import { membersIn } from '../../../model/themes/read-themes.ts'
import { addManySignals, newWorkspace } from '../../../processors/jobs/testing.ts'
import { newId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'

/**
 * Under row security PostgreSQL compares an id by its index only where the other side cannot leak. It takes `coalesce`
 * for leaky, and would read all signals for each id.
 */
describe('Signals that are looked up by their ids are read by the index, under row security', () => {
  let db: TestDatabase
  let workspaceId: WorkspaceId
  before(async () => {
    db = await startTestDatabase()
    workspaceId = await newWorkspace(db)
    await addManySignals(db, workspaceId, 2000)
    await db.pool.query('analyze')
  })
  after(() => db?.stop())

  const planOf = (statement: string, values: readonly unknown[]): Promise<string> =>
    db.database.transaction({ role: 'assay_app', workspaceId }, async transaction => {
      const rows = await transaction.query<Record<string, string>>(`explain ${statement}`, [...values])
      return rows.flatMap(row => Object.values(row)).join('\n')
    })

  for (const [what, statement, values] of [
    ['members of themes', membersIn(null), []],
    ['a signal, or the one that has a repeat', BY_ID.signal, [newId<SignalId>()]],
  ] as const) {
    it(what, async () => {
      const plan = await planOf(statement, values)
      assert.match(plan, /Index Scan using \w+ on signals .*\n.*Index Cond: .*\(id = /)
      assert.doesNotMatch(plan, /Seq Scan on signals/)
    })
  }
})
