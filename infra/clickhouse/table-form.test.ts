import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isAssayError } from '../runtime/errors.ts'
import { createLogger } from '../runtime/logger.ts'
import { createClickHouseClient } from './client.ts'
import { startEmbeddedClickHouse } from './embedded/index.ts'
import { migrateClickHouse, ownStatements } from './migrate.ts'
import { LOCAL_TABLES, statementFor, type TableForm, tableFormOf } from './table-form.ts'

const PROGRAM = fileURLToPath(new URL('./testing-replicated.ts', import.meta.url))

const CLUSTERS = `<clickhouse>
  <remote_servers>
    <replicas><shard>
      <replica><host>127.0.0.1</host><port>9000</port></replica>
      <replica><host>127.0.0.2</host><port>9000</port></replica>
    </shard></replicas>
    <shards>
      <shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard>
      <shard><replica><host>127.0.0.2</host><port>9000</port></replica></shard>
    </shards>
  </remote_servers>
</clickhouse>`

const KEEPER = `<clickhouse>
  <zookeeper><implementation>testkeeper</implementation></zookeeper>
  <default_replica_path>/clickhouse/tables/{database}/{table}</default_replica_path>
  <default_replica_name>one</default_replica_name>
</clickhouse>`

const ON_CLUSTER: TableForm = { isReplicated: true, cluster: 'replicas' }

const logger = createLogger({ level: 'silent', program: 'test' })
const directory = await mkdtemp(join(tmpdir(), 'assay-replicated-'))
await writeFile(join(directory, 'config.xml'), CLUSTERS)
// Where the engine looks for a configuration.
process.chdir(directory)
const { stop, url, username, password } = await startEmbeddedClickHouse({ directory: join(directory, 'data'), logger })
const connection = { url, username, password, database: 'assay' }
const server = createClickHouseClient({ ...connection, database: 'default' }, logger)
after(async () => {
  await server.close()
  await stop()
  await rm(directory, { recursive: true, force: true })
})

const statements = await ownStatements()
const ask = async <Row>(query: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<Row[]> =>
  (await server.query({ query, query_params: { ...parameters }, format: 'JSONEachRow' })).json<Row>()

interface Replicated {
  readonly made: readonly { readonly name: string; readonly engine: string; readonly written: string }[]
  readonly refused: string
}

const makeReplicated = async (): Promise<Replicated> => {
  const place = join(directory, 'replicated')
  await mkdir(place)
  await writeFile(join(place, 'config.xml'), KEEPER)
  const child = spawn(process.execPath, [...process.execArgv, PROGRAM], {
    cwd: place,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    for await (const line of createInterface(child.stdout)) return JSON.parse(line) as Replicated
    return assert.fail('The program ended without a word.')
  } finally {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

test('every table can be made replicated, knows as many blocks as before, and is not taken for another', async () => {
  const { made, refused } = await makeReplicated()
  assert.equal(made.length, statements.filter(statement => statement.startsWith('CREATE TABLE')).length)
  for (const { name, engine } of made) assert.match(engine, /^Replicated.*MergeTree$/, name)
  const windows = made.filter(({ written }) =>
    /\breplicated_deduplication_window = 10000\b.*_window_seconds = 604800/.test(written),
  )
  assert.equal(windows.length, statements.filter(statement => statement.includes('non_replicated_')).length)
  assert.match(refused, /are ReplicatedMergeTree, which CLICKHOUSE_TABLE_ENGINE no longer says/)
})

test('on a cluster, every statement that makes or changes something says so, in ClickHouse’s grammar', async () => {
  const others = ['DROP VIEW IF EXISTS assay.hours_of_activity SYNC', 'CREATE DATABASE IF NOT EXISTS assay']
  for (const statement of [...statements, ...others]) {
    const written = statementFor(ON_CLUSTER, statement)
    if (statement.startsWith('INSERT')) {
      assert.equal(written, statement)
      continue
    }
    const [{ read = '' } = {}] = await ask<{ read: string }>(
      'SELECT formatQuerySingleLine({written: String}) AS read',
      {
        written,
      },
    )
    assert.match(read, /^\w+ (?:\w+ )+?(?:IF (?:NOT )?EXISTS )?\S+ ON CLUSTER replicas\b/, statement)
  }
})

test('on one server the statements are as they are written', () => {
  for (const statement of statements) assert.equal(statementFor(LOCAL_TABLES, statement), statement)
})

test('other tables than replicated ones are refused on a cluster', () => {
  const config = { clickhouseTableEngine: 'MergeTree', clickhouseCluster: 'replicas' } as const
  assert.throws(() => tableFormOf(config), /needs CLICKHOUSE_TABLE_ENGINE=ReplicatedMergeTree/)
  assert.deepEqual(tableFormOf({ ...config, clickhouseTableEngine: 'ReplicatedMergeTree' }), ON_CLUSTER)
})

const refuses = (tables: TableForm, code: string, says: RegExp) =>
  assert.rejects(migrateClickHouse(connection, { logger, tables }), error => {
    assert.ok(isAssayError(error))
    assert.equal(error.code, code)
    assert.match(error.publicMessage, says)
    return true
  })

test('a cluster that is none of the server’s, or has several shards, is refused before anything is made', async () => {
  const none = /has no cluster "elsewhere"\. It has: replicas, shards\./
  await refuses({ isReplicated: true, cluster: 'elsewhere' }, 'invalid_configuration', none)
  await refuses({ isReplicated: true, cluster: 'shards' }, 'invalid_configuration', /"shards" has 2 shards/)
  assert.deepEqual(await ask(`SELECT 1 FROM system.databases WHERE name = 'assay'`), [])
})

test('tables of one server are not taken for replicated ones', async () => {
  await migrateClickHouse(connection, { logger })
  await refuses({ isReplicated: true, cluster: null }, 'conflict', /are MergeTree, which/)
  await migrateClickHouse(connection, { logger })
})
