import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { createAnalytics } from '../../../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../../../infra/clickhouse/config.ts'
import { createConfluentRegistry } from '../../../infra/log/kafka/index.ts'
import { embedEach } from '../../../infra/models/batching-embedder.ts'
import { createOpenAiEmbedder } from '../../../infra/models/openai-embedder.ts'
import { createDatabase } from '../../../infra/postgres/database.ts'
import { createPool } from '../../../infra/postgres/pool.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { createReachability } from '../../../infra/runtime/health.ts'
import { createLogger } from '../../../infra/runtime/logger.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { newId, type SignalId } from '../../../schemas/domain/ids.ts'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import { tools } from '../../tools/index.ts'
import type { ReadContext } from '../define.ts'
import { createDependencies, watchFullDisk } from '../pipeline/dependencies.ts'
import { failsWith, type OperationsKit, type Workspace } from '../testing.ts'
import { type ActivityKit, startOperationsWithActivity, walked } from '../testing-activity.ts'
import { BREAKS } from './broken-workspaces.testing.ts'
import { diagnoseWorkspace } from './diagnose-workspace.ts'
import { MENDERS } from './finding.ts'
import { processorsSay, WITH_JUDGE, wellWorkspace, workingProcessors } from './well-workspace.testing.ts'

let kit: ActivityKit
let workspace: Workspace

