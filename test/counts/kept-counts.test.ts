import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../../infra/clickhouse/testing.ts'
import { createMemoryRegistry } from '../../infra/log/testing-registry.ts'
import { createCodecs } from '../../model/codecs.ts'
import { readPieces } from '../../model/transfers/pieces.ts'
import { actorKey, eraseKit, sealer } from '../../processors/jobs/erase/testing.ts'
import { createExportJob } from '../../processors/jobs/export/export.ts'
import { createImportJob } from '../../processors/jobs/import/import.ts'
import type { JobDefinition } from '../../processors/jobs/job-kind.ts'
import { createLeases } from '../../processors/jobs/runner.ts'
import { embedder } from '../../processors/steps/testing.ts'
import { receiveFile } from '../../query-api/files/receive-file.ts'
import { registry } from '../../query-api/operations/registry.ts'
import { type OperationsKit, startOperations } from '../../query-api/operations/testing.ts'
import { CHANGES, FOR_GOOD, prepareChanges } from '../../query-api/operations/testing-changes.ts'
import { seedEverything } from '../../query-api/operations/testing-seed.ts'
import type { JobKind } from '../../schemas/domain/vocabulary.ts'
import { KEPT_COUNTS, NO_COUNTS, SUMS, wrongCounts, wrongSums } from './kept-counts.ts'

/** Every number that the stores keep is compared with the rows that it counts, after everything that moves rows. */
let clickHouse: TestAnalytics
let kit: OperationsKit
before(async () => {
  clickHouse = await startTestAnalytics()
  kit = await startOperations(clickHouse.analytics)
})
after(async () => {
  await kit?.stop()
  await clickHouse?.stop()
})

const erasing = eraseKit(
  () => kit.database,
  () => clickHouse,
)

const everyNumberIsTrue = async (after: string): Promise<void> => {
  assert.deepEqual(await wrongCounts(kit.database), [], `after ${after}`)
}

const jobs = (): readonly JobDefinition[] => {
  const { database } = kit.database
  const { signalCodec } = createCodecs(createMemoryRegistry())
  const transfer = { database, sealer, signalCodec, embedder, actorKey }
  const log = { append: async () => {} }
  return [erasing.job(), createExportJob(transfer), createImportJob({ ...transfer, log })]
}

/** Does the slices of the jobs that wait, as the runner does, and compares after each. */
const work = async (after: string, kind: JobKind) => {
  const leases = createLeases(kit.database.database, 60_000)
  for (;;) {
    const job = await leases.take([kind])
    const definition = jobs().find(each => each.kind === kind)
    if (job === null || definition === undefined) return
    const { id: jobId, workspace_id: workspaceId, input, cursor } = job
    await leases.store(job, { ...(await definition.slice({ jobId, workspaceId, input, cursor })), pauseMs: 0 })
    await everyNumberIsTrue(`a slice of ${kind} after ${after}`)
    assert.deepEqual(await wrongSums(clickHouse.analytics), [], `a slice of ${kind} after ${after}`)
  }
}

