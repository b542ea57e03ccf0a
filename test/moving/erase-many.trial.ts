/**
 * What moving and erasing take at 100,000 signals: a data directory is filled, moved to real engines, and nine tenths
 * of it are erased on both sides, with a ledger and a proof at the end. `npm run test:many`; MANY sets another number.
 * Prints what was measured.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { engineSeconds } from '../../bench/support/metrics.ts'
import { createBenchPool, fillUp, prepareMix } from '../../bench/support/stored-rows.ts'
import { type AnalyticsConnection, createAnalytics } from '../../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../../infra/clickhouse/config.ts'
import { openAnalyticsTables } from '../../infra/clickhouse/migrate.ts'
import { createBuiltInEmbedder } from '../../infra/models/built-in-embedder.ts'
import { createDatabase } from '../../infra/postgres/database.ts'
import { createPool, type PostgresConnection } from '../../infra/postgres/pool.ts'
import { silentLogger as logger } from '../../infra/postgres/testing-embedded.ts'
import { parseConfig } from '../../infra/runtime/config.ts'
import { openDataDirectory } from '../../infra/runtime/data-directory.ts'
import { createLifecycle } from '../../infra/runtime/program.ts'
import { createSealer } from '../../infra/runtime/secrets.ts'
import type { Stack } from '../../infra/stack/index.ts'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { STORES_CONFIG, startStores } from '../../infra/stores.ts'
import { forgetSubjects, noteSubjects } from '../../model/erasures/activity.ts'
import type { ProofLine, Sought } from '../../model/erasures/erasures.ts'
import { balanceOf } from '../../model/ledger/installation-ledger.ts'
import { readLedgers } from '../../model/ledger/ledger.ts'
import { signalCodec } from '../../processors/framework/testing.ts'
import { createEraseJob } from '../../processors/jobs/erase/erase.ts'
import { runJob } from '../../processors/jobs/testing.ts'
import { newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { assay } from '../support/assay.ts'

const MANY = Number(process.env.MANY ?? 100_000)
/** `fillUp` has as many actors. */
const ACTORS = 997
const TIMEOUT_MS = 30 * 60_000
const workspaceId = newId<WorkspaceId>()

interface Place {
  readonly postgres: PostgresConnection
  readonly analytics: AnalyticsConnection
}

const EVENTS = `
  INSERT INTO activity (workspace_id, event_id, kind, occurred_at, subject_id, step, outcome, duration_ms, elapsed_ms, times)
  SELECT workspace_id, generateUUIDv4(event), if(event = 0, 'signal.received', 'signal.step'), now64(3), subject_id,
    ['', 'validate', 'normalize', 'scrub', 'embed', 'anchor', 'dedup', 'classify', 'insert', 'cluster'][event + 1],
    if(event = 0, '', 'next'), 3, 40, 1
  FROM erased_subjects ARRAY JOIN range(10) AS event WHERE erasure_id = {staged: UUID}`

/** A workspace with signals, each with its vector, words, a claim and ten events. */
const fill = async ({ postgres, analytics }: Place): Promise<void> => {
  const pool = createBenchPool(postgres as string, TIMEOUT_MS)
  await pool.query(`insert into tenants (id, name) values ($1, 'Somebody')`, [workspaceId])
  await pool.query(`insert into workspaces (id, tenant_id, slug, name) values ($1, $1, 'many', 'Many')`, [workspaceId])
  await prepareMix(pool)
  await fillUp(pool, [workspaceId], 0, { from: 0, upTo: Math.ceil(MANY / 0.9) })
  await pool.query('drop table bench_mix')
  const { rows } = await pool.query<{ id: SignalId }>('select id from signals')
  await pool.end()
  const client = createAnalytics(analytics, { logger })
  const staged = { workspaceId, erasureId: newId() }
  await noteSubjects(
    client,
    staged,
    rows.map(({ id }) => id),
  )
  const tables = openAnalyticsTables(analytics, logger)
  await tables.command(EVENTS.replace('{staged: UUID}', `'${staged.erasureId}'`))
  await forgetSubjects(client, staged)
  await Promise.all([tables.close(), client.close()])
}

interface Measured {
  readonly seconds: number
  readonly ownCpu: number
  readonly longestSlice: number
}

