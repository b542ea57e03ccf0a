import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createMemoryRegistry } from '../../../infra/log/testing-registry.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../../infra/runtime/secrets.ts'
import { createCodecs } from '../../../model/codecs.ts'
import { startJob } from '../../../model/jobs/start-job.ts'
import { sealPiece, storePiece } from '../../../model/transfers/pieces.ts'
import { insertTransfer } from '../../../model/transfers/transfers.ts'
import { writeExport } from '../../../model/transfers/workspace/exported-rows.ts'
import { EXPORTED_TABLES, TABLES_MADE_FROM_ROWS } from '../../../model/transfers/workspace/tables.ts'
import { createImportJob } from '../../../processors/jobs/import/import.ts'
import { createLeases } from '../../../processors/jobs/runner.ts'
import { embedder } from '../../../processors/steps/testing.ts'
import { type JobId, newId, type TransferId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { ExportHeader } from '../../../schemas/transfers/workspace-export.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { RARE, seedEverything } from '../testing-seed.ts'

const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7))
const actorKey = (value: string) => value
const { signalCodec } = createCodecs(createMemoryRegistry())
/** Few, so that much is written before each table's turn. */
const ROWS_A_SLICE = 12

let kit: OperationsKit
let header: ExportHeader
let lines: readonly string[]
let target: Workspace
before(async () => {
  kit = await startOperations()
  const original = await kit.workspace()
  await seedEverything(kit, original, 'ocarina')
  for (const statement of RARE) await kit.database.pool.query(statement, [original.id])
  ;({ header, lines } = await exported(original.id))
  target = await kit.workspace()
})
after(() => kit.stop())

const exported = async (workspaceId: WorkspaceId) => {
  const written: string[] = []
  const { header } = await kit.database.database.transaction({ role: 'assay_transfer', workspaceId }, transaction =>
    writeExport(transaction, workspaceId, async line => void written.push(line)),
  )
  return { header, lines: written }
}

/** The database, on which the write of one table’s rows goes wrong. */
const failingAt = (table: string, error: Error): Database => {
  const begins = table === 'workspaces' ? 'update workspaces set (' : `insert into ${table} `
  return {
    ...kit.database.database,
    transaction: (scope, work) =>
      kit.database.database.transaction(scope, transaction =>
        work({
          query: (statement, values) =>
            scope.role === 'assay_transfer' && statement.startsWith(begins)
              ? Promise.reject(error)
              : transaction.query(statement, values),
        }),
      ),
  }
}

/** The export as an upload of it leaves it, and its import as `start_import` does. */
const started = async (): Promise<JobId> => {
  const { id: workspaceId, caller } = target
  const [id, bytes] = [newId<TransferId>(), Buffer.from(lines.join(''))]
  return kit.database.database.transaction({ role: 'assay_app', workspaceId }, async transaction => {
    const about = { direction: 'import', format: 'workspace', name: 'x', started_by: 'Owner' } as const
    await insertTransfer(transaction, { id, workspace_id: workspaceId, ...about })
    await storePiece(transaction, workspaceId, id, await sealPiece(sealer, 0, bytes))
    const input = { transfer_id: id, tenant_id: caller.tenantId }
    const job = await startJob(transaction, { workspaceId, kind: 'import', input, total: null, startedBy: 'Owner' })
    const complete = 'update transfers set complete = true, bytes = $2, report = $3, job_id = $4 where id = $1'
    await transaction.query(complete, [id, bytes.length, JSON.stringify(header), job])
    return job
  })
}

/**
 * Works as the runner does. With `dying` each slice is done and forgotten once before it counts, as when the process is
 * killed then.
 */
const work = async (database: Database, { most = 1000, dying = false } = {}): Promise<void> => {
  const leases = createLeases(kit.database.database, 60_000)
  const log = { append: async () => {} }
  const dependencies = { database, sealer, signalCodec, log, embedder, actorKey, rowsASlice: ROWS_A_SLICE }
  for (let slices = 0; slices < most; slices += 1) {
    const job = await leases.take(['import'])
    if (job === null) return
    const slice = { jobId: job.id, workspaceId: job.workspace_id, input: job.input, cursor: job.cursor }
    const run = () => createImportJob(dependencies).slice(slice)
    try {
      if (dying) await run()
      await leases.store(job, { ...(await run()), pauseMs: 0 })
    } catch (error) {
      await leases.fail(job, (error as AssayError).publicMessage)
    }
  }
}

