import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { type EventId, newId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { type ActivityRecord, activity } from '../../../schemas/events/activity.ts'
import { ACTIVITY_TOPIC } from '../../../schemas/events/topics.ts'
import { next } from '../../framework/step.ts'
import { activityCodec, RECEIVED_AT, testObserver, testPipeline, testStep } from '../../framework/testing.ts'
import { startTestLog, watchTopic } from '../../framework/testing-log.ts'
import { startOutboxRelay } from './outbox.ts'

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

const toolCall = (known: Partial<ActivityRecord> = {}): ActivityRecord =>
  activity({
    event_id: newId<EventId>(),
    workspace_id: workspace,
    kind: 'tool.call',
    occurred_at: RECEIVED_AT,
    tool: 'service_orient',
    work_units: 1,
    ...known,
  })

/** As an operation does it: in its own transaction, as the app. */
const write = (event: object) =>
  postgres.database.transaction({ role: 'assay_app', workspaceId: workspace }, transaction =>
    transaction.query('insert into outbox (workspace_id, activity) values ($1, $2)', [
      workspace,
      JSON.stringify(event),
    ]),
  )

const rowCount = async (): Promise<number> => {
  const { rows } = await postgres.pool.query<{ count: number }>('select count(*) from outbox')
  return rows[0]?.count ?? 0
}

test('what the query API wrote reaches the activity topic, and leaves the outbox', async t => {
  const log = await startTestLog(t, pipeline)
  const arrived = await watchTopic(log, ACTIVITY_TOPIC)
  const relay = startOutboxRelay({
    log,
    database: postgres.database,
    activityCodec,
    observer: testObserver(),
    intervalMs: 10,
  })
  t.after(() => relay.stop())

  const about = toolCall({ kind: 'decision.made', subject_id: 'a decision' })
  const events = [toolCall(), about]
  for (const event of events) await write(event)
  await eventually('both events have arrived', () => arrived.length >= 2)
  await eventually('the outbox is empty', async () => (await rowCount()) === 0)

  assert.deepEqual(await Promise.all(arrived.map(record => activityCodec.decode(record.value))), events)
  assert.deepEqual(
    arrived.map(record => record.key),
    [events[0]?.event_id, 'a decision'],
  )
})

test('rows stay while the log is away, and a row that is no activity holds nobody up', async t => {
  const log = await startTestLog(t, pipeline)
  const arrived = await watchTopic(log, ACTIVITY_TOPIC)
  let tries = 0
  const failing = {
    ...log,
    append: async (records: Parameters<typeof log.append>[0]) => {
      tries += 1
      if (tries <= 2) throw new Error('The log is away.')
      await log.append(records)
    },
  }
  const observer = testObserver()
  await write({ kind: 'no kind that there is', attempt: 'many' })
  await write(toolCall())
  const relay = startOutboxRelay({ log: failing, database: postgres.database, activityCodec, observer, intervalMs: 5 })
  t.after(() => relay.stop())

  await eventually('the good event has arrived', () => arrived.length === 1)
  await eventually('the outbox is empty', async () => (await rowCount()) === 0)
  assert.ok(observer.notes.some(note => note.message === 'A row of the outbox is no activity and is left out'))
  assert.ok(observer.notes.some(note => note.message === 'The outbox waits'))
})
