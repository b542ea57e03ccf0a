import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { Log, OutgoingRecord, StoredRecord } from '../../../infra/log/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { createSealer } from '../../../infra/runtime/secrets.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { type JobId, newId, type SourceId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { ACTIVITY_TOPIC, signalsTopic } from '../../../schemas/events/topics.ts'
import { deadLetterRecord } from '../../framework/outputs.ts'
import { activityCodec, RECEIVED_AT, signalCodec, testObserver, testSignal } from '../../framework/testing.ts'
import { appendSignals, hostForTest, startTestLog, watchTopic } from '../../framework/testing-log.ts'
import { LANES } from '../../framework/topics.ts'
import { createBreaker } from '../../framework/wait-for-dependency.ts'
import { hostDeadLetters } from '../../sinks/dead-letters/dead-letters.ts'
import { createBuiltInClassifier } from '../../steps/classify/built-in/classifier.ts'
import { embedder, freshNeighbours, freshWords } from '../../steps/testing.ts'
import { createTopology } from '../../topology.ts'
import { newWorkspace } from '../testing.ts'
import { createReplayJob } from './replay.ts'

let postgres: TestDatabase
before(async () => {
  postgres = await startTestDatabase()
})
after(() => postgres.stop())

const sealer = createSealer(new Uint8Array(32).fill(7))

/** The whole pipeline on a log and a database, with an embedder that can be broken, and what the tests do to it. */
const start = async (t: TestContext) => {
  const workspaceId = await newWorkspace(postgres)
  const state = { broken: true }
  const pipeline = createTopology({
    database: postgres.database,
    neighbours: freshNeighbours(),
    words: freshWords(),
    judge: null,
    classifier: createBuiltInClassifier(),
    actorKey: address => address,
    embedder: {
      ...embedder,
      embed: async (...given: Parameters<typeof embedder.embed>) => {
        if (state.broken) throw new RangeError('Nobody foresaw this.')
        return embedder.embed(...given)
      },
    },
  })
  const log = await startTestLog(t, pipeline)
  for (const { head } of pipeline.segments) for (const lane of LANES) await hostForTest(log, pipeline, head, { lane })
  const breaker = createBreaker({ firstMs: 10, maxMs: 50 })
  const { database } = postgres
  const observer = testObserver()
  await hostDeadLetters({ log, database, signalCodec, sealer, breaker, observer, redriveDelays: [] })

  const replay = (signal: SignalRecord, fromStep: StepName | null = null, through: Pick<Log, 'append'> = log) => {
    const { slice } = createReplayJob({ log: through, database, signalCodec, sealer, pipeline })
    const selection = {
      signal_id: signal.signal_id,
      step: null,
      fault: null,
      error_class: null,
      until: Date.now() + 60_000,
    }
    const input = { selection, from_step: fromStep, per_second: 100 }
    return slice({ jobId: newId<JobId>(), workspaceId, input, cursor: null })
  }
  return {
    workspaceId,
    state,
    log,
    replay,
    atCluster: await watchTopic(log, signalsTopic('cluster')),
    recorded: await watchTopic(log, ACTIVITY_TOPIC),
  }
}

const one = async <Row extends object>(statement: string, values: readonly unknown[]): Promise<Row | null> => {
  const { rows } = await postgres.pool.query(statement, [...values])
  return (rows[0] as Row | undefined) ?? null
}
const toDeadLetter = (signal: SignalRecord) =>
  one<{ state: string; deaths: number }>('select state, deaths from dead_letters where signal_id = $1', [
    signal.signal_id,
  ])
const becomes = (signal: SignalRecord, state: string, deaths: number) =>
  eventually(`the dead letter is ${state} after ${deaths} deaths`, async () => {
    const deadLetter = await toDeadLetter(signal)
    return deadLetter?.state === state && deadLetter.deaths === deaths
  })
const stored = (workspaceId: WorkspaceId) =>
  one<{ signals: number; occurrences: number; evidence: number }>(
    `select (select count(*)::int from signals where workspace_id = $1) as signals,
       (select count(*)::int from occurrences where workspace_id = $1) as occurrences,
       (select count(*)::int from claim_evidence where workspace_id = $1) as evidence`,
    [workspaceId],
  )
const inserted = (signal: SignalRecord) =>
  eventually('the signal is stored', () => one('select 1 from signals where id = $1', [signal.signal_id]))

const problem = 'The export of large boards fails with an error every time we try it.'
const idsOf = async (records: readonly StoredRecord[]): Promise<string[]> =>
  (await Promise.all(records.map(({ value }) => activityCodec.decode(value)))).map(({ event_id }) => event_id)

describe('a replay through the whole pipeline', () => {
  it('that dies again waits with another death, and is stored once the cause has passed', async t => {
    const { workspaceId, state, log, replay } = await start(t)
    const signal = testSignal(problem, { workspace_id: workspaceId })
    await appendSignals(log, 'validate', [signal])
    await becomes(signal, 'waiting', 1)
    await replay(signal)
    await becomes(signal, 'waiting', 2)
    state.broken = false
    await replay(signal)
    await inserted(signal)
    assert.deepEqual(await toDeadLetter(signal), { state: 'replayed', deaths: 2 })
  })

  it('done again after a crash makes nothing twice: not a row, not an event', async t => {
    const { workspaceId, state, log, replay, atCluster, recorded } = await start(t)
    const signal = testSignal(problem, { workspace_id: workspaceId })
    await appendSignals(log, 'validate', [signal])
    await becomes(signal, 'waiting', 1)
    state.broken = false
    const before = new Set(await idsOf(recorded))
    const crashing = {
      append: async (records: readonly OutgoingRecord[]) => {
        await log.append(records)
        throw new AssayError('unavailable', 'The log does not answer.')
      },
    }
    await assert.rejects(replay(signal, null, crashing), { code: 'unavailable' })
    await replay(signal)
    await eventually('both came through', () => atCluster.length === 2)
    await eventually('the segments are idle', async () =>
      (await log.lag('assay.cluster')).every(at => at.committed === 2),
    )

    assert.deepEqual(await stored(workspaceId), { signals: 1, occurrences: 0, evidence: 1 })
    const fromEmbed = STEPS.length - STEPS.indexOf('embed')
    const again = await eventually('each of the two was recorded', async () => {
      const ids = (await idsOf(recorded)).filter(id => !before.has(id))
      return ids.length === 2 * fromEmbed && ids
    })
    assert.equal(new Set(again).size, fromEmbed)
  })

  it('makes a signal of an automatic mail that is kept apart, once, however often it is asked for', async t => {
    const { workspaceId, state, log, replay, atCluster } = await start(t)
    state.broken = false
    const automatic = { kind: 'automatic_reply', sign: 'auto_submitted' } as const
    const source = newId<SourceId>()
    const signal = { ...testSignal(problem, { workspace_id: workspaceId, source_id: source }), automatic }
    await appendSignals(log, 'validate', [signal])
    await becomes(signal, 'waiting', 1)
    const { rows } = await postgres.pool.query(
      'select fault, error_class, step, sealed, source_id from dead_letters where signal_id = $1',
      [signal.signal_id],
    )
    const letter = {
      fault: 'automatic',
      error_class: 'automatic_reply',
      step: 'embed',
      sealed: false,
      source_id: source,
    }
    assert.deepEqual(rows, [letter])
    assert.equal((await stored(workspaceId))?.signals, 0)

    await Promise.all([replay(signal), replay(signal)])
    await replay(signal)
    await inserted(signal)
    const once = { signals: 1, occurrences: 0, evidence: 1 }
    await eventually('it is evidence', async () => assert.deepEqual(await stored(workspaceId), once))
    await eventually('what was sent came through', async () =>
      (await log.lag('assay.cluster')).every(at => at.committed === atCluster.length),
    )
    assert.deepEqual(await stored(workspaceId), once)
    assert.deepEqual(await toDeadLetter(signal), { state: 'replayed', deaths: 1 })
  })

  it('of a signal that is stored already is not taken for its own duplicate', async t => {
    const { workspaceId, state, log, replay, atCluster } = await start(t)
    state.broken = false
    const signal = testSignal(problem, { workspace_id: workspaceId })
    await appendSignals(log, 'validate', [signal])
    const record = await eventually('it came to the last step', () => atCluster[0] ?? null)
    const note = { step: 'cluster', errorClass: 'TypeError', message: 'It failed.', at: RECEIVED_AT }
    await log.append([deadLetterRecord(record, signal.signal_id, note, 'ours', false)])
    await becomes(signal, 'waiting', 1)

    await replay(signal, 'embed')
    await eventually('it came to the last step again', () => atCluster.length === 2)
    await eventually('the segment is idle', async () =>
      (await log.lag('assay.cluster')).every(at => at.committed === 2),
    )
    assert.deepEqual(await stored(workspaceId), { signals: 1, occurrences: 0, evidence: 1 })
  })

  it('of a signal whose twin came meanwhile is counted at the twin, once', async t => {
    const { workspaceId, state, log, replay } = await start(t)
    const [late, twin] = [1, 2].map(() => testSignal(problem, { workspace_id: workspaceId }))
    assert.ok(late && twin)
    await appendSignals(log, 'validate', [late])
    await becomes(late, 'waiting', 1)
    state.broken = false
    await appendSignals(log, 'validate', [twin])
    await inserted(twin)

    await replay(late)
    await eventually('it is an occurrence', () => one('select 1 from occurrences where id = $1', [late.signal_id]))
    const { signals, occurrences } = (await stored(workspaceId)) ?? {}
    assert.deepEqual([signals, occurrences], [1, 1])
  })
})
