import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '../../../infra/postgres/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { rowsGoneOver } from '../../../infra/postgres/testing-plans.ts'
import { filesBeingChecked } from '../../../model/transfers/transfers.ts'
import { type JobId, newId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { importKit, knowing } from '../import/testing.ts'
import { newWorkspace, runJob } from '../testing.ts'
import { createCheckImportJob } from './check-import.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
const { upload, bring, dependencies } = importKit(() => db)

const csv = (rows: number, words = 'It hangs in office'): string =>
  `ticket,text,who\n${Array.from({ length: rows }, (_, row) => `${row},${words} ${row},Ana`).join('\n')}\n`
const jsonLines = (rows: number): string =>
  Array.from({ length: rows }, (_, row) => JSON.stringify({ row_id: row, text: `It stops in office ${row}` })).join(
    '\n',
  )

/** A database that counts its statements, and the rows that those on the rows of files go over. */
const countWork = (database: Database) => {
  const work = { statements: 0, rows: 0 }
  const counting: Database = {
    ...database,
    transaction: (scope, run) =>
      database.transaction(scope, transaction =>
        run({
          async query<Row extends object>(statement: string, values: readonly unknown[] = []) {
            work.statements += 1
            if (/transfer_texts|imported_rows/.test(statement)) {
              // What these write, they write once, however often they are done.
              work.rows += await rowsGoneOver(transaction, statement, values)
            }
            return transaction.query<Row>(statement, values)
          },
        }),
      ),
  }
  return { database: counting, work }
}

/** Has a job of its own try files, and answers whose turns they were. */
const check = async (workspaceId: WorkspaceId, files: readonly string[], database = db.database) => {
  const jobId = newId<JobId>()
  await db.pool.query(knowing('check_import'), [jobId, workspaceId, files[0]])
  await db.pool.query('update transfers set check_job_id = $1 where id = any ($2::uuid[])', [jobId, files])
  const turns: string[] = []
  const outcome = await runJob(createCheckImportJob({ ...dependencies(), database }), workspaceId, {
    jobId,
    after: cursor => {
      turns.push((cursor as { last: string } | null)?.last ?? 'the end')
      return undefined
    },
  })
  return { turns, outcome }
}

const reportOf = async (id: string) =>
  (await db.pool.query('select report from transfers where id = $1', [id])).rows[0].report

describe('The check of a file', () => {
  for (const [format, fileOf] of [
    ['csv', csv],
    ['json_lines', jsonLines],
  ] as const) {
    it(`of ${format} goes over each row as often, however many there are, whatever the planner knows`, async () => {
      // By what it knows, a file has a handful of rows.
      const small = await newWorkspace(db)
      await bring(small, fileOf(3), { format })
      await db.pool.query('analyze transfer_texts')
      await db.pool.query('analyze imported_rows')
      const rows = 1500
      const costs: { readonly statements: number; readonly rows: number }[] = []
      for (const times of [1, 2, 4]) {
        const workspaceId = await newWorkspace(db)
        const counted = countWork(db.database)
        const fresh = await upload(workspaceId, fileOf(rows * times), { format })
        await check(workspaceId, [fresh.id], counted.database)
        assert.partialDeepStrictEqual(await reportOf(fresh.id), { records: rows * times, known: 0, duplicates: 0 })
        await bring(workspaceId, fileOf(rows * times), { format })
        const again = await upload(workspaceId, fileOf(rows * times), { format })
        await check(workspaceId, [again.id], counted.database)
        assert.partialDeepStrictEqual(await reportOf(again.id), { accepted: rows * times, known: rows * times })
        costs.push(counted.work)
      }
      const [once, twice, fourTimes] = costs
      assert.ok(once && twice && fourTimes)
      assert.ok(twice.rows <= once.rows * 2.1 && fourTimes.rows <= once.rows * 4.2, JSON.stringify(costs))
      assert.ok(fourTimes.statements <= once.statements * 4, JSON.stringify(costs))
    })
  }

  it('takes turns with that of other files, and ends a short one while a long one goes on', async () => {
    const workspaceId = await newWorkspace(db)
    const long = await upload(workspaceId, csv(9000))
    const short = await upload(workspaceId, csv(10, 'It stops in office'))
    const other = await upload(workspaceId, csv(5000, 'It rings in office'))
    const { turns, outcome } = await check(workspaceId, [long.id, short.id, other.id])
    const order = [long.id, short.id, other.id].toSorted()
    // Each once, before the first has its second turn.
    assert.deepEqual(turns.slice(0, 3), order)
    assert.equal(turns.filter(id => id === short.id).length, 1)
    const both = [long.id, other.id].toSorted()
    assert.deepEqual(turns.slice(3, 7), [...both, ...both])
    assert.partialDeepStrictEqual(outcome, { done: 14_010, failed: 0, total: 14_010 })
    assert.partialDeepStrictEqual(await reportOf(long.id), { records: 9000, accepted: 9000, duplicates: 0 })
    assert.partialDeepStrictEqual(await reportOf(short.id), { records: 10, accepted: 10 })
    assert.partialDeepStrictEqual(await reportOf(other.id), { records: 5000, accepted: 5000 })
  })

  it('goes on with the others where one is gone', async () => {
    const workspaceId = await newWorkspace(db)
    const gone = await upload(workspaceId, csv(10))
    const there = await upload(workspaceId, csv(20))
    await db.pool.query('delete from transfer_pieces where transfer_id = $1', [gone.id])
    const { outcome } = await check(workspaceId, [gone.id, there.id])
    assert.partialDeepStrictEqual(outcome, { done: 20, total: 20 })
    assert.equal(await reportOf(gone.id), null)
    await assert.rejects(check(workspaceId, [gone.id]), /not there any more/)
  })

  it('of a file that is tried anew by another reading begins anew', async () => {
    const workspaceId = await newWorkspace(db)
    const { id } = await upload(workspaceId, csv(3000))
    const jobId = newId<JobId>()
    await db.pool.query(knowing('check_import'), [jobId, workspaceId, id])
    const job = createCheckImportJob(dependencies())
    let half: unknown = null
    await runJob(job, workspaceId, {
      jobId,
      after: cursor => {
        half = cursor
        return true
      },
    })
    await db.pool.query(`update transfers set reading = reading || '{"keep_other_columns": false}' where id = $1`, [id])
    await db.pool.query('delete from transfer_texts where transfer_id = $1', [id])
    await runJob(job, workspaceId, { jobId, from: half })
    assert.partialDeepStrictEqual(await reportOf(id), { records: 3000, duplicates: 0 })
    const inside = { role: 'assay_pipeline', workspaceIds: [workspaceId] } as const
    assert.deepEqual(await db.database.transaction(inside, transaction => filesBeingChecked(transaction, jobId)), [])
  })
})
