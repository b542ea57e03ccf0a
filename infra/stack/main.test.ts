import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePorts, requireFreePorts } from './engine.ts'
import { countBrokers } from './kafka.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const parent = await mkdtemp(join(tmpdir(), 'assay-main-'))
const directory = join(parent, 'stack')
after(async () => {
  // A test that failed may have left one.
  await stack('down')
  await rm(parent, { recursive: true })
})

const [kafka = 0, controller = 0, registry = 0, postgres = 0, clickhouse = 0, valkey = 0] = await freePorts(6)
const settings = {
  STACK_DIR: directory,
  STACK_KAFKA_PORT: String(kafka),
  STACK_KAFKA_CONTROLLER_PORT: String(controller),
  STACK_REGISTRY_PORT: String(registry),
  STACK_POSTGRES_PORT: String(postgres),
  STACK_CLICKHOUSE_PORT: String(clickhouse),
  STACK_VALKEY_PORT: String(valkey),
  // A stack that is up for seconds: what Java compiles a second time is never paid back.
  JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1',
}
const registerSchema = (fields: readonly object[]): Promise<Response> =>
  fetch(`http://127.0.0.1:${registry}/apis/ccompat/v7/subjects/t-value/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schema: JSON.stringify({ type: 'record', name: 'T', fields }) }),
  })

/** Runs the command to its end; `code` is its exit code. */
const stack = (command: string, env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>(resolve => {
    const child = execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', MAIN, ...command.split(' ')],
      { env: { ...process.env, ...settings, ...env } },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })

test('a word that is no command, and a flag that is none, is answered with the commands and the settings', async () => {
  for (const words of ['restart', 'up --wacth']) {
    const { code, stderr } = await stack(words)
    assert.equal(code, 1)
    assert.match(stderr, /"up", "up --watch" or "down"/)
    assert.match(stderr, /STACK_KAFKA_PORT/)
  }
})

test('down without a stack has nothing to do and says so by succeeding', async () => {
  assert.equal((await stack('down')).code, 0)
})

test('a port that somebody else uses is named with the variable that moves it, and nothing is left running', async () => {
  const other = createServer().listen(clickhouse, '127.0.0.1')
  await once(other, 'listening')
  const { code, stderr } = await stack('up')
  other.close()
  assert.equal(code, 1)
  assert.match(stderr, /STACK_CLICKHOUSE_PORT/)
  assert.equal(existsSync(directory), false)
})

/** Downloads 230 MB when it is the first on this machine; then it takes about half a minute. */
test('up twice is one stack, whose engines do their work, and which down ends and removes', async t => {
  const first = await stack('up')
  if (first.code !== 0 && /Install /.test(first.stderr) && process.env.CI !== 'true')
    return t.diagnostic(`*** NOT TESTED: ${first.stderr} ***`)
  assert.equal(first.code, 0, first.stderr)
  const second = await stack('up', { STACK_KAFKA_PORT: '1' })
  assert.match(second.stderr, /is up already/)
  assert.equal(second.stdout, first.stdout)
  assert.deepEqual(first.stdout.match(/^[A-Z_]+/gm), [
    'KAFKA_BROKERS',
    'SCHEMA_REGISTRY_URL',
    'DATABASE_URL',
    'CLICKHOUSE_URL',
    'VALKEY_URL',
  ])
  assert.equal(await countBrokers('127.0.0.1', kafka), 1)
  assert.equal((await registerSchema([])).status, 200)
  // One that could not read what was written before.
  assert.equal((await registerSchema([{ name: 'needed', type: 'string' }])).status, 409)
  assert.equal((await stack('down')).code, 0)
  assert.deepEqual(await readdir(parent), [])
  await requireFreePorts({ kafka, controller, registry, postgres, clickhouse, valkey })
})