describe('Every number that is kept', () => {
  it('is named as a count of rows, or as none', async () => {
    const { rows } = await kit.database.pool.query<{ name: string }>(
      `select table_name || '.' || column_name as name
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE'
         and data_type in ('smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision')`,
    )
    const counted = KEPT_COUNTS.flatMap(({ table, columns }) => columns.map(column => `${table}.${column}`))
    const named = [...counted.filter(name => name !== 'claim_evidence.newest_at'), ...Object.values(NO_COUNTS).flat()]
    assert.deepEqual(named.toSorted(), rows.map(({ name }) => name).toSorted())
    const sums = await clickHouse.analytics.query<{ table: string }>(
      `SELECT DISTINCT table FROM system.columns
       WHERE database = currentDatabase() AND type LIKE '%AggregateFunction%' ORDER BY table`,
    )
    assert.deepEqual(SUMS.map(({ table }) => table).toSorted(), sums.map(({ table }) => table).toSorted())
  })

  it('is noticed where it is wrong', async () => {
    const workspace = await kit.workspace()
    await seedEverything(kit, workspace, 'gong')
    for (const { table, columns } of KEPT_COUNTS) {
      const [column] = columns
      const raised = column === 'newest_at' ? `newest_at + interval '1 day'` : `${column} + 1`
      const client = await kit.database.pool.connect()
      try {
        await client.query(`begin; set local session_replication_role = replica`)
        await client.query(`update ${table} set ${column} = ${raised} where workspace_id = '${workspace.id}'`)
        assert.notDeepEqual(await wrongCounts({ pool: client }), [], `${table}.${column}`)
      } finally {
        await client.query('rollback')
        client.release()
      }
    }
  })

  it('is true after every change and after each is undone', async () => {
    const workspace = await kit.workspace()
    const changes = await prepareChanges(kit, workspace)
    await everyNumberIsTrue('the sample')
    for (const [name, input] of CHANGES) {
      const given = await input(changes)
      const what = `${name} ${JSON.stringify(given)}`
      const { meta } = await workspace.run(name, given)
      await everyNumberIsTrue(what)
      const undo = { change_id: meta.change_id }
      if (registry.get(name)?.audience === 'people') await workspace.inApp('undo_change', undo)
      else await workspace.run('undo_change', undo)
      await everyNumberIsTrue(`the undo of ${what}`)
    }
  })

  it('is true after every change for good, and after the jobs that it starts', async () => {
    for (const [name, prepare] of Object.entries(FOR_GOOD)) {
      const workspace = await kit.workspace()
      const input = await prepare(kit, workspace)
      const { audience, role } = registry.get(name) ?? {}
      if (audience === 'people') await workspace.inApp(name, input, role === 'administrator' ? role : undefined)
      else await workspace.run(name, input)
      await everyNumberIsTrue(name)
      if (name.startsWith('erase') || name === 'resume_erasure') await work(name, 'erase')
      await kit.database.pool.query(`update jobs set state = 'done', finished_at = now() where state = 'running'`)
    }
  })

  it('is true after the erasure of each signal, and of all that is old', async () => {
    const workspace = await kit.workspace()
    await seedEverything(kit, workspace, 'drum')
    const { rows } = await kit.database.pool.query('select id from signals where workspace_id = $1 order by number', [
      workspace.id,
    ])
    await erasing.tell(
      workspace.id,
      rows.map(({ id }) => id),
      'insert',
      'next',
    )
    await everyNumberIsTrue('the activity of the sample')
    const confirm = 'Test workspace'
    for (const [place, { id }] of rows.entries()) {
      if (place % 2 === 1) continue
      await workspace.inApp('erase_signal', { id, confirm })
      await work(`the erasure of ${id}`, 'erase')
    }
    const left = 'select count(*)::integer as signals from signals where workspace_id = $1'
    assert.notEqual((await kit.database.pool.query(left, [workspace.id])).rows[0].signals, 0)
    await kit.database.pool.query(
      `update signals set received_at = now() - interval '400 days' where workspace_id = $1`,
      [workspace.id],
    )
    const days = { activity_days: null, dead_letters_days: null, jobs_days: null }
    await workspace.inApp('set_retention', { signals_days: 30, keeps_evidence: false, ...days, confirm })
    await kit.database.pool.query(
      `insert into jobs (id, workspace_id, kind, input, started_by) values (gen_random_uuid(), $1, 'erase', '{"retention": true}', 'retention')`,
      [workspace.id],
    )
    await work('a run of the retention', 'erase')
    assert.equal((await kit.database.pool.query(left, [workspace.id])).rows[0].signals, 0)
  })

  it('is true after an import, with what was exported', async () => {
    const original = await kit.workspace()
    await seedEverything(kit, original, 'flute')
    const { data } = await original.inApp('start_export')
    await work('an export', 'export')
    const pieces: Buffer[] = []
    const { database } = kit.database
    const read: Parameters<typeof readPieces>[0]['read'] = todo =>
      database.transaction({ role: 'assay_app', workspaceId: original.id }, todo)
    for await (const piece of readPieces({ sealer, read }, data.id)) pieces.push(piece)
    const copy = await kit.workspace()
    const stores = { database, sealer, quotas: kit.quotas, worker: kit.worker }
    const bytes = async function* () {
      yield Buffer.concat(pieces)
    }
    const { id } = await receiveFile(stores, copy.caller, 'export.jsonl', bytes())
    await copy.inApp('start_import', { id })
    await work('an import', 'import')
    const counts = 'select state, classification, signals from signal_counts where workspace_id = $1 order by 1, 2'
    assert.deepEqual(
      (await kit.database.pool.query(counts, [copy.id])).rows,
      (await kit.database.pool.query(counts, [original.id])).rows,
    )
  })
})
