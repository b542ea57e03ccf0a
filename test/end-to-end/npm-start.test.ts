import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, rename, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { assay, exited } from '../support/assay.ts'
import { prepareDataDirectory } from '../support/prepared-database.ts'
import { freePort } from '../support/program.ts'

/**
 * npm and what it started, in a group of their own: what is sent to the child reaches npm alone, to the group as a
 * terminal does.
 */
const npm = (words: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess =>
  spawn('npm', words, {
    cwd: new URL('../../', import.meta.url),
    env: { ...process.env, ...environment },
    detached: true,
    stdio: 'ignore',
  })

/** npm 9 keeps signals to itself. */
const passesSignalsOn = Number(execFileSync('npm', ['--version'], { encoding: 'utf8' }).split('.', 1)[0]) >= 10

/** Whether anything of the group still runs. */
const isAlive = (group: number): boolean => {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

const answersAt = (url: string) => async () => (await fetch(url)).ok

const gone = async (url: string, { pid = 0 }: ChildProcess): Promise<void> => {
  await eventually('nothing of it runs', () => !isAlive(pid))
  await assert.rejects(fetch(url))
}

it('every script that is one program becomes it, so that signals reach it', () => {
  for (const [name, line] of Object.entries(packageFile.scripts)) {
    if (/&&|\|\|/.test(line) || ['build', 'preinstall', 'format'].includes(name) || name.startsWith('check')) continue
    assert.match(line, /^(\w+=\w+ )?exec /, name)
  }
})

describe('npm start', () => {
  let dataDirectory: string
  let environment: Readonly<Record<string, string>>
  let url: string
  let running: ChildProcess
  before(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'assay-test-'))
    await prepareDataDirectory(dataDirectory)
    const port = String(await freePort())
    environment = { DATA_DIR: dataDirectory, PORT: port, METRICS_PORT: String(await freePort()) }
    url = `http://127.0.0.1:${port}`
    running = npm(['start'], environment)
    await eventually('it is ready', answersAt(`${url}/readyz`), 120_000)
  })
  after(async () => {
    if (running.pid !== undefined && isAlive(running.pid)) process.kill(-running.pid, 'SIGKILL')
    await rm(dataDirectory, { recursive: true, force: true })
  })

  const refusal = async (over: Readonly<Record<string, string>> = {}): Promise<string> => {
    const { code, stdout, stderr } = await assay(['all'], { ...environment, ...over })
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^[^\n]+\n$/)
    return stderr
  }

  it('answers metrics on their own port only, and for each part whether it is ready', async () => {
    assert.equal((await fetch(`${url}/metrics`)).status, 404)
    const metrics = await fetch(`http://127.0.0.1:${environment.METRICS_PORT}/metrics`)
    const text = await metrics.text()
    for (const name of ['assay_ingest_sources', 'assay_consumer_lag_records', 'process_cpu_seconds_total'])
      assert.match(text, new RegExp(`^${name}`, 'm'))
    for (const path of ['/livez', '/readyz/processors', '/readyz/query-api'])
      assert.equal((await fetch(url + path)).status, 200)
  })

  it('refuses a second start on a port that is taken, before it has touched any data', async () => {
    const untouched = join(dataDirectory, 'untouched')
    assert.match(
      await refusal({ DATA_DIR: untouched }),
      /Port \d+ on 127\.0\.0\.1 cannot be listened on.* Set PORT or HOST/,
    )
    assert.ok(!(await readdir(dataDirectory)).includes('untouched'))
  })

  it('ends with everything that it started when npm alone is asked to stop', async () => {
    if (passesSignalsOn) running.kill('SIGTERM')
    else process.kill(-(running.pid ?? 0), 'SIGTERM')
    assert.equal(await exited(running), 0)
    await gone(url, running)
  })

  it('is refused in one sentence on a torn log and without its key', async () => {
    const kept = `${dataDirectory}.kept`
    await cp(join(dataDirectory, 'log'), kept, { recursive: true })
    await truncate(join(dataDirectory, 'log/log.sqlite'), 1000)
    assert.match(await refusal(), /log\.sqlite has 1000 bytes instead of .* Restore the whole directory from a backup/)
    await rm(join(dataDirectory, 'log'), { recursive: true })
    await rename(kept, join(dataDirectory, 'log'))

    await rename(join(dataDirectory, 'installation.key'), `${kept}.key`)
    assert.match(await refusal(), /installation\.key is missing.* Restore it from a backup/)
    await rename(`${kept}.key`, join(dataDirectory, 'installation.key'))
  })
})

describe('npm run assay -- processors', () => {
  it('stops in order when Ctrl+C in a terminal reaches npm and the program, which npm tells once more', async () => {
    const port = String(await freePort())
    const nowhere = {
      KAFKA_BROKERS: '127.0.0.1:1',
      SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1',
      CLICKHOUSE_URL: 'http://127.0.0.1:1/assay',
    }
    const environment = {
      ...nowhere,
      DATABASE_URL: 'postgres://127.0.0.1:1/assay',
      INSTALLATION_KEY: 'A'.repeat(43),
      PORT: port,
    }
    const running = npm(['run', 'assay', '--', 'processors'], environment)
    const url = `http://127.0.0.1:${port}`
    await eventually('it answers probes', answersAt(`${url}/livez`))
    process.kill(-(running.pid ?? 0), 'SIGINT')
    assert.equal(await exited(running), 0)
    await gone(url, running)
  })
})
