import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { OutgoingRecord } from '../../../infra/log/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { createSealer } from '../../../infra/runtime/secrets.ts'
import { type JobId, newId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import { next } from '../../framework/step.ts'
import { header, signalCodec, testPipeline, testSignal, testStep } from '../../framework/testing.ts'
import type { SliceResult } from '../job-kind.ts'
import { createReplayJob } from './replay.ts'

let postgres: TestDatabase
let workspace: WorkspaceId
before(async () => {
  postgres = await startTestDatabase()
})
beforeEach(async () => {
  const [made] = await postgres.workspaces(1)
  assert.ok(made)
  workspace = made
})
after(() => postgres.stop())

const sealer = createSealer(new Uint8Array(32).fill(7))
const pass = (name: StepName) => testStep(name, async batch => batch.map(() => next({})))
const pipeline = testPipeline(STEPS.map(pass), ['validate', 'embed', 'anchor', 'cluster'])

interface Known {
  readonly step?: StepName
  readonly topic?: string
  readonly fault?: string
  readonly errorClass?: string
  readonly sealed?: boolean
  readonly replay?: number
  readonly text?: string
}

/** A dead letter as the sink stores it. */
const deadLetter = async (known: Known = {}): Promise<SignalId> => {
  const { step = 'embed', topic = 'signals.embed', fault = 'ours', errorClass = 'TypeError', sealed = false } = known
  const signal = testSignal(known.text ?? 'it died', { workspace_id: workspace })
  const value = Buffer.from(await signalCodec.encode(signal))
  await postgres.pool.query(
    `insert into dead_letters (signal_id, step, workspace_id, topic, fault, error_class, message, attempts, first_failed_at,
       last_failed_at, trace_id, sealed, record, replay, next_redrive_at)
     values ($1, $2, $3, $4, $5, $6, 'It failed.', 1, now(), now(), $7, $8, $9, $10, now())`,
    [
      signal.signal_id,
      step,
      workspace,
      topic,
      fault,
      errorClass,
      'a'.repeat(32),
      sealed,
      sealed ? sealer.seal(value.toString('base64')) : value,
      known.replay ?? 0,
    ],
  )
  return signal.signal_id
}

const stateOf = async (id: SignalId) => {
  const { rows } = await postgres.pool.query(
    'select state, deaths, earlier_deaths, next_redrive_at from dead_letters where signal_id = $1',
    [id],
  )
  return rows[0]
}

/** The job, with a log that keeps what is appended; `run` does every slice to the end. */
const jobOf = (append?: (records: readonly OutgoingRecord[]) => Promise<void>) => {
  const appended: OutgoingRecord[] = []
  const log = {
    append: async (records: readonly OutgoingRecord[]) => {
      await append?.(records)
      appended.push(...records)
    },
  }
  const job = createReplayJob({ log, database: postgres.database, signalCodec, sealer, pipeline })
  const jobId = newId<JobId>()
  const slice = (input: unknown, cursor: unknown = null) => job.slice({ jobId, workspaceId: workspace, input, cursor })
  const run = async (input: unknown): Promise<SliceResult[]> => {
    const results: SliceResult[] = []
    for (let cursor: unknown = null; results.length === 0 || cursor !== null; cursor = results.at(-1)?.cursor)
      results.push(await slice(input, cursor))
    return results
  }
  return { appended, slice, run }
}

const asked = (selection: object = {}, how: object = {}) => ({
  selection: { signal_id: null, step: null, fault: null, error_class: null, until: Date.now() + 60_000, ...selection },
  from_step: null,
  per_second: 100,
  ...how,
})

const sum = (results: readonly SliceResult[]) => ({
  done: results.reduce((total, { done }) => total + done, 0),
  failed: results.reduce((total, { failed }) => total + failed, 0),
})

describe('a replay', () => {
  it('sends one dead letter through the live lane again, as a first attempt of the next replay, in its own trace', async () => {
    const id = await deadLetter({ replay: 2 })
    await deadLetter()
    const { appended, run } = jobOf()
    assert.deepEqual(sum(await run(asked({ signal_id: id }))), { done: 1, failed: 0 })

    const [record, ...more] = appended
    assert.deepEqual(more, [])
    assert.deepEqual([record?.topic, record?.key], ['signals.embed', id])
    assert.deepEqual([header(record, 'replay'), header(record, 'attempt')], ['3', '1'])
    assert.match(header(record, 'traceparent') ?? '', new RegExp(`^00-${'a'.repeat(32)}-`))
    assert.ok(record)
    assert.equal((await signalCodec.decode(record.value)).signal_id, id)
    assert.deepEqual(await stateOf(id), { state: 'replayed', deaths: 1, earlier_deaths: 1, next_redrive_at: null })
  })

  it('of a group takes those that are so in every respect, in the bulk lane, keyed as their step is', async () => {
    const meant = await deadLetter({
      step: 'insert',
      topic: 'signals.anchor',
      fault: 'transient',
      errorClass: 'timeout',
    })
    await deadLetter({ step: 'insert', topic: 'signals.anchor', fault: 'ours', errorClass: 'timeout' })
    await deadLetter({ step: 'dedup', topic: 'signals.anchor', fault: 'transient', errorClass: 'timeout' })
    await deadLetter({ step: 'insert', topic: 'signals.anchor', fault: 'transient', errorClass: 'busy' })
    const { appended, run } = jobOf()
    await run(asked({ step: 'insert', fault: 'transient', error_class: 'timeout' }))
    assert.deepEqual(
      appended.map(({ topic, key }) => [topic, key]),
      [['signals.anchor.bulk', workspace]],
    )
    assert.equal((await stateOf(meant))?.state, 'replayed')
  })

  it('of all takes each waiting dead letter once, a slice at a time, and no more a second than was asked for', async () => {
    const ids = await Promise.all(Array.from({ length: 7 }, () => deadLetter()))
    const settled = await deadLetter()
    await postgres.pool.query(`update dead_letters set state = 'discarded' where signal_id = $1`, [settled])
    const { appended, run } = jobOf()
    const results = await run(asked({}, { per_second: 3 }))

    assert.deepEqual(
      results.map(({ done }) => done),
      [3, 3, 1],
    )
    assert.deepEqual(
      results.map(({ pauseMs }) => Math.round(pauseMs ?? 0)),
      [1000, 1000, 333],
    )
    assert.deepEqual(appended.map(({ key }) => key).sort(), ids.sort())
  })

  it('takes no more bytes in a slice than a statement may have, and leaves no dead letter out', async () => {
    const text = 'x'.repeat(3 * 1024 * 1024)
    const ids = await Promise.all(Array.from({ length: 3 }, () => deadLetter({ text })))
    const { appended, run } = jobOf()
    const results = await run(asked())
    assert.deepEqual(
      results.map(({ done }) => done),
      [2, 1],
    )
    assert.deepEqual(appended.map(({ key }) => key).sort(), ids.sort())
  })

  it('leaves alone what dies after it began, so that what dies again is seen', async () => {
    const id = await deadLetter()
    const { appended, run } = jobOf()
    await run(asked({ until: Date.now() - 60_000 }))
    assert.deepEqual([appended.length, (await stateOf(id))?.state], [0, 'waiting'])
  })

  it('does not mark a dead letter that died again before it could be', async () => {
    const id = await deadLetter()
    const { run } = jobOf(async () => {
      await postgres.pool.query('update dead_letters set replay = 1, deaths = 2 where signal_id = $1', [id])
    })
    await run(asked())
    assert.partialDeepStrictEqual(await stateOf(id), { state: 'waiting', deaths: 2 })
  })

  it('unseals a dead letter that holds personal data for the log, and for nobody else', async () => {
    const id = await deadLetter({ step: 'validate', topic: 'signals.validate', sealed: true })
    const { appended, run } = jobOf()
    await run(asked({ signal_id: id }))
    assert.ok(appended[0])
    assert.equal((await signalCodec.decode(appended[0].value)).signal_id, id)
  })

  it('that was cut short before the dead letters were marked sends them again under the same number', async () => {
    await deadLetter()
    const { appended, slice } = jobOf()
    await assert.rejects(
      jobOf(async records => {
        appended.push(...records)
        throw new AssayError('unavailable', 'The log does not answer.')
      }).slice(asked()),
      { code: 'unavailable' },
    )
    await slice(asked())
    assert.deepEqual(
      appended.map(record => header(record, 'replay')),
      ['1', '1'],
    )
    assert.deepEqual(appended[0]?.value, appended[1]?.value)
  })

  it('of another workspace’s dead letter finds nothing', async () => {
    const id = await deadLetter()
    const [other] = await postgres.workspaces(1)
    assert.ok(other)
    workspace = other
    const { appended, run } = jobOf()
    await run(asked({ signal_id: id }))
    assert.equal(appended.length, 0)
  })

  it('of an input that is none fails, and says so', async () => {
    await assert.rejects(jobOf().slice({ selection: { signal_id: 7 } }), { code: 'invalid_input' })
  })
})

describe('a replay from a step on', () => {
  const entered = async (topic: string, fromStep: StepName | null) => {
    const id = await deadLetter({ topic })
    const { appended, run } = jobOf()
    const [result] = await run(asked({ signal_id: id }, { from_step: fromStep }))
    return appended[0]?.topic ?? result?.message
  }

  it('enters at an earlier step whose parts the record has', async () => {
    assert.equal(await entered('signals.cluster', 'embed'), 'signals.embed')
    assert.equal(await entered('signals.cluster.bulk', 'anchor'), 'signals.anchor')
    assert.equal(await entered('signals.cluster', null), 'signals.cluster')
  })

  it('enters at the head of the segment that the step is in', async () => {
    assert.equal(await entered('signals.cluster', 'insert'), 'signals.anchor')
  })

  it('enters at the head that now serves a step which had a topic of its own', async () => {
    assert.equal(await entered('signals.dedup', null), 'signals.anchor')
    assert.equal(await entered('signals.normalize', null), 'signals.validate')
  })

  it('says which steps are possible when the one that was asked for is not', async () => {
    const before = await entered('signals.anchor', 'validate')
    assert.equal(before, 'A record that stands at anchor cannot be replayed from validate. Possible: embed, anchor.')
    const behind = await entered('signals.embed', 'cluster')
    assert.equal(behind, 'A record that stands at embed cannot be replayed from cluster. Possible: embed.')
    assert.match((await entered('signals.scrub', null)) ?? '', /Possible: none, unless one of scrub is a head/)
    assert.match((await entered('retry.10s', null)) ?? '', /does not say at which step/)
  })

  it('counts a dead letter that cannot be replayed as failed, leaves it waiting, and goes on with the others', async () => {
    const stuck = await deadLetter({ topic: 'signals.validate', sealed: false })
    const fine = await deadLetter({ topic: 'signals.anchor' })
    const { run } = jobOf()
    assert.deepEqual(sum(await run(asked({}, { from_step: 'embed' }))), { done: 2, failed: 1 })
    assert.deepEqual([(await stateOf(stuck))?.state, (await stateOf(fine))?.state], ['waiting', 'replayed'])
  })

  it('cannot open what was sealed with another key', async () => {
    const id = await deadLetter({ topic: 'signals.validate', sealed: true })
    await postgres.pool.query(`update dead_letters set record = '\\x01aa' where signal_id = $1`, [id])
    const [result] = await jobOf().run(asked({ signal_id: id }))
    assert.match(result?.message ?? '', /cannot be read with this installation’s key/)
  })
})
