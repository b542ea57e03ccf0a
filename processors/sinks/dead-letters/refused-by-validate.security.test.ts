import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { createSealer } from '../../../infra/runtime/secrets.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { groupDeadLetters, listDeadLetters, openDeadLetters } from '../../../model/dead-letters/read-dead-letters.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { Received, SignalRecord } from '../../../schemas/events/signal.ts'
import { ACTIVITY_TOPIC, DEAD_LETTERS_TOPIC } from '../../../schemas/events/topics.ts'
import { signalBody } from '../../../schemas/http/signal.ts'
import type { Validator } from '../../../schemas/http/violations.ts'
import { activityCodec, signalCodec, testObserver, testSignal } from '../../framework/testing.ts'
import { appendSignals, hostForTest, startTestLog, watchTopic } from '../../framework/testing-log.ts'
import { createBreaker } from '../../framework/wait-for-dependency.ts'
import { projections } from '../../steps/validate/validate.ts'
import { describeTopology } from '../../topology.ts'
import { hostDeadLetters } from './dead-letters.ts'

// No sender can bring these about, since the edge refuses what `validate` refuses: a replay of what an older version
// took can, and so can whoever writes to the log. What they hold is personal, for nothing was removed from it.

const PLANTED = ['mara.planted@example.com', '+49 30 90182 077', '4111 1111 1111 1111']
const SECRET = PLANTED.join(' ')

/** As much of a JSON Schema as names places in a body. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

const WRONG: readonly unknown[] = [
  SECRET,
  [SECRET],
  { [SECRET]: SECRET },
  { [SECRET.repeat(8)]: { [SECRET]: [SECRET] } },
]

/** The wrong values at each place that the schema names, and in a field beside them. */
const wrongAt = ({ properties, items, anyOf }: Shape): readonly unknown[] => [
  ...WRONG,
  ...(anyOf ?? []).flatMap(wrongAt),
  ...(items === undefined ? [] : wrongAt(items).map(wrong => [wrong])),
  ...Object.entries(properties ?? {}).flatMap(([name, shape]) =>
    wrongAt(shape).map(wrong => ({ [SECRET]: SECRET, [name]: wrong })),
  ),
]

const FORMATS: Readonly<Record<Received['format'], Validator>> = { signal: signalBody, ...projections }

const bodiesOf = (format: Received['format']): readonly string[] => [
  `{"text": "${SECRET}`,
  SECRET,
  JSON.stringify({ text: SECRET.repeat(2_000) }),
  ...wrongAt(FORMATS[format].Type() as Shape).map(body => JSON.stringify(body)),
]

let postgres: TestDatabase
let workspaceId: WorkspaceId
before(async () => {
  postgres = await startTestDatabase()
  const [made] = await postgres.workspaces(1)
  assert.ok(made)
  workspaceId = made
})
after(() => postgres.stop())

const assertNothingPlanted = (what: string, told: unknown): void => {
  const text = JSON.stringify(told)
  for (const planted of PLANTED) assert.ok(!text.includes(planted), `${what} tells ${planted}: ${text.slice(0, 500)}`)
}

test('Of a body that validate refuses nobody reads anything: not in its letter, not in the activity, not in what is printed.', async t => {
  const pipeline = describeTopology()
  const sealer = createSealer(new Uint8Array(32).fill(7))
  const log = await startTestLog(t, pipeline)
  const observer = testObserver()
  const breaker = createBreaker({ firstMs: 10, maxMs: 50 })
  const { database } = postgres
  const letters = await watchTopic(log, DEAD_LETTERS_TOPIC)
  const activity = await watchTopic(log, ACTIVITY_TOPIC)
  const signals: SignalRecord[] = (Object.keys(FORMATS) as Received['format'][]).flatMap(format =>
    bodiesOf(format).map(body => testSignal('', { workspace_id: workspaceId, received: { format, body } })),
  )
  await appendSignals(log, 'validate', signals)
  await hostForTest(log, pipeline, 'validate', { observer })
  await hostDeadLetters({ log, database, signalCodec, sealer, breaker, observer, redriveDelays: [] })
  const died = await eventually('each has come to its end and each letter is stored', async () => {
    const lags = await Promise.all(['assay.validate', 'assay.dead-letters'].map(group => log.lag(group)))
    return lags.flat().every(place => place.committed === place.highWatermark) && letters.length > 0 && letters.length
  })

  const refused = new Set(letters.map(({ key }) => key))
  for (const format of Object.keys(FORMATS)) {
    const some = signals.filter(({ received, signal_id }) => received?.format === format && refused.has(signal_id))
    assert.ok(some.length >= WRONG.length, `${some.length} bodies of ${format} were refused`)
  }
  for (const { headers } of letters) assertNothingPlanted('the head of a letter', headers)
  for (const { value } of activity) assertNothingPlanted('the activity', await activityCodec.decode(value))
  assertNothingPlanted('what is printed', observer.notes)

  const { rows } = await postgres.pool.query<{ signal_id: string; sealed: boolean; record: Buffer }>(
    'select * from dead_letters where workspace_id = $1',
    [workspaceId],
  )
  assert.equal(rows.length, died)
  for (const { record, ...told } of rows) {
    assert.equal(told.sealed, true)
    assertNothingPlanted('a row', told)
    for (const encoding of ['latin1', 'utf16le', 'base64'] as const) {
      assertNothingPlanted('a sealed record', record.toString(encoding))
    }
    assertNothingPlanted('a sealed record', Buffer.from(record.toString('latin1'), 'base64').toString('latin1'))
  }
  const [row] = rows
  assert.ok(row)
  const opened = await signalCodec.decode(Buffer.from(sealer.unseal(row.record), 'base64'))
  assert.ok(JSON.stringify(opened).includes('mara.planted'), 'whoever has the installation’s key can replay it')

  const shown = await database.transaction({ role: 'assay_app', workspaceId }, async transaction => {
    const filter = { state: 'waiting', until: null, step: null, fault: null, error_class: null } as const
    return {
      listed: await listDeadLetters(transaction, filter, { limit: 200, offset: 0 }),
      groups: await groupDeadLetters(transaction, filter),
      opened: await openDeadLetters(transaction, row.signal_id, null),
    }
  })
  assertNothingPlanted('what members are shown', shown)
  assert.deepEqual([shown.opened[0]?.record, shown.opened[0]?.message], [null, null])
  for (const { message } of shown.listed) assert.equal(message, null)
  for (const { last_message: message } of shown.groups) assert.equal(message, null)
})