before(async () => {
  kit = await startOperationsWithActivity()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const record = (...records: Partial<ActivityRecord>[]) => kit.record(workspace.id, ...records)

test('a signal on its way answers with its step, to its own workspace only', async () => {
  const id = newId<SignalId>()
  await record(...walked(id, 'anchor', 'next'))
  const { data } = await workspace.call('service_lookup', 'signal', { id })
  assert.deepEqual([data.status, data.signal], ['in_pipeline', null])
  assert.match(data.message, /anchor/)
  const { data: traced } = await workspace.call('service_support', 'signal', { id: id.toUpperCase() })
  assert.deepEqual(
    traced.steps.map((step: { step: string; outcome: string }) => `${step.step} ${step.outcome}`),
    ['received received', 'validate next', 'normalize next', 'scrub next', 'embed next', 'anchor next'],
  )
  const stranger = await kit.workspace()
  await assert.rejects(stranger.call('service_lookup', 'signal', { id }), failsWith('not_found'))
  await assert.rejects(stranger.call('service_support', 'signal', { id }), failsWith('not_found'))
})

interface Found {
  readonly finding: string
  readonly severity: string
  readonly evidence: string
  readonly remedy: string
  readonly cause: string
  readonly since: string
  readonly mended_by: string
  readonly next: { readonly tool: string; readonly mode: string; readonly arguments: object }
}

const diagnose = async (of: Workspace): Promise<{ healthy: boolean; items: readonly Found[] }> =>
  (await of.call('service_support', 'diagnose')).data

test('a signal that somebody erased on its way is at its end, and not stuck', async () => {
  const well = await wellWorkspace(kit)
  await well.record(...walked(newId(), 'dedup', 'erased', { occurred_at: well.minutesAgo(20), version: WITH_JUDGE }))
  const { items } = await diagnose(well)
  assert.deepEqual(
    items.map(({ finding }) => finding),
    ['limited_embedder'],
  )
})

test('a workspace that is well has no finding but what the built-in embedder cannot do', async () => {
  const { healthy, items } = await diagnose(await wellWorkspace(kit))
  assert.deepEqual(
    [healthy, items.map(({ finding, severity }) => [finding, severity])],
    [true, [['limited_embedder', 'note']]],
  )
})

for (const { finding, evidence, happens, besides = [] } of BREAKS) {
  test(`diagnose finds ${finding} where it occurs, and nothing else; its next call works as it is`, async () => {
    const well = await wellWorkspace(kit)
    await happens(well)
    const wanted = [...besides, finding, 'limited_embedder'].toSorted()
    // What is read in the background, such as the words, may not be held yet.
    const { items, healthy } = await eventually(`${finding} alone`, async () => {
      const answer = await diagnose(well)
      assert.deepEqual(answer.items.map(item => item.finding).toSorted(), wanted)
      return answer
    })
    const found = items.find(item => item.finding === finding)
    assert.ok(found)
    assert.match(found.evidence, evidence)
    for (const [, name, mode] of found.remedy.matchAll(/(service_\w+) mode (\w+)/g)) {
      assert.ok(tools.find(tool => tool.name === name)?.modes[mode ?? ''], `${name} mode ${mode}`)
    }
    for (const item of items) {
      assert.ok(item.cause !== '' && item.evidence !== '' && MENDERS.some(one => one === item.mended_by), item.finding)
      assert.match(item.since, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, item.finding)
    }
    assert.equal(healthy, !items.some(({ severity }) => severity === 'broken' || severity === 'degraded'))
    for (const { next } of items) await well.call(next.tool, next.mode, next.arguments)
  })
}

test('a Signal without a vector is refused by the embedder only once no re_embed is at work', async () => {
  const well = await wellWorkspace(kit)
  const said = async () => (await diagnose(well)).items.map(({ finding }) => finding)
  const found = async () => (await said()).includes('signals_without_vector')
  await well.sql('delete from signal_vectors where workspace_id = $1', well.id)
  await well.sql(
    `insert into jobs (id, workspace_id, kind, started_by) values (gen_random_uuid(), $1, 're_embed', 'An import')`,
    well.id,
  )
  assert.equal(await found(), false)
  await well.sql(`update jobs set state = 'done', finished_at = now() where workspace_id = $1`, well.id)
  assert.equal(await found(), true)
})

test('a Signal without a vector is looked for among the Signals, whatever a kept count says of them', async () => {
  const well = await wellWorkspace(kit)
  await well.sql(
    `insert into jobs (id, workspace_id, kind, state, started_by) values (gen_random_uuid(), $1, 're_embed', 'done', 'An import')`,
    well.id,
  )
  await well.sql('update signal_counts set signals = signals + 2 where workspace_id = $1', well.id)
  const { items } = await diagnose(well)
  assert.ok(!items.some(({ finding }) => finding === 'signals_without_vector'))
})

/** What the server of an embedding model does, and what is then found; null: it never answers. */
const MODEL_FAULTS: readonly (readonly [does: number | null, evidence: RegExp, remedy: RegExp])[] = [
  [401, /HTTP status 401/, /a key that is valid .*EMBEDDINGS_API_KEY/],
  [403, /HTTP status 403/, /may use this model/],
  [404, /HTTP status 404/, /the model’s name/],
  [429, /HTTP status 429/, /raises the limit/],
  [500, /HTTP status 500/, /looks at the model’s server/],
  [503, /HTTP status 503/, /looks at the model’s server/],
  [null, /did not answer within/, /looks at the model’s server/],
]

test('a model that does not answer as it should is named with since when, blames nobody else, and is forgotten when it is back', async () => {
  const well = await wellWorkspace(kit)
  await well.record(...walked(newId(), 'scrub', 'next', { occurred_at: well.minutesAgo(20) }))
  let does: number | null = 200
  const server = createServer((_request, response) => {
    if (does === null) return
    const vector = { index: 0, embedding: Array.from({ length: 1024 }, () => 1) }
    response.writeHead(does).end(JSON.stringify({ data: [vector] }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const model = { model: 'm', apiKey: 'expired', requestDimensions: false, baseUrl }
  let clock = well.minutesAgo(9)
  const reach = createReachability(() => clock)
  const embed = async () => {
    // Only one that is not to answer has a short time for it.
    const embedder = createOpenAiEmbedder({ ...model, timeoutMs: does === null ? 50 : 60_000 })
    const watched = { ...embedder, embed: (texts: readonly string[]) => reach.through(() => embedder.embed(texts)) }
    await embedEach(watched, ['A text.']).catch(() => {})
    await processorsSay(kit, { ...workingProcessors, embedder: { model: 'm', away: reach.away() } })
  }
  const found = async () => (await diagnose(well)).items.filter(({ finding }) => finding !== 'limited_embedder')
  try {
    for (const [status, evidence, remedy] of MODEL_FAULTS) {
      does = status
      const since = clock
      await embed()
      clock += 60_000
      await embed()
      const [away, ...others] = await found()
      assert.ok(away)
      assert.deepEqual([away.finding, others, away.mended_by], ['embedder_away', [], 'operator'], String(status))
      assert.equal(away.since, new Date(since).toISOString())
      assert.match(away.evidence, evidence)
      assert.match(away.evidence, /1 Signal has waited over 5 minutes/)
      assert.match(away.remedy, remedy)
      does = 200
      await embed()
      assert.deepEqual(
        (await found()).map(({ finding }) => finding),
        ['segment_not_served'],
      )
    }
    does = 400
    await embed()
    assert.ok(!(await found()).some(({ finding }) => finding === 'embedder_away'), 'it refuses this text alone')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

/** Stores that are asked where nothing listens. */
const NOBODY = '127.0.0.1:1'
const logger = createLogger({ level: 'silent', program: 'test' })
const STORES_AWAY: Readonly<Record<keyof OperationsKit['checks'], () => Promise<unknown>>> = {
  database: async () => {
    const pool = createPool({ connection: `postgres://nobody:none@${NOBODY}/none`, max: 1, logger })
    await createDatabase(pool)
      .ping()
      .finally(() => pool.end())
  },
  analytics: async () => {
    const analytics = createAnalytics(parseClickHouseUrl(`http://nobody:none@${NOBODY}/none`), { logger })
    await analytics.ping().finally(analytics.close)
  },
  registry: () => createConfluentRegistry({ url: `http://${NOBODY}` }).idsOf('none'),
  log: () => Promise.reject(new AssayError('unavailable', 'The log cannot store anything: the disk is full.')),
  embedder: () => Promise.reject(new AssayError('unavailable', 'The model is away.')),
}

for (const [store, isAway] of Object.entries(STORES_AWAY)) {
  const name = store as keyof typeof STORES_AWAY
  test(`diagnose names the ${name} that is away since it was first seen so, and not once it is back`, async () => {
    const well = await wellWorkspace(kit)
    const answers = kit.checks[name]
    const began = kit.now
    kit.checks[name] = async () => void (await isAway())
    try {
      await diagnose(well)
      kit.now = new Date(began.getTime() + 60_000)
      const { items, healthy } = await diagnose(well)
      const [away] = items
      assert.ok(away)
      assert.deepEqual([away.finding, away.since, healthy], [`${name}_away`, began.toISOString(), false])
      assert.ok(away.evidence.length > 10 && away.remedy.includes('operator'))
      assert.ok(!away.evidence.includes(NOBODY), 'no address is told')
      assert.deepEqual(
        items.map(({ finding }) => finding),
        [`${name}_away`, 'limited_embedder'],
      )
      await well.call(away.next.tool, away.next.mode, away.next.arguments)
    } finally {
      kit.checks[name] = answers
      kit.now = began
    }
    assert.ok((await diagnose(well)).healthy)
  })
}

test('a database that hangs is named, though nothing else can be read', async () => {
  const dependencies = createDependencies({
    checks: { ...kit.checks, database: () => new Promise(() => {}) },
    database: { ...kit.database.database, transaction: () => Promise.reject(new AssayError('timeout', 'Too long.')) },
    sendsMail: false,
    now: () => kit.now.getTime(),
  })
  const read = () => Promise.reject(new AssayError('timeout', 'The database took too long.'))
  const services = { dependencies, now: () => kit.now, embedder: {} }
  // What diagnose asks for before it reads.
  const context = { services, read, caller: workspace.caller } as unknown as ReadContext
  assert.ok(diagnoseWorkspace.effect === 'read')
  const { data } = await diagnoseWorkspace.run({}, context)
  const [found, ...others] = (data as { items: readonly Found[] }).items
  assert.deepEqual([found?.finding, found?.since, others], ['database_away', kit.now.toISOString(), []])
})

test('a database whose disk is full is named, though it can be read, until activity could be written', async () => {
  const refused = Object.assign(new Error('could not extend file'), { code: '53100' })
  let full = true
  const { database, writing, assertRoom } = watchFullDisk({
    ...kit.database.database,
    transaction: (scope, work) =>
      full && scope.role === 'assay_pipeline'
        ? Promise.reject(new AssayError('unavailable', 'The database’s disk is full.', { cause: refused }))
        : kit.database.database.transaction(scope, work),
  })
  const answers = kit.checks.database
  kit.checks.database = assertRoom
  const write = () =>
    writing(database).transaction({ role: 'assay_pipeline', workspaceIds: [workspace.id] }, async () => {})
  const read = () => database.transaction({ role: 'assay_app', workspaceId: workspace.id }, async () => {})
  try {
    await assert.rejects(write())
    await read()
    const [found] = (await diagnose(workspace)).items
    assert.deepEqual([found?.finding, found?.evidence], ['database_away', 'The database’s disk is full.'])
    full = false
    await write()
    await assertRoom()
  } finally {
    kit.checks.database = answers
  }
})

test('processors that wait, or say nothing any more, are named', async () => {
  const well = await wellWorkspace(kit)
  const lane = {
    lane: 'live',
    state: 'waiting',
    lag: 3,
    oldest_at: well.minutesAgo(4),
    reason: 'The disk is full.',
  } as const
  await processorsSay(kit, { ...workingProcessors, segments: [{ head: 'embed', steps: ['embed'], lanes: [lane] }] })
  const [waiting] = (await diagnose(well)).items
  assert.deepEqual(
    [waiting?.finding, waiting?.evidence, waiting?.since],
    ['processors_away', 'embed waits: The disk is full.', new Date(lane.oldest_at).toISOString()],
  )
  await kit.database.pool.query(`update processor_reports set reported_at = now() - interval '2 minutes'`)
  const [silent] = (await diagnose(well)).items
  assert.equal(silent?.finding, 'processors_away')
  assert.match(silent?.evidence ?? '', /reported lately/)
})

test('everything wrong at once is answered within the budget, the worst first, with each cause once', async () => {
  const well = await wellWorkspace(kit)
  const apart = new Set([
    'no_source',
    'imports_alone',
    'empty_map',
    'signals_without_vector',
    'triage_piles_up',
    'anchors_never_reached',
    'job_waiting',
  ])
  for (const { happens } of BREAKS.filter(({ finding }) => !apart.has(finding))) await happens(well)
  const answer = await well.call('service_support', 'diagnose')
  const items: readonly Found[] = answer.data.items
  assert.ok(items.length >= 28, `${items.length} findings`)
  assert.ok(countTokens(JSON.stringify(answer)) <= 10_000)
  const order = items.map(({ severity }) => ['broken', 'degraded', 'waiting', 'note'].indexOf(severity))
  assert.deepEqual(order, order.toSorted())
  assert.equal(new Set(items.map(({ finding }) => finding)).size, items.length)
})

test('a new workspace is told what to begin with', async () => {
  await processorsSay(kit, workingProcessors)
  const { items } = await diagnose(workspace)
  assert.deepEqual(
    items.map(({ finding }) => finding),
    ['no_source', 'empty_map', 'limited_embedder'],
  )
})

test('the pipeline shows what each step did in the last hour, and a sealed letter by its metadata only', async () => {
  await record(...walked(newId(), 'cluster', 'next'))
  await record(...walked(newId(), 'dedup', 'skip'))
  await workspace.deadLetter({ step: 'embed', sealed: false, message: 'No words.' })
  await workspace.deadLetter({ step: 'scrub', sealed: true, message: 'somebody@example.com' })
  const { data } = await workspace.call('service_support', 'pipeline')
  assert.deepEqual(
    data.last_hour.map((step: { step: string }) => step.step),
    [...STEPS],
  )
  const dedup = data.last_hour.find((step: { step: string }) => step.step === 'dedup')
  assert.deepEqual([dedup.handled, dedup.next, dedup.skipped], [2, 1, 1])
  assert.equal(data.count, 2)
  assert.ok(!JSON.stringify(data).includes('somebody@example.com'))
  const { data: embed } = await workspace.call('service_support', 'pipeline', { step: 'embed' })
  assert.deepEqual(
    embed.items.map((deadLetter: { message: string }) => deadLetter.message),
    ['No words.'],
  )
})

test('a source shows its address and when something last arrived, never a secret', async () => {
  const id = newId()
  await kit.database.pool.query(
    `insert into sources (id, workspace_id, kind, name, sealed_secret) values ($1, $2, 'signal', 'Desk', 'sealed')`,
    [id, workspace.id],
  )
  await record({ kind: 'signal.received', subject_id: newId(), source_id: id })
  const { data } = await workspace.call('service_connect', 'list')
  const [source] = data.items
  assert.equal(source.url, `https://assay.example.com/api/webhooks/custom/${id}`)
  assert.equal(new Date(source.last_seen_at).getTime(), kit.now.getTime() - 60_000)
  assert.equal(source.accepted_last_day, 1)
  assert.ok(!JSON.stringify(data).includes('sealed'))
})
