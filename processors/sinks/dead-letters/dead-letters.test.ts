import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, type TestContext, test } from 'node:test'
import type { Log } from '../../../infra/log/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { createSealer } from '../../../infra/runtime/secrets.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { FAULTS, type Fault } from '../../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { DEAD_LETTERS_TOPIC, HEADERS } from '../../../schemas/events/topics.ts'
import { deadLetterRecord, type FailureNote } from '../../framework/outputs.ts'
import { next } from '../../framework/step.ts'
import {
  RECEIVED_AT,
  signalCodec,
  stored,
  testObserver,
  testPipeline,
  testSignal,
  testStep,
} from '../../framework/testing.ts'
import { startTestLog } from '../../framework/testing-log.ts'
import { createBreaker } from '../../framework/wait-for-dependency.ts'
import { DEAD_LETTERS_GROUP, hostDeadLetters } from './dead-letters.ts'

let postgres: TestDatabase
let workspace: WorkspaceId
before(async () => {
  postgres = await startTestDatabase()
  const [made] = await postgres.workspaces(1)
  assert.ok(made)
  workspace = made
})
after(() => postgres.stop())

const pipeline = testPipeline([testStep('validate', async batch => batch.map(() => next({})))], ['validate'])
const sealer = createSealer(new Uint8Array(32).fill(7))

const redriveDelays = [
  { name: '15m', ms: 900_000 },
  { name: '1h', ms: 3_600_000 },
]

const failure: FailureNote = { step: 'embed', errorClass: 'timeout', message: 'It took too long.', at: RECEIVED_AT }

const toDeadLetter = async (
  signal: SignalRecord,
  replay: number,
  personal: boolean,
  note: FailureNote = failure,
  fault: Fault = 'transient',
) => {
  const headers = { [HEADERS.attempt]: '4', ...(replay === 0 ? {} : { [HEADERS.replay]: String(replay) }) }
  const record = await stored(signal, { topic: 'signals.embed', headers })
  return deadLetterRecord(record, signal.signal_id, note, fault, personal)
}

interface Row {
  readonly step: string
  readonly topic: string
  readonly fault: string
  readonly error_class: string
  readonly message: string
  readonly attempts: number
  readonly first_failed_at: Date
  readonly last_failed_at: Date
  readonly sealed: boolean
  readonly record: Buffer
  readonly state: string
  readonly deaths: number
  readonly next_redrive_at: Date | null
}

const rowsOf = async (signal: SignalRecord): Promise<Row[]> => {
  const { rows } = await postgres.pool.query('select * from dead_letters where signal_id = $1', [signal.signal_id])
  return rows
}

const start = async (t: TestContext): Promise<{ log: Log; observer: ReturnType<typeof testObserver> }> => {
  const log = await startTestLog(t, pipeline)
  const observer = testObserver()
  const breaker = createBreaker({ firstMs: 10, maxMs: 50 })
  await hostDeadLetters({ log, database: postgres.database, signalCodec, sealer, breaker, observer, redriveDelays })
  return { log, observer }
}

const workedOff = (log: Log) =>
  eventually('the dead letters are worked off', async () =>
    (await log.lag(DEAD_LETTERS_GROUP)).every(place => place.committed === place.highWatermark),
  )

const ours = (text: string) => testSignal(text, { workspace_id: workspace })

test('a letter is kept with everything that is known of it', async t => {
  const { log } = await start(t)
  const signal = ours('late')
  await log.append([await toDeadLetter(signal, 0, false)])
  await workedOff(log)

  const [row, ...more] = await rowsOf(signal)
  assert.ok(row)
  assert.deepEqual(more, [])
  const { record, ...told } = row
  assert.deepEqual(await signalCodec.decode(record), signal)
  assert.partialDeepStrictEqual(told, {
    step: 'embed',
    topic: 'signals.embed',
    fault: 'transient',
    error_class: 'timeout',
    message: 'It took too long.',
    attempts: 4,
    first_failed_at: new Date(RECEIVED_AT),
    last_failed_at: new Date(RECEIVED_AT),
    sealed: false,
    state: 'waiting',
    deaths: 1,
  })
})

