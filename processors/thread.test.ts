import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../infra/clickhouse/testing.ts'
import { createCodec } from '../infra/log/codec.ts'
import { type RunningEmbeddedLog, startEmbeddedLog } from '../infra/log/embedded/index.ts'
import { startTestDatabase, type TestDatabase } from '../infra/postgres/testing.ts'
import { parseConfig } from '../infra/runtime/config.ts'
import { listen } from '../infra/runtime/listen.ts'
import { eventually } from '../infra/runtime/testing.ts'
import { TELEMETRY_CONFIG } from '../infra/telemetry/config.ts'
import { STOP_MS } from '../infra/telemetry/telemetry.ts'
import { newId, type SignalId, type TenantId, type WorkspaceId } from '../schemas/domain/ids.ts'
import { STEPS } from '../schemas/domain/vocabulary.ts'
import { signalSchema } from '../schemas/events/signal.avsc.ts'
import { receivedSignal, type SignalRecord } from '../schemas/events/signal.ts'
import { HEADERS, retryTopic, signalsTopic } from '../schemas/events/topics.ts'
import { PROCESSORS_CONFIG, type ProcessorSettings } from './config.ts'
import { type ProcessorsThread, startProcessorsThread } from './start-thread.ts'

let postgres: TestDatabase
let clickHouse: TestAnalytics
let log: RunningEmbeddedLog
let directory: string

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'assay-processors-'))
  ;[postgres, clickHouse, log] = await Promise.all([
    startTestDatabase(),
    startTestAnalytics(),
    startEmbeddedLog({ directory }),
  ])
})
after(async () => {
  await log.stop()
  await Promise.all([postgres.stop(), clickHouse.stop()])
  await rm(directory, { recursive: true, force: true })
})

const start = (env: Readonly<Record<string, string>> = {}): Promise<ProcessorsThread> => {
  const settings: ProcessorSettings = parseConfig(PROCESSORS_CONFIG, { RETRY_DELAYS: '50ms,100ms', ...env })
  return startProcessorsThread({
    log: { kind: 'embedded', port: log.connect() },
    postgres: postgres.connection,
    analytics: clickHouse.connection,
    embeddings: null,
    judge: null,
    classifier: null,
    installationKey: new Uint8Array(32).fill(3),
    acceptNewKey: false,
    settings,
    logLevel: 'silent',
    telemetry: parseConfig(TELEMETRY_CONFIG, env),
  })
}

/** Takes what it is sent and never answers. Threads that start until the test is through are told of it. */
const startSilentCollector = async (t: TestContext): Promise<Readonly<Record<string, string>>> => {
  const server = createServer(() => {})
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  const variable = TELEMETRY_CONFIG.otlpEndpoint.env
  const value = `http://127.0.0.1:${port}`
  process.env[variable] = value
  t.after(() => {
    delete process.env[variable]
    server.closeAllConnections()
    server.close()
  })
  return { [variable]: value }
}
/** Once in a thread, and what a machine does beside; a collector's own time is 10 s for each of many tries. */
const SOON_MS = STOP_MS + 5000

/** How long processors take to stop, in milliseconds. */
const stopping = async (processors: ProcessorsThread): Promise<number> => {
  const began = performance.now()
  await processors.stop()
  return performance.now() - began
}

const send = async (
  workspaceId: WorkspaceId,
  bodies: readonly object[],
  topic: string = signalsTopic('validate'),
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly SignalRecord[]> => {
  const codec = createCodec<SignalRecord>({ registry: log.log.registry, subject: 'signal', schema: signalSchema })
  const signals = bodies.map(body =>
    receivedSignal(
      {
        signal_id: newId<SignalId>(),
        tenant_id: newId<TenantId>(),
        workspace_id: workspaceId,
        source_id: null,
        channel: 'webhook',
        received_at: Date.now(),
      },
      { format: 'signal', body: JSON.stringify(body) },
    ),
  )
  const records = signals.map(async signal => ({
    topic,
    key: signal.signal_id,
    value: await codec.encode(signal),
    headers,
  }))
  await log.log.append(await Promise.all(records))
  return signals
}

const count = async (table: string, workspaceId: WorkspaceId): Promise<number> => {
  const statement = `select count(*)::int as count from ${table} where workspace_id = $1`
  const { rows } = await postgres.pool.query<{ count: number }>(statement, [workspaceId])
  return rows[0]?.count ?? 0
}

const makeWorkspace = async (): Promise<WorkspaceId> => {
  const [workspaceId] = await postgres.workspaces(1)
  assert.ok(workspaceId)
  return workspaceId
}

test('signals pass every step, each recorded once in the activity', async t => {
  const workspaceId = await makeWorkspace()
  const processors = await start()
  t.after(() => processors.stop())
  const [, repeated] = await send(workspaceId, [
    { text: 'The export to CSV fails with an error on large projects.', source: 'Support desk' },
    { text: 'Please add a dark theme to the settings page.' },
    { text: 'How do I invite a colleague?' },
  ])
  await eventually('three signals are stored', async () => (await count('signals', workspaceId)) === 3)
  await send(workspaceId, [{ text: 'Please add a dark theme to the settings page.' }, { text: '' }])
  await eventually('the repeat is an occurrence', async () => (await count('occurrences', workspaceId)) === 1)
  await eventually('the bad one is a dead letter', async () => (await count('dead_letters', workspaceId)) === 1)

  const { rows } = await postgres.pool.query('select signal_id from occurrences where workspace_id = $1', [workspaceId])
  assert.equal(rows[0]?.signal_id, repeated?.signal_id)
  const outcomes = () =>
    clickHouse.analytics.query<{ kind: string; step: string; outcome: string; recorded: number }>(
      `SELECT kind, step, outcome, count() AS recorded FROM activity WHERE workspace_id = {id: UUID}
       GROUP BY kind, step, step_ordinal, outcome ORDER BY kind, step_ordinal, outcome`,
      { id: workspaceId },
    )
  const recorded = (rows: Awaited<ReturnType<typeof outcomes>>) =>
    rows.map(({ kind, step, outcome, recorded }) =>
      [kind, step, outcome, recorded].filter(part => part !== '').join(' '),
    )
  const expected = [
    'signal.dead_letter validate sender 1',
    'signal.received 5',
    'signal.step validate dead 1',
    // One of the four is a repeat.
    ...STEPS.flatMap(step => [
      `signal.step ${step} next ${STEPS.indexOf(step) < STEPS.indexOf('dedup') ? 4 : 3}`,
      ...(step === 'dedup' ? ['signal.step dedup skip 1'] : []),
    ]),
  ]
  await eventually('all activity is stored', async () => {
    assert.deepEqual(recorded(await outcomes()), expected)
    return true
  })
  await eventually('no group has lag', async () => (await processors.health()).every(group => group.lag === 0))
  assert.deepEqual(recorded(await outcomes()), expected)
  assert.ok((await processors.health()).every(group => group.state === 'working'))
  assert.match(
    await processors.metrics(),
    /assay_step_outcomes_total\{(?=[^}]*step="insert")(?=[^}]*outcome="next")[^}]*\} 3/,
  )
})

