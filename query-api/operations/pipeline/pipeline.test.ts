import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it, test } from 'node:test'
import { BUILT_IN_MODEL } from '../../../infra/models/meaning/name.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { observe, type ProcessorReport, reportProcessor } from '../../../model/pipeline/processor-report.ts'
import { newId, type ProcessorId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { readEmbeddingScale } from './inspect-pipeline.ts'

let kit: OperationsKit
let operator: Workspace
let stranger: Workspace

before(async () => {
  kit = await startOperations()
  operator = await kit.workspace()
  stranger = await kit.workspace()
})
after(() => kit.stop())
beforeEach(async () => {
  await kit.database.pool.query('delete from paused_steps')
  await kit.database.pool.query('delete from processor_reports')
})
afterEach(() => {
  kit.checks.analytics = async () => {}
})

const WORKING = { state: 'working', lag: 0, oldest_at: null, reason: '' } as const

const report = (known: Partial<ProcessorReport> = {}): ProcessorReport => ({
  window_seconds: 60,
  embedder: { model: 'test', away: null },
  judge: { model: 'judge', away: null },
  segments: [
    {
      head: 'validate',
      steps: ['validate', 'normalize', 'scrub'],
      lanes: [
        { lane: 'live', ...WORKING },
        { lane: 'bulk', ...WORKING },
      ],
    },
  ],
  queues: [{ group: 'assay.retry.10s', ...WORKING, lag: 3, oldest_at: 1_000_000 }],
  steps: [],
  ...known,
})

const says = (known: Partial<ProcessorReport> = {}): Promise<void> =>
  kit.database.database.transaction({ role: 'assay_accounts' }, transaction =>
    reportProcessor(transaction, newId<ProcessorId>(), report(known)),
  )

const watch = async (workspace: Workspace, as: 'administrator' | 'owner' = 'owner') =>
  (await workspace.inApp('watch_pipeline', {}, as)).data
const stepOf = async (workspace: Workspace, step: string, as?: 'administrator') =>
  (await watch(workspace, as)).steps.find((each: { step: string }) => each.step === step)
const dependency = async (name: string) =>
  (await operator.inApp('inspect_dependencies')).data.items.find((item: { name: string }) => item.name === name)

describe('the pipeline at this moment', () => {
  it('has every step in its order, whether anybody serves it or not', async () => {
    const silent = await watch(operator)
    assert.deepEqual([silent.processors, silent.last_report_at, silent.steps.length], [0, null, 9])
    assert.equal(silent.steps[0].head, null)
    await says()
    const told = await watch(operator)
    assert.deepEqual(
      told.steps.slice(0, 4).map((step: { head: string }) => step.head),
      ['validate', 'validate', 'validate', null],
    )
    assert.deepEqual(told.queues, [
      { queue: 'retry.10s', ...WORKING, lag: 3, oldest_at: new Date(1_000_000).toISOString() },
    ])
  })

  it('has each step in the segment of today’s heads, though earlier heads left a topic', async () => {
    const lanes = [{ lane: 'live', ...WORKING, lag: 4 }] as const
    await says({ segments: [...report().segments, { head: 'normalize', steps: ['normalize', 'scrub'], lanes }] })
    const { steps } = await watch(operator)
    assert.deepEqual(
      steps.slice(0, 3).map((step: { head: string }) => step.head),
      ['validate', 'validate', 'validate'],
    )
    assert.equal(steps[1].lanes[0].waiting.lag, 4)
  })

  it('adds the work of all processes, and shows what waits once', async () => {
    const durations: Record<string, number> = {}
    observe(durations, 10, 300)
    const figures = {
      step: 'normalize',
      lane: 'live',
      signals: 300,
      retried: 2,
      dead_lettered: 1,
      durations,
      ages: {},
    } as const
    const [segment] = report().segments
    assert.ok(segment)
    const waits = { lane: 'live', state: 'waiting', lag: 7, oldest_at: 5000, reason: 'The database is away.' } as const
    await says({ steps: [figures], segments: [{ ...segment, lanes: [waits] }] })
    await says({ steps: [figures], segments: [{ ...segment, lanes: [{ lane: 'live', ...WORKING, lag: 9 }] }] })
    const [live] = (await stepOf(operator, 'normalize')).lanes
    assert.deepEqual([live.per_second, live.retried, live.dead_lettered, live.waiting], [10, 4, 2, null])
    assert.ok(Math.abs(live.p95_ms - 10) < 1)
    assert.equal(live.p95_since_receipt_ms, null)
    const [head] = (await stepOf(operator, 'validate')).lanes
    assert.deepEqual(
      [head.waiting.state, head.waiting.reason, head.waiting.lag],
      ['waiting', 'The database is away.', 9],
    )
  })

  it('forgets a process that has been silent', async () => {
    await says()
    await kit.database.pool.query(`update processor_reports set reported_at = now() - interval '16 seconds'`)
    const { processors, last_report_at: last, steps } = await watch(operator)
    assert.deepEqual([processors, steps[0].head], [0, null])
    assert.ok(last)
  })
})

describe('a pause', () => {
  const pause = (workspace: Workspace, step = 'scrub', reason = 'The rules are being changed.') =>
    workspace.inApp('pause_step', { step, reason }, 'administrator')

  it('is shown at its step, and at those that stand still with it, to everybody with its reason', async () => {
    await says()
    await pause(operator)
    const paused = await stepOf(operator, 'scrub', 'administrator')
    assert.deepEqual(
      [paused.pause.reason, paused.pause.paused_by, paused.paused_with],
      ['The rules are being changed.', 'Owner', []],
    )
    assert.deepEqual((await stepOf(operator, 'validate')).paused_with, ['scrub'])
    assert.deepEqual((await stepOf(operator, 'embed')).paused_with, [])
    const elsewhere = await stepOf(stranger, 'scrub')
    assert.deepEqual([elsewhere.pause.reason, elsewhere.pause.paused_by], ['The rules are being changed.', null])
  })

  it('is told to agents, and is what diagnose finds', async () => {
    await pause(operator)
    for (const workspace of [operator, stranger]) {
      const { data } = await workspace.call('service_support', 'pipeline')
      assert.deepEqual(
        data.paused.map((each: { step: string; reason: string }) => [each.step, each.reason]),
        [['scrub', 'The rules are being changed.']],
      )
      const { data: diagnosis } = await workspace.call('service_support', 'diagnose')
      const found = diagnosis.items.find((item: { finding: string }) => item.finding === 'steps_paused')
      assert.match(found.evidence, /^scrub for \d+ minutes: The rules are being changed\.$/)
      assert.equal(diagnosis.healthy, false)
      await workspace.call(found.next.tool, found.next.mode, found.next.arguments)
    }
  })

  it('ends when somebody resumes the step', async () => {
    await pause(operator)
    await operator.inApp('resume_step', { step: 'scrub' }, 'administrator')
    assert.equal((await stepOf(operator, 'scrub')).pause, null)
    await assert.rejects(
      operator.inApp('resume_step', { step: 'scrub' }, 'administrator'),
      failsWith('conflict', /not paused/),
    )
  })

  it('of a step that is paused already changes nothing, and says whose it is', async () => {
    await pause(operator)
    await assert.rejects(
      pause(operator, 'scrub', 'Another reason.'),
      failsWith('conflict', /Owner has paused scrub already \(The rules are being changed\.\)/),
    )
    assert.equal((await stepOf(operator, 'scrub')).pause.reason, 'The rules are being changed.')
  })

  it('is for administrators of the installation alone, whatever they are in the workspace', async () => {
    await pause(operator)
    for (const role of ['owner', 'member', 'viewer'] as const) {
      for (const [operation, input] of [
        ['pause_step', { step: 'embed', reason: 'No.' }],
        ['resume_step', { step: 'scrub' }],
      ] as const) {
        await assert.rejects(operator.inApp(operation, input, role), failsWith('forbidden', /role administrator/))
      }
      const { data } = await operator.inApp('watch_pipeline', {}, role)
      assert.deepEqual([data.can_pause, /administrator/.test(data.unavailable_reason)], [false, true])
    }
    assert.equal((await watch(operator, 'administrator')).can_pause, true)
  })

  it('needs a step that there is and a reason that says something', async () => {
    await assert.rejects(pause(operator, 'polish'), failsWith('invalid_input'))
    for (const reason of ['', '  ', 'x'.repeat(501)])
      await assert.rejects(pause(operator, 'scrub', reason), failsWith('invalid_input'))
    assert.equal((await stepOf(operator, 'scrub')).pause, null)
  })
})

describe('what the service depends on', () => {
  it('answers, or is away with what that means', async () => {
    await says()
    assert.deepEqual(
      (await operator.inApp('inspect_dependencies')).data.items.map((item: { state: string }) => item.state),
      [...Array.from({ length: 7 }, () => 'answers'), 'not_configured'],
    )
    kit.checks.analytics = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:8123'))
    const away = await dependency('analytics')
    assert.equal(away.state, 'away')
    assert.match(away.effect, /Signals go on/)
    assert.ok(!away.reason.includes('10.0.0.7'), 'what nobody foresaw is not quoted')
  })

  it('is away when nobody serves the pipeline', async () => {
    const silent = await dependency('processors')
    assert.deepEqual([silent.state, silent.since], ['away', null])
    await says()
    assert.equal((await dependency('processors')).state, 'answers')
  })

  it('says what a segment waits for, and a model that is away once', async () => {
    const [segment] = report().segments
    assert.ok(segment)
    const waits = { lane: 'live', state: 'waiting', lag: 7, oldest_at: 5000, reason: 'The model is away.' } as const
    await says({ segments: [{ ...segment, lanes: [waits] }] })
    const waiting = await dependency('processors')
    assert.deepEqual([waiting.state, waiting.reason], ['away', 'validate waits: The model is away.'])
    await says({
      embedder: { model: 'test', away: { since: 5000, reason: 'The model is away.' } },
      segments: [{ ...segment, lanes: [waits] }],
    })
    assert.deepEqual(
      [(await dependency('embedder')).since, (await dependency('processors')).state],
      [new Date(5000).toISOString(), 'answers'],
    )
  })

  it('knows that no judge is configured', async () => {
    await says({ judge: null })
    assert.equal((await dependency('judge')).state, 'not_configured')
  })
})

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const scale = (workspaceId: WorkspaceId, model: string) =>
  db.database.transaction({ role: 'assay_app', workspaceId }, transaction => readEmbeddingScale(transaction, model))

test('the scale is the shipped one, what the workspace fitted, or none', async () => {
  const [one, two] = await db.workspaces(2)
  assert.ok(one && two)
  const knots = JSON.stringify([
    [-1, -1],
    [0.8, 0.8],
    [1, 0.8799],
  ])
  await db.pool.query(
    `insert into embedding_calibrations (workspace_id, model, knots, made_pairs, labelled_pairs, through_place)
     values ($1, 'another-model', $2, 290, 3, 120)`,
    [one, knots],
  )
  assert.partialDeepStrictEqual(await scale(one, BUILT_IN_MODEL), {
    calibration: 'shipped',
    anchors_at: 0.3733,
    on_scale: { anchors_at: 0.8, skips_at: 0.88, skips_in_threads_at: 0.92 },
    compares_words: true,
    fitted_at: null,
  })
  const fitted = { calibration: 'fitted', anchors_at: 0.8, skips_at: null, made_pairs: 290, labelled_pairs: 3 }
  assert.partialDeepStrictEqual(await scale(one, 'another-model'), fitted)
  const none = { calibration: 'none', skips_at: 0.88, skips_in_threads_at: 0.92, compares_words: false }
  assert.partialDeepStrictEqual(await scale(two, 'another-model'), none)
})