/** Erases nine tenths of the signals, as the processors do it, and looks at the ledger and the proof. */
const erase = async ({ postgres, analytics: connection }: Place): Promise<Measured> => {
  const database = createDatabase(createPool({ connection: postgres, max: 2, logger }))
  const analytics = createAnalytics(connection, { logger })
  const sealer = createSealer(randomBytes(32))
  const job = createEraseJob({
    database,
    analytics,
    log: { lag: async () => [] },
    pipeline: { segments: [] },
    embedder: createBuiltInEmbedder(),
    sealer,
    signalCodec,
    actorKey: value => value,
  })
  const actors = Array.from({ length: Math.round(ACTORS * 0.9) }, (_, number) => `actor-${number}`)
  const sought: Sought = { what: 'person', actors, address: null, words: ['Anna Lindqvist'] }
  const id = newId()
  const pool = createPool({ connection: postgres, max: 1, logger })
  await pool.query(
    `insert into erasures (id, workspace_id, what, sealed, asked_by, asked_by_name) values ($1, $2, 'person', $3, $1, 'A')`,
    [id, workspaceId, sealer.seal(JSON.stringify(sought))],
  )
  const begun = performance.now()
  const cpu = process.cpuUsage()
  let last = begun
  let longest = 0
  await runJob(job, workspaceId, {
    input: { erasure_id: id },
    after: () => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
      return undefined
    },
  })
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const { rows } = await pool.query<{ proof: ProofLine[]; erased_signals: number }>(
    'select proof, erased_signals from erasures where id = $1',
    [id],
  )
  assert.deepEqual(
    rows[0]?.proof.filter(({ found }) => found !== 0),
    [],
  )
  const read = <T>(
    workspaceIds: readonly WorkspaceId[],
    work: Parameters<typeof database.transaction<T>>[1],
  ): Promise<T> => database.transaction({ role: 'assay_pipeline', workspaceIds }, work)
  const ledgers = await readLedgers({ read, analytics }, [workspaceId])
  const { verdict, reasons } = balanceOf(ledgers, true)
  assert.deepEqual([verdict, reasons], ['balanced', []])
  console.log(`${rows[0]?.erased_signals} of ${ledgers[0]?.received} signals erased, the ledger is ${verdict}`)
  await Promise.all([pool.end(), database.close(), analytics.close()])
  return { seconds, ownCpu: (user + system) / 1e6, longestSlice: longest / 1000 }
}

const tell = (where: string, { seconds, ownCpu, longestSlice }: Measured, more = ''): void =>
  console.log(
    `${where}: erased in ${seconds.toFixed(0)} s, ${ownCpu.toFixed(0)} s of CPU here${more}; the longest slice took ${longestSlice.toFixed(1)} s`,
  )

/** The embedded stores of a directory, for the time of `work`. */
const withStores = async <T>(directory: string, work: (place: Place) => Promise<T>): Promise<T> => {
  const lifecycle = createLifecycle({ logger, deadlineMs: 10 * 60_000 })
  const data = await openDataDirectory(directory)
  lifecycle.onStop('the data directory', data.release)
  await data.loadKey({ installationKey: null, acceptNewKey: false })
  const stores = await startStores({ config: parseConfig(STORES_CONFIG, {}), data, logger, lifecycle })
  try {
    return await work(stores)
  } finally {
    await lifecycle.stop()
  }
}

const directory = await mkdtemp(join(tmpdir(), 'assay-many-'))
const engines = join(directory, 'engines')
const embedded = join(directory, 'embedded')
const moved = join(directory, 'moved')

const describeMany = (stack: Stack): void => {
  describe(`${MANY} signals`, () => {
    after(async () => {
      await stack.stop()
      await rm(directory, { recursive: true, force: true })
    })

    it('are stored embedded', async () => {
      await withStores(embedded, fill)
      await cp(embedded, moved, { recursive: true, verbatimSymlinks: true })
    })

    it('move to engines', async () => {
      const file = join(directory, 'engines.env')
      await writeFile(
        file,
        Object.entries(stack.urls)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      )
      const begun = performance.now()
      const { code, stdout, stderr } = await assay(['move', '--to', file], { DATA_DIR: moved })
      assert.equal(code, 0, stderr)
      console.log(`${stdout}moved in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    })

    it('are erased on engines', async () => {
      const { DATABASE_URL = '', CLICKHOUSE_URL = '' } = stack.urls
      const earlier = engineSeconds(engines)
      const measured = await erase({ postgres: DATABASE_URL, analytics: parseClickHouseUrl(CLICKHOUSE_URL) })
      const later = engineSeconds(engines)
      const more = Object.entries(later).map(
        ([name, seconds]) => `, ${(seconds - (earlier[name] ?? 0)).toFixed(0)} s in ${name}`,
      )
      tell('engines', measured, more.join(''))
    })

    it('are erased embedded', async () => {
      tell('embedded', await withStores(embedded, erase))
    })
  })
}

await describeWithStack(['kafka', 'registry', 'postgres', 'clickhouse'], describeMany, { directory: engines })
