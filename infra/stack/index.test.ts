import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createPool } from '../postgres/pool.ts'
import { createLogger } from '../runtime/logger.ts'
import { eventually } from '../runtime/testing.ts'
import { startStack } from './index.ts'
import { describeWithStack } from './testing.ts'

/**
 * A Java runtime takes seconds to start: Kafka and the registry are tried in main.test.ts, and stopped and started in
 * `test/faults/`.
 */
const QUICK = ['postgres', 'clickhouse', 'valkey'] as const

await describeWithStack(QUICK, stack => {
  after(() => stack.stop())

  const logger = createLogger({ level: 'silent', program: 'test' })
  const url = (name: string): string => stack.urls[name] ?? ''
  const sql = async (statement: string) => {
    const pool = createPool({ connection: url('DATABASE_URL'), max: 1, logger })
    try {
      return (await pool.query(statement)).rows
    } finally {
      await pool.end()
    }
  }
  const clickhouse = async (statement: string) => {
    const { username, password, origin } = new URL(url('CLICKHOUSE_URL'))
    const authorization = `Basic ${Buffer.from(`${username}:${decodeURIComponent(password)}`).toString('base64')}`
    return (await fetch(origin, { method: 'POST', body: statement, headers: { authorization } })).text()
  }

  test('every engine does its work as soon as the stack is there', async () => {
    assert.deepEqual(await sql(`select '[1,2]'::vector <-> '[1,4]' as distance`), [{ distance: 2 }])
    assert.equal(await clickhouse('SELECT 1'), '1\n')
  })

  test('PostgreSQL and ClickHouse refuse a wrong password', async () => {
    const wrong = url('DATABASE_URL').replace(/:[^:@]+@/, ':guess@')
    const pool = createPool({ connection: wrong, max: 1, logger })
    await assert.rejects(pool.query('select 1'), /password authentication failed/)
    await pool.end()
    assert.equal((await fetch(new URL(url('CLICKHOUSE_URL')).origin)).status, 403)
  })

  test('an engine that is stopped is away, and started again has what it had, at the same address', async () => {
    await sql('create table kept as select 1 as n')
    await clickhouse('CREATE TABLE kept (n UInt8) ENGINE = MergeTree ORDER BY n')
    await clickhouse('INSERT INTO kept VALUES (1)')
    await Promise.all(QUICK.map(name => stack.stopEngine(name)))
    await assert.rejects(sql('select 1'))
    await assert.rejects(clickhouse('SELECT 1'))
    await Promise.all(QUICK.map(name => stack.startEngine(name)))
    assert.deepEqual(await sql('select n from kept'), [{ n: 1 }])
    assert.equal(await clickhouse('SELECT n FROM kept'), '1\n')
  })
})

test('a stack ends with the process that started it, killed even, and leaves nothing', async () => {
  const directory = join(await mkdtemp(join(tmpdir(), 'assay-test-')), 'stack')
  const door = fileURLToPath(new URL('./index.ts', import.meta.url))
  const program = `
    const { startStack } = await import(${JSON.stringify(door)})
    const { urls } = await startStack({ engines: ['clickhouse'], directory: ${JSON.stringify(directory)} })
    console.log(urls.CLICKHOUSE_URL)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program])
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  const ping = `${new URL(String(line)).origin}/ping`
  assert.equal(await (await fetch(ping)).text(), 'Ok.\n')
  child.kill('SIGKILL')
  await eventually('the directory is gone', () => !existsSync(directory))
  await assert.rejects(fetch(ping))
  await rm(join(directory, '..'), { recursive: true })
})

test('a stack that cannot be had is refused in words, and leaves nothing', async () => {
  const directory = join(await mkdtemp(join(tmpdir(), 'assay-test-')), 'stack')
  const path = process.env.PATH
  process.env.PATH = ''
  try {
    await assert.rejects(startStack({ engines: ['kafka', 'clickhouse'], directory }), /Install a Java runtime/)
  } finally {
    process.env.PATH = path
  }
  assert.equal(existsSync(directory), false)
  await rm(join(directory, '..'), { recursive: true })
})
