import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { WITH_THEMES_TO_FIND } from '../../model/themes/due.ts'
import { arrivingImports } from '../../model/transfers/arrivals.ts'
import { newId, type TransferId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Polling } from '../framework/poll.ts'
import { testObserver } from '../framework/testing.ts'
import { startFollowingImports } from './follow-imports.ts'
import { importKit } from './import/testing.ts'
import { addManySignals, newWorkspace } from './testing.ts'

let db: TestDatabase
let following: Polling
let workspace: WorkspaceId
before(async () => {
  db = await startTestDatabase()
  following = startFollowingImports({ database: db.database, observer: testObserver(), intervalMs: 20 })
})
after(async () => {
  await following.stop()
  await db.stop()
})
beforeEach(async () => {
  workspace = await newWorkspace(db)
})

const kit = importKit(() => db)
const query = async (statement: string, values: readonly unknown[]) =>
  (await db.pool.query(statement, [...values])).rows

/** Two problems, a wish that is said twice, a question and thanks. */
const FILE = `Id,Text,Who
1,The export of the ledger stops after four hundred rows.,Ana
2,Nobody can sign in on the tablet of the warehouse.,Ben
3,Please add a dark mode to the map.,Cleo
4,Please add a dark mode to the map!,Dan
5,How do I invite a colleague?,Eve
6,Thank you so much!,Flo
`

const figures = async (id: TransferId) => {
  const [row] = await query('select brought, arrived, dead, arrived_at from transfers where id = $1', [id])
  const { arrived_at, ...counts } = row
  return { ...counts, isComplete: arrived_at !== null }
}
const become = (id: TransferId, expected: object) =>
  eventually('the import is counted', async () => assert.deepEqual(await figures(id), expected))
const themesAreDue = async (): Promise<boolean> =>
  (
    await db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspace] }, transaction =>
      transaction.query<{ id: WorkspaceId }>(WITH_THEMES_TO_FIND, [[workspace], null]),
    )
  ).length > 0

describe('The signals of an import', () => {
  it('are counted as they reach their places, also repeats and what starts no claim, and themes wait for all', async () => {
    await addManySignals(db, workspace, 12)
    await query(`insert into reference_counters (workspace_id, kind, last_number) values ($1, 'signal', 12)`, [
      workspace,
    ])
    assert.equal(await themesAreDue(), true)
    const { id } = await kit.bring(workspace, FILE)
    await become(id, { brought: 6, arrived: 0, dead: 0, isComplete: false })
    assert.equal(await themesAreDue(), false)
    await kit.deliver()
    await become(id, { brought: 6, arrived: 6, dead: 0, isComplete: true })
    assert.equal((await query('select id from occurrences where workspace_id = $1', [workspace])).length, 1)
    assert.equal(await themesAreDue(), true)

    const again = await kit.bring(workspace, FILE)
    await become(again.id, { brought: 0, arrived: 0, dead: 0, isComplete: true })
  })

  it('are on their way until the last step has given a need its claim', async () => {
    const { id } = await kit.bring(workspace, FILE)
    await kit.deliver()
    await become(id, { brought: 6, arrived: 6, dead: 0, isComplete: true })
    const [row] = await query('select claim_id, signal_id from claim_evidence where workspace_id = $1 limit 1', [
      workspace,
    ])
    await query('delete from claim_evidence where claim_id = $1', [row.claim_id])
    await query('update transfers set arrived_at = null where id = $1', [id])
    await become(id, { brought: 6, arrived: 5, dead: 0, isComplete: false })

    await query(
      `insert into dead_letters (signal_id, step, workspace_id, topic, fault, error_class, message, attempts, first_failed_at,
         last_failed_at, sealed, record)
       values ($1, 'cluster', $2, 't', 'ours', 'e', 'm', 1, now(), now(), false, '')`,
      [row.signal_id, workspace],
    )
    await become(id, { brought: 6, arrived: 5, dead: 1, isComplete: true })
  })

  it('keep themes waiting for an hour at most, and not once the import is taken back', async () => {
    await addManySignals(db, workspace, 12)
    const { id } = await kit.bring(workspace, FILE)
    assert.equal(await themesAreDue(), false)
    await query(
      `update jobs set finished_at = now() - interval '61 minutes' where id = (select job_id from transfers where id = $1)`,
      [id],
    )
    assert.equal(await themesAreDue(), true)
    await query('update transfers set taken_back_at = now() where id = $1', [id])
    const arriving = await db.database.transaction({ role: 'assay_accounts' }, arrivingImports)
    assert.ok(arriving.every(transfer => transfer.id !== id))
    kit.sent.length = 0
  })

  it('are looked for by an index that has no other transfers', async () => {
    await query(
      `insert into transfers (id, workspace_id, direction, format, name, started_by, arrived_at)
       select gen_random_uuid(), $1, 'import', 'csv', 'f', 'Owner', now() from generate_series(1, 3000)`,
      [workspace],
    )
    const job = newId()
    await query(
      `insert into jobs (id, workspace_id, kind, state, started_by, finished_at) values ($1, $2, 'import', 'done', 'o', now())`,
      [job, workspace],
    )
    await query('update transfers set job_id = $1 where workspace_id = $2', [job, workspace])
    await query('analyze transfers', [])
    const plan = await query(
      `explain (format json) select id, workspace_id from transfers
       where direction = 'import' and format <> 'workspace' and job_id is not null and arrived_at is null
         and taken_back_at is null order by created_at limit 100`,
      [],
    )
    assert.match(JSON.stringify(plan), /transfers_arriving/)
  })
})
