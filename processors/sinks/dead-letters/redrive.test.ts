import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { OutgoingRecord } from '../../../infra/log/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { createSealer } from '../../../infra/runtime/secrets.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import type { SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { HEADERS } from '../../../schemas/events/topics.ts'
import { deadLetterRecord } from '../../framework/outputs.ts'
import type { Polling } from '../../framework/poll.ts'
import { next } from '../../framework/step.ts'
import {
  header,
  signalCodec,
  stored,
  testObserver,
  testPipeline,
  testSignal,
  testStep,
} from '../../framework/testing.ts'
import { readDeadLetter, storeDeadLetters } from './dead-letters.ts'
import { type RedriveOptions, startRedrive } from './redrive.ts'

let postgres: TestDatabase
let workspaces: WorkspaceId[]
const running: Polling[] = []
before(async () => {
  postgres = await startTestDatabase()
  workspaces = await postgres.workspaces(2)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(redrive => redrive.stop()))
  await postgres.pool.query('delete from dead_letters')
})
after(() => postgres.stop())

const sealer = createSealer(new Uint8Array(32).fill(7))
const pipeline = testPipeline(
  (['validate', 'embed'] as const).map(name => testStep(name, async batch => batch.map(() => next({})))),
  ['validate', 'embed'],
)
/** A death so long ago that the first two delays are over; the third is not. */
const DIED_AT = Date.now() - 3_600_000
const DELAYS_MS = [1000, 60_000, 86_400_000]

const ours = (workspace = workspaces[0]) => {
  assert.ok(workspace)
  return testSignal('late', { workspace_id: workspace })
}

/** A death as the sink stores it. */
const dies = async (signal: SignalRecord, replay = 0, fault: 'transient' | 'ours' = 'transient') => {
  const record = await stored(signal, { topic: 'signals.embed', headers: { [HEADERS.replay]: String(replay) } })
  const note = { step: 'embed', errorClass: 'timeout', message: 'Too slow.', at: DIED_AT }
  const outgoing = deadLetterRecord(record, signal.signal_id, note, fault, false)
  const deadLetter = await readDeadLetter(
    { ...record, ...outgoing, headers: outgoing.headers ?? {} },
    signalCodec,
    sealer,
  )
  await postgres.database.transaction(pipelineScope([signal]), transaction =>
    storeDeadLetters(transaction, [deadLetter], DELAYS_MS),
  )
}

const rowOf = async (signal: SignalRecord) => {
  const { rows } = await postgres.pool.query<{ state: string; deaths: number; next_redrive_at: Date | null }>(
    'select state, deaths, next_redrive_at from dead_letters where signal_id = $1',
    [signal.signal_id],
  )
  assert.ok(rows[0])
  return rows[0]
}

const drive = (known: Partial<RedriveOptions> = {}) => {
  const appended: OutgoingRecord[] = []
  const log = { append: async (records: readonly OutgoingRecord[]) => void appended.push(...records) }
  const observer = testObserver()
  const options = { log, database: postgres.database, signalCodec, sealer, pipeline, observer, intervalMs: 5, ...known }
  const redrive = startRedrive(options)
  running.push(redrive)
  return { appended, observer, redrive }
}

const replayed = (signal: SignalRecord) =>
  eventually('the letter is replayed', async () => (await rowOf(signal)).state === 'replayed')

