import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { connectAgent } from '../support/agent.ts'
import { type EmbeddedInstallation, startInstallation } from '../support/installation.ts'
import { createKey, createSignalSource, signUp } from '../support/person.ts'
import { sendSignal } from '../support/sender.ts'

const ROOT = new URL('../../', import.meta.url)

const assay = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'assay.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })

describe('The command', () => {
  it('says how it is used when it is not understood', () => {
    const { status, stderr } = assay(['everything'])
    assert.equal(status, 2)
    assert.match(stderr, /Usage: assay <command>/)
  })

  it('names every variable that a program of its own needs and does not have', () => {
    const { status, stderr } = assay(['ingest'], { DATABASE_URL: 'mysql://root:hush@localhost/assay' })
    assert.equal(status, 1)
    for (const name of ['INSTALLATION_KEY', 'KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL']) {
      assert.match(stderr, new RegExp(`^${name} is not set\\.`, 'm'))
    }
    assert.match(stderr, /^DATABASE_URL is "mysql:.*postgres:\/\//m)
    assert.doesNotMatch(stderr, /hush/)
  })

  it('takes --segments in both forms, as another way to write PIPELINE_SEGMENTS', () => {
    const environment = {
      INSTALLATION_KEY: 'A'.repeat(43),
      KAFKA_BROKERS: 'localhost:9092',
      SCHEMA_REGISTRY_URL: 'http://localhost:8081',
      DATABASE_URL: 'postgres://localhost/assay',
      CLICKHOUSE_URL: 'http://localhost:8123/assay',
    }
    for (const flags of [['--segments', 'embed,anchor'], ['--segments=embed,anchor']]) {
      const { stdout } = assay(['processors', ...flags, '--print-config'], environment)
      assert.match(stdout, /^PIPELINE_SEGMENTS=embed,anchor$/m)
    }
    const { status, stderr } = assay(['processors', '--segments', 'sorting'], environment)
    assert.equal(status, 1)
    assert.match(stderr, /PIPELINE_SEGMENTS is "sorting"\. It must be steps/)
    assert.equal(assay(['ingest', '--segments', 'embed'], environment).status, 2)
  })

  it('prints the settings in force with secrets masked, and starts nothing', () => {
    const { status, stdout } = assay(['all', '--print-config'], { PORT: '9999', JUDGE_API_KEY: 'not for the screen' })
    assert.equal(status, 0)
    assert.match(stdout, /^PORT=9999$/m)
    assert.match(stdout, /^JUDGE_API_KEY=\*+$/m)
    assert.doesNotMatch(stdout, /not for the screen/)
  })

  it('names every setting that is wrong, at once', () => {
    const { status, stderr } = assay(['all'], { PORT: '99999', LOG_LEVEL: 'loud', RETRY_DELAYS: 'soon' })
    assert.equal(status, 1)
    for (const name of ['PORT', 'LOG_LEVEL', 'RETRY_DELAYS']) assert.match(stderr, new RegExp(`^${name} is `, 'm'))
  })
})

describe('A running installation', () => {
  let installation: EmbeddedInstallation
  before(async () => {
    installation = await startInstallation()
  })
  after(() => installation?.remove())

  it('refuses a second start on its data directory in a sentence', async () => {
    await assert.rejects(startInstallation({ DATA_DIR: installation.dataDirectory }), (error: Error) => {
      assert.match(error.message, /Another Assay is running on the data directory/)
      return true
    })
  })

  const callTool = (key: string, name: string, input: object) =>
    fetch(`${installation.baseUrl}/api/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
    })

  it('limits what agents may cost while the operator has turned the incident switch on', async () => {
    const directory = { DATA_DIR: installation.dataDirectory }
    const { key } = await createKey(await signUp(installation.baseUrl))
    const look = () => callTool(key, 'service_orient', { mode: 'connections' })
    assert.match(assay(['incident'], directory).stdout, /limit is off/)
    assert.match(assay(['incident', 'on', '--units-per-minute', '10'], directory).stdout, /on: 10 work units a minute/)
    const limited = await eventually('the limit is heeded', async () => {
      const response = await look()
      return response.status === 429 ? response : null
    })
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
    assert.match(await limited.text(), /"code":-32002,"message":"Rate limit exceeded. Retry after \d+s\."/)
    assert.match(assay(['incident', 'off'], directory).stdout, /limit is off/)
    await eventually('the limit is gone', async () => (await look()).status === 200)
    assert.equal(assay(['incident', 'on', '--units-per-minute', '0'], directory).status, 1)
  })

  it('prints a provisioning key for the operator, which makes and lists workspaces and does nothing else', async () => {
    const directory = { DATA_DIR: installation.dataDirectory }
    const person = await signUp(installation.baseUrl)
    const { stdout } = assay(['provisioning-key', '--owner', person.email, '--label', 'Terraform'], directory)
    const key = stdout.trim()
    assert.match(key, /^service_mcp_[0-9a-f]{32}$/)
    const text = async (name: string, input: object) => (await callTool(key, name, input)).text()
    await text('create_workspace', { name: 'Provisioned' })
    assert.match(await text('list_workspaces', {}), /Provisioned/)
    assert.match(await text('service_orient', { mode: 'snapshot' }), /scope is provisioning/)
    const { items } = await person.call<{ items: object[] }>('list_workspaces')
    assert.equal(items.length, 2)
    const unknown = assay(['provisioning-key', '--owner', 'nobody@example.com'], directory)
    assert.equal(unknown.status, 1)
    assert.match(unknown.stderr, /Nobody with the address nobody@example.com owns a workspace/)
  })

  it('stops when it is asked to: it answers what is under way, ends with code 0, and keeps what was answered', async () => {
    const person = await signUp(installation.baseUrl)
    const source = await createSignalSource(person)
    const { key } = await createKey(person)
    const texts = Array.from(
      { length: 40 },
      (_, index) => `Parcel ${index} of the ${index * 7919} arrived at gate ${index * 104_729}`,
    )
    const sending = texts.map(text => sendSignal(source, { text }).catch(() => null))
    await Promise.race(sending)
    assert.equal(await installation.stop(), 0)
    const accepted = (await Promise.all(sending)).filter(answer => answer?.status === 200)
    assert.ok(accepted.length > 0)

    await installation.start()
    const agent = await connectAgent(installation.baseUrl, key)
    for (const answer of accepted) {
      await eventually('what was answered 200 is kept', async () => {
        const { data } = await agent.call<{ signal: object | null }>('service_lookup', {
          mode: 'signal',
          id: String(answer?.body.snippet_id),
        })
        return data.signal
      })
    }
    await agent.close()
  })

  it('gives its ledger to the command only once it is stopped, and says whom to ask meanwhile', async () => {
    const directory = { DATA_DIR: installation.dataDirectory }
    const running = assay(['ledger'], directory)
    assert.equal(running.status, 1)
    assert.match(running.stderr, /is running on the data directory .* service_support mode ledger/)

    await installation.stop()
    const { status, stdout } = assay(['ledger', '--json'], directory)
    assert.equal(status, 0)
    const { verdict, waiting_on_the_log, total } = JSON.parse(stdout)
    assert.deepEqual([verdict, waiting_on_the_log], ['balanced', 0])
    assert.ok(total.received > 0)
    assert.deepEqual(total.inserted, { postgres: total.received, clickhouse: total.received })
  })

  it('makes no data where there is none to count', () => {
    const { status, stderr } = assay(['ledger'], { DATA_DIR: `${installation.dataDirectory}/elsewhere` })
    assert.equal(status, 1)
    assert.match(stderr, /There is no data of Assay in .*elsewhere/)
  })
})