for (const fault of FAULTS) {
  const driven = fault === 'transient'
  test(`a letter of the fault ${fault} is kept, and is ${driven ? '' : 'not '}driven again by itself`, async t => {
    const { log } = await start(t)
    const signal = ours(fault)
    await log.append([await toDeadLetter(signal, 0, false, failure, fault)])
    await workedOff(log)
    const [row] = await rowsOf(signal)
    assert.equal(row?.fault, fault)
    assert.equal(row.next_redrive_at !== null, driven)
    const page = readFileSync(new URL('../../../docs/operations/recover.md', import.meta.url), 'utf8')
    const said = page.split(/\n(?=- |\n)/).find(part => part.startsWith(`- \`${fault}\`:`)) ?? ''
    assert.match(said.replace(/\s+/g, ' '), driven ? /It is tried again by itself/ : /Never tried again by itself: \w/)
  })
}

test('a letter that may hold personal data is sealed, and can be read again with the installation’s key', async t => {
  const { log } = await start(t)
  const signal = ours('write to sender@example.com')
  await log.append([await toDeadLetter(signal, 0, true)])
  await workedOff(log)

  const [row] = await rowsOf(signal)
  assert.ok(row)
  assert.equal(row.sealed, true)
  assert.equal(row.record.includes('sender@example.com'), false)
  const record = Buffer.from(sealer.unseal(row.record), 'base64')
  assert.deepEqual(await signalCodec.decode(record), signal)
})

test('a letter that does not say that it is clean counts as personal', async t => {
  const { log } = await start(t)
  const signal = ours('unsaid')
  const { headers: _, ...bare } = await toDeadLetter(signal, 0, false)
  await log.append([bare])
  await workedOff(log)
  assert.equal((await rowsOf(signal))[0]?.sealed, true)
})

test('the same death delivered again changes nothing, not even what a person has decided since', async t => {
  const { log } = await start(t)
  const signal = ours('again')
  const deadLetter = await toDeadLetter(signal, 0, false)
  await log.append([deadLetter, deadLetter])
  await workedOff(log)
  await postgres.pool.query(`update dead_letters set state = 'discarded' where signal_id = $1`, [signal.signal_id])
  await log.append([deadLetter])
  await workedOff(log)

  const [row] = await rowsOf(signal)
  assert.deepEqual([row?.deaths, row?.state], [1, 'discarded'])
})

test('a replay that dies is another death, waiting again', async t => {
  const { log } = await start(t)
  const signal = ours('loops')
  await log.append([await toDeadLetter(signal, 0, false)])
  await workedOff(log)
  await postgres.pool.query(`update dead_letters set state = 'replayed' where signal_id = $1`, [signal.signal_id])
  const later = { ...failure, message: 'Still too long.', at: RECEIVED_AT + 60_000 }
  const [second, third] = [await toDeadLetter(signal, 1, false, later), await toDeadLetter(signal, 2, false, later)]
  await log.append([second, third, second])
  await workedOff(log)

  const [row, ...more] = await rowsOf(signal)
  assert.deepEqual(more, [])
  assert.deepEqual([row?.deaths, row?.state, row?.message], [3, 'waiting', 'Still too long.'])
  assert.deepEqual(row?.first_failed_at, new Date(RECEIVED_AT))
  assert.deepEqual(row?.last_failed_at, new Date(later.at))
})

test('a letter that cannot be stored or read keeps nobody else out', async t => {
  const { log, observer } = await start(t)
  const [before, homeless, behind] = [ours('before'), testSignal('of no workspace'), ours('behind')]
  await log.append([
    await toDeadLetter(before, 0, false),
    await toDeadLetter(homeless, 0, false),
    { topic: DEAD_LETTERS_TOPIC, key: null, value: Buffer.from('garbage') },
    await toDeadLetter(behind, 0, false),
  ])
  await workedOff(log)

  assert.deepEqual([(await rowsOf(before)).length, (await rowsOf(behind)).length], [1, 1])
  assert.equal((await rowsOf(homeless)).length, 0)
  assert.deepEqual(
    observer.notes.map(note => note.message),
    [
      'A dead letter cannot be read and stays in its topic only',
      'A dead letter cannot be stored and stays in its topic only',
    ],
  )
})

test('a message that no text column takes is made fit for one', async t => {
  const { log } = await start(t)
  const signal = ours('odd words')
  await log.append([await toDeadLetter(signal, 0, false, { ...failure, message: 'null \u0000 byte, half \ud83d' })])
  await workedOff(log)
  assert.equal((await rowsOf(signal))[0]?.message, 'null   byte, half \ufffd')
})