describe('a dead letter that may yet succeed', () => {
  it('is driven again by itself when it is due, in the bulk lane, whatever its workspace', async () => {
    const signals = workspaces.map(workspace => ours(workspace))
    for (const signal of signals) await dies(signal)
    const { appended } = drive()
    for (const signal of signals) await replayed(signal)
    assert.deepEqual(
      appended.map(record => [record.topic, header(record, 'replay')]),
      [
        ['signals.embed.bulk', '1'],
        ['signals.embed.bulk', '1'],
      ],
    )
  })

  it('waits longer after each death, and for a person after the last delay', async () => {
    const signal = ours()
    const dueAfter: (number | null)[] = []
    for (const replay of [0, 1, 2, 3]) {
      await dies(signal, replay)
      const { next_redrive_at: due } = await rowOf(signal)
      dueAfter.push(due === null ? null : due.getTime() - DIED_AT)
    }
    assert.deepEqual(dueAfter, [...DELAYS_MS, null])
    assert.equal((await rowOf(signal)).deaths, 4)
  })

  it('has all its delays again after a person has replayed it', async () => {
    const signal = ours()
    for (const replay of [0, 1, 2, 3]) await dies(signal, replay)
    await postgres.pool.query('update dead_letters set earlier_deaths = deaths')
    await dies(signal, 4)
    assert.equal((await rowOf(signal)).next_redrive_at?.getTime(), DIED_AT + 1000)
  })

  it('stays where it is until it is due, as does one that is our fault or that was discarded', async () => {
    const [early, fault, discarded, due] = [ours(), ours(), ours(), ours()]
    for (const replay of [0, 1, 2]) await dies(early, replay)
    await dies(fault, 0, 'ours')
    await dies(discarded)
    await postgres.pool.query(`update dead_letters set state = 'discarded' where signal_id = $1`, [discarded.signal_id])
    await dies(due)
    const { appended, redrive } = drive()
    await replayed(due)
    await redrive.stop()
    assert.deepEqual(
      appended.map(({ key }) => key),
      [due.signal_id],
    )
    assert.equal((await rowOf(fault)).next_redrive_at, null)
  })

  it('is driven once, however many processors look for it', async () => {
    const signals = Array.from({ length: 40 }, () => ours())
    for (const signal of signals) await dies(signal)
    const processors = [drive(), drive(), drive()]
    for (const signal of signals) await replayed(signal)
    const keys = processors.flatMap(({ appended }) => appended.map(({ key }) => key as SignalId))
    assert.deepEqual(keys.sort(), signals.map(signal => signal.signal_id).sort())
  })

  it('is taken with no more bytes than a statement may have, and always with one letter', async () => {
    const [workspace] = workspaces
    assert.ok(workspace)
    const long = 'x'.repeat(5 * 1024 * 1024)
    const signals = [1, 2].map(() => testSignal(long, { workspace_id: workspace }))
    for (const signal of signals) await dies(signal)
    const batches: number[] = []
    const append = async (records: readonly OutgoingRecord[]) => void batches.push(records.length)
    drive({ log: { append } })
    for (const signal of signals) await replayed(signal)
    assert.deepEqual(batches, [1, 1])
  })

  it('is driven by another processor when the one that took it is gone, under the same number', async () => {
    const signal = ours()
    await dies(signal)
    const lost: OutgoingRecord[] = []
    const failing = async (records: readonly OutgoingRecord[]) => {
      lost.push(...records)
      throw new AssayError('unavailable', 'The log does not answer.')
    }
    const first = drive({ log: { append: failing }, claimMs: 50 })
    await eventually('the first processor has tried', () => lost.length === 1)
    await first.redrive.stop()
    const { appended } = drive()
    await replayed(signal)
    assert.deepEqual([header(lost[0], 'replay'), header(appended[0], 'replay')], ['1', '1'])
    assert.deepEqual(first.observer.notes[0]?.message, 'The redrive of dead letters waits')
  })

  it('is left to people when its record cannot be sent again', async () => {
    const signal = ours()
    await dies(signal)
    await postgres.pool.query(`update dead_letters set topic = 'retry.10s'`)
    const { appended, observer } = drive()
    await eventually('nothing drives it any more', async () => (await rowOf(signal)).next_redrive_at === null)
    assert.deepEqual([appended.length, (await rowOf(signal)).state], [0, 'waiting'])
    assert.match(observer.notes[0]?.message ?? '', /waits for a person/)
  })
})