test('what comes while the processors are stopped, soon although their collector is away, is worked on when they start again, once', async t => {
  const workspaceId = await makeWorkspace()
  const texts = Array.from({ length: 30 }, (_, index) => ({
    text: `Report ${index}: page ${index * 7919} does not load.`,
  }))
  await send(workspaceId, texts)
  const first = await start(await startSilentCollector(t))
  await eventually('some are stored', async () => (await count('signals', workspaceId)) > 0)
  const silent = await stopping(first)

  const second = await start({ PIPELINE_HEADS: 'validate,embed,anchor,cluster' })
  const arrived = async () => (await count('signals', workspaceId)) + (await count('occurrences', workspaceId))
  await eventually('all are stored', async () => (await arrived()) >= texts.length)
  await eventually('no group has lag', async () => (await second.health()).every(group => group.lag === 0))
  // Those without a collector say how long it takes on this machine now.
  const plain = await stopping(second)
  assert.ok(silent < SOON_MS + 3 * plain, `${silent} ms to stop, ${plain} ms without a collector`)
  assert.equal(await arrived(), texts.length)
})

test('signals that wait where today’s settings have no topic are stored all the same', async () => {
  const workspaceId = await makeWorkspace()
  const topic = retryTopic('700ms')
  await log.log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
  const heads = 'validate,embed,anchor,dedup,cluster'
  const first = await start({ PIPELINE_HEADS: heads, PIPELINE_SEGMENTS: 'validate,embed,anchor' })
  const sent = await send(
    workspaceId,
    Array.from({ length: 10 }, (_, index) => ({ text: `Invoice ${index}: total ${index * 7919} is not printed.` })),
  )
  const lagAt = async (group: string) =>
    (await log.log.lag(group)).reduce((sum, { committed, highWatermark }) => sum + highWatermark - committed, 0)
  await eventually('all wait before dedup', async () => (await lagAt('assay.anchor')) === 0)
  await first.stop()
  const headers = { [HEADERS.returnTo]: signalsTopic('validate'), [HEADERS.dueAt]: String(Date.now() + 700) }
  await send(workspaceId, [{ text: 'The amount of an order is wrong after a refund.' }], topic, headers)
  assert.equal(await count('signals', workspaceId), 0)

  const second = await start()
  await eventually('all are stored', async () => (await count('signals', workspaceId)) === sent.length + 1)
  const groups = (await second.health()).map(({ group }) => group)
  for (const group of ['assay.dedup', 'assay.dedup.bulk', 'assay.retry.700ms']) assert.ok(groups.includes(group), group)
  await second.stop()
})

test('processors that have ended are stopped at once, and answer no further question', async () => {
  const processors = await start()
  await processors.stop()
  await processors.stop()
  await assert.rejects(processors.health(), { code: 'unavailable', publicMessage: 'The processors have stopped.' })
  await assert.rejects(processors.metrics(), { code: 'unavailable' })
})

test('heads that do not fit stop the start and say what to do', async () => {
  await assert.rejects(start({ PIPELINE_HEADS: 'validate,embed' }), {
    code: 'invalid_configuration',
    message: /'cluster' must not share a segment with 'insert'.*Add 'cluster' to PIPELINE_HEADS/,
  })
  await assert.rejects(start({ PIPELINE_SEGMENTS: 'dedup' }), {
    code: 'invalid_configuration',
    message: /PIPELINE_SEGMENTS names 'dedup', where no segment begins: the heads are validate, embed, anchor, cluster/,
  })
})