const jobOf = async (id: JobId) => {
  const { rows } = await kit.database.pool.query('select state, message, cancelled_by from jobs where id = $1', [id])
  return rows[0]
}

/** How many rows of what an import fills are in the target, and its own row. */
const contents = async () => {
  const tables = [...EXPORTED_TABLES.map(({ table }) => table), ...TABLES_MADE_FROM_ROWS]
  const counts = tables.map(table => `(select count(*)::int from ${table} where ${isOfTarget(table)}) as ${table}`)
  const all = `select ${counts}, (select to_jsonb(own) from workspaces as own where id = $1) as own`
  return (await kit.database.pool.query(all, [target.id])).rows[0]
}
/** Of how many Signals and repeats the activity tells that they were received, and where they ended. */
const told = async (): Promise<readonly number[]> => {
  const distinct = (kind: string) =>
    `(select count(distinct activity ->> 'event_id')::int from outbox where workspace_id = $1 and activity ->> 'kind' = '${kind}')`
  const both = `select ${distinct('signal.received')} as received, ${distinct('signal.step')} as ended`
  const { rows } = await kit.database.pool.query(both, [target.id])
  return [rows[0].received, rows[0].ended]
}

const isOfTarget = (table: string): string => (table === 'workspaces' ? 'id = $1' : 'workspace_id = $1')

describe('An import of an export, as people see it', () => {
  it('is nothing when the write of any table fails, and says so', async () => {
    const empty = await contents()
    for (const { table } of EXPORTED_TABLES) {
      const job = await started()
      await work(failingAt(table, new AssayError('conflict', `${table} takes none.`)))
      const { state, message } = await jobOf(job)
      assert.equal(state, 'failed', table)
      assert.match(
        message,
        new RegExp(`^${table} takes none\\. Nothing of the export is in the workspace\\. Upload it`),
      )
      assert.deepEqual(await contents(), empty, table)
      await target.call('service_orient', 'snapshot')
    }
  })

  it('is closed to every operation but those that show and end it, until it is whole', async () => {
    const job = await started()
    await work(kit.database.database, { most: 4 })
    assert.ok(Number((await contents()).signals) > 0)
    const closed = failsWith('conflict', /being imported into this workspace/)
    await assert.rejects(target.call('service_orient', 'snapshot'), closed)
    await assert.rejects(target.call('service_lookup', 'backlog'), closed)
    await assert.rejects(target.inApp('create_source', { kind: 'metric', name: 'Meanwhile' }), closed)
    const { data } = await target.inApp('list_transfers')
    assert.equal(data.items[0].state, 'running')
    const cancelled = await target.inApp('cancel_job', { id: job })
    assert.deepEqual([cancelled.data.state, cancelled.data.cancelled_by], ['running', 'Owner'])
    await assert.rejects(target.call('service_orient', 'snapshot'), closed)
    await work(kit.database.database)
    assert.equal((await jobOf(job)).state, 'cancelled')
    await target.call('service_orient', 'snapshot')
  })

  it('is refused, and removes nothing, where something came into the workspace meanwhile', async () => {
    const other = await kit.workspace()
    target = other
    const job = await started()
    await work(kit.database.database, { most: 1 })
    const kept = await other.signal({ text: 'On its way.' })
    await work(kit.database.database)
    const { state, message } = await jobOf(job)
    assert.equal(state, 'failed')
    assert.match(message, /has got signals meanwhile\. Nothing was imported/)
    const { data } = await other.call('service_lookup', 'signal', { id: kept.id })
    assert.equal(data.id ?? data.signal?.id, kept.id)
  })

  it('is all of it, once, when the process dies after each slice, and the same file is taken again after a failure', async () => {
    target = await kit.workspace()
    const failed = await started()
    await work(failingAt('outcomes', new AssayError('internal', 'It broke.')), { dying: true })
    assert.equal((await jobOf(failed)).state, 'failed')
    assert.deepEqual(await told(), [0, 0])
    const job = await started()
    await work(kit.database.database, { dying: true })
    assert.deepEqual([(await jobOf(job)).state, (await jobOf(job)).message], ['done', null])
    assert.deepEqual((await exported(target.id)).lines.slice(1), lines.slice(1))
    const { signals, occurrences } = await contents()
    assert.deepEqual(await told(), [signals + occurrences, signals + occurrences])
  })
})
