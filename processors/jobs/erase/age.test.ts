import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { startJob } from '../../../model/jobs/start-job.ts'
import { KEEPS_EVERYTHING, type Retention, setRetention } from '../../../model/retention/retention.ts'
import {
  type EventId,
  type JobId,
  newId,
  type SignalId,
  type UserId,
  type WorkspaceId,
} from '../../../schemas/domain/ids.ts'
import { activity } from '../../../schemas/events/activity.ts'
import { testSignal } from '../../framework/testing.ts'
import { storeEvents } from '../../sinks/activity/store-events.ts'
import { newWorkspace } from '../testing.ts'
import { eraseKit } from './testing.ts'

let db: TestDatabase
let clickHouse: TestAnalytics
before(async () => {
  db = await startTestDatabase()
  clickHouse = await startTestAnalytics()
})
after(async () => {
  await db.stop()
  await clickHouse.stop()
})

const { query, job, erasureOf, tell, said, repeat, ledgerOf, relay } = eraseKit(
  () => db,
  () => clickHouse,
)

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

/** Sets the periods, and does once what the upkeep starts each day; each slice twice, as after a crash. */
const runDaily = async (workspaceId: WorkspaceId, periods: Partial<Retention>): Promise<JobId> => {
  const retention = { ...KEEPS_EVERYTHING, ...periods }
  const jobId = await db.database.transaction({ role: 'assay_app', workspaceId }, async transaction => {
    await setRetention(transaction, workspaceId, retention, { id: newId<UserId>(), name: 'Ada' })
    return startJob(transaction, {
      workspaceId,
      kind: 'erase',
      input: { retention: true },
      total: null,
      startedBy: 'the retention of the workspace',
    })
  })
  const definition = job()
  for (let cursor: unknown = null, slices = 0; ; slices += 1) {
    assert.ok(slices < 100)
    const slice = { jobId, workspaceId, input: { retention: true }, cursor }
    await definition.slice(slice)
    const result = await definition.slice(slice)
    cursor = JSON.parse(JSON.stringify(result.cursor))
    if (cursor === null) break
  }
  await query(`update jobs set state = 'done', finished_at = now() where id = $1`, [jobId])
  return jobId
}

const setAge = async (table: 'signals' | 'occurrences', ids: readonly SignalId[], days: number) => {
  await query(`update ${table} set received_at = $2 where id = any ($1)`, [ids, daysAgo(days)])
}

const idsOf = async (table: 'signals' | 'occurrences', workspaceId: WorkspaceId) =>
  (await query(`select id from ${table} where workspace_id = $1 order by id`, [workspaceId])).map(({ id }) => id)

const workspaceOfAges = async () => {
  const workspaceId = await newWorkspace(db)
  const old = await said(workspaceId, 'The old export of boards fails with a timeout.', { actor_name: 'Bo' })
  const young = await said(workspaceId, 'A dark theme would help me at night.', { actor_name: 'Ada' })
  const evidence = await said(workspaceId, 'Signing in takes half a minute on a train.', { actor_name: 'Cy' })
  const oldRepeat = await repeat(workspaceId, young, 'I want a dark theme.', { actor_name: 'Di' })
  const youngRepeat = await repeat(workspaceId, old, 'Export times out.', { actor_name: 'Ed' })
  const repeatOfEvidence = await repeat(workspaceId, evidence, 'Sign in is slow on trains.', { actor_name: 'Flo' })
  await tell(workspaceId, [old, young, evidence], 'insert', 'next')
  await tell(workspaceId, [oldRepeat, youngRepeat, repeatOfEvidence], 'dedup', 'skip')
  await setAge('signals', [old, evidence], 100)
  await setAge('signals', [young], 5)
  await setAge('occurrences', [oldRepeat, repeatOfEvidence], 100)
  await setAge('occurrences', [youngRepeat], 5)
  const solution = newId()
  await query(`insert into solutions (id, workspace_id, number, title) values ($2, $1, 1, 'Sign in quickly')`, [
    workspaceId,
    solution,
  ])
  await query(`insert into solution_evidence (workspace_id, solution_id, signal_id, claims) values ($1, $2, $3, 1)`, [
    workspaceId,
    solution,
    evidence,
  ])
  return { workspaceId, old, young, evidence, oldRepeat, youngRepeat, repeatOfEvidence }
}

describe('What is older than the workspace keeps it', () => {
  it('goes from every store, evidence of Solutions stays, and the ledger balances', async () => {
    const { workspaceId, young, evidence, youngRepeat, repeatOfEvidence } = await workspaceOfAges()
    assert.equal((await ledgerOf(workspaceId)).verdict, 'balanced')
    const id = await runDaily(workspaceId, { signals_days: 90 })
    // The young repeat takes the place of what it repeated.
    assert.deepEqual(await idsOf('signals', workspaceId), [young, evidence, youngRepeat].toSorted())
    assert.deepEqual(await idsOf('occurrences', workspaceId), [repeatOfEvidence])
    const erasure = await erasureOf(id)
    assert.equal(erasure.erased_signals, 2)
    assert.deepEqual(
      erasure.proof.filter(({ found }) => found !== 0),
      [],
    )
    await relay(workspaceId)
    assert.deepEqual((await ledgerOf(workspaceId)).reasons, [])
    // Another day finds nothing, and leaves no line in the list.
    const idle = await runDaily(workspaceId, { signals_days: 90 })
    assert.deepEqual(await query('select id from erasures where id = $1', [idle]), [])
  })

  it('takes evidence too where the owner says so', async () => {
    const { workspaceId, young, youngRepeat } = await workspaceOfAges()
    await runDaily(workspaceId, { signals_days: 90, keeps_evidence: false })
    assert.deepEqual(await idsOf('signals', workspaceId), [young, youngRepeat].toSorted())
    assert.deepEqual(await idsOf('occurrences', workspaceId), [])
    await relay(workspaceId)
    assert.deepEqual((await ledgerOf(workspaceId)).reasons, [])
  })

  it('of dead letters are those that nobody drives; a stored signal keeps its row', async () => {
    const workspaceId = await newWorkspace(db)
    const stored = await said(workspaceId, 'It has a row.', {})
    const letter = async (days: number, state: string, id?: SignalId) => {
      const signal = testSignal('', { workspace_id: workspaceId })
      const signalId = id ?? signal.signal_id
      await query(
        `insert into dead_letters (signal_id, step, workspace_id, topic, fault, error_class, message, attempts, first_failed_at, last_failed_at, sealed, record, state)
         values ($1, 'scrub', $2, 'signals.validate', 'ours', 'internal', '', 1, $3, $3, false, '', $4)`,
        [signalId, workspaceId, daysAgo(days), state],
      )
      return signalId
    }
    await letter(40, 'waiting')
    await letter(40, 'discarded')
    await letter(40, 'waiting', stored)
    const kept = [await letter(40, 'replayed'), await letter(5, 'waiting')]
    const id = await runDaily(workspaceId, { dead_letters_days: 30 })
    const left = await query('select signal_id from dead_letters where workspace_id = $1 order by signal_id', [
      workspaceId,
    ])
    assert.deepEqual(
      left.map(({ signal_id }) => signal_id),
      kept.toSorted(),
    )
    assert.deepEqual(await idsOf('signals', workspaceId), [stored])
    const { erased_signals, counts } = await erasureOf(id)
    assert.deepEqual([erased_signals, counts.dead_letters], [2, 3])
  })

  it('of activity is what happened beside signals, in the sums too', async () => {
    const { workspaceId } = await workspaceOfAges()
    const call = (days: number) =>
      activity({
        event_id: newId<EventId>(),
        workspace_id: workspaceId,
        kind: 'tool.call',
        occurred_at: daysAgo(days).getTime(),
        tool: 'service_lookup',
        outcome: 'ok',
      })
    await storeEvents(clickHouse.analytics, [call(100), call(100), call(10)], `age test ${workspaceId}`)
    const id = await runDaily(workspaceId, { activity_days: 60 })
    const counted = async (table: string) => {
      const [row] = await clickHouse.analytics.query<{ times: number }>(
        `SELECT toUInt32(sum(times)) AS times FROM ${table} WHERE workspace_id = {workspace: UUID} AND kind = 'tool.call'`,
        { workspace: workspaceId },
      )
      return row?.times
    }
    for (const table of ['activity', 'activity_by_hour', 'activity_by_day'])
      assert.equal(await counted(table), 1, table)
    assert.equal((await erasureOf(id)).counts.activity, 2)
    assert.deepEqual((await ledgerOf(workspaceId)).reasons, [])
  })

  it('of jobs and exports is what ended; the newest of a kind and what brought files in stay', async () => {
    const workspaceId = await newWorkspace(db)
    const ended = async (kind: string, days: number) => {
      const id = newId<JobId>()
      await query(
        `insert into jobs (id, workspace_id, kind, state, started_by, created_at, finished_at) values ($2, $1, $3, 'done', 'Ada', $4, $4)`,
        [workspaceId, id, kind, daysAgo(days)],
      )
      return id
    }
    const transfer = (direction: string, jobId: JobId, days: number) =>
      query(
        `insert into transfers (id, workspace_id, direction, format, name, job_id, started_by, created_at)
         values ($2, $1, $3, 'workspace', 'file', $4, 'Ada', $5)`,
        [workspaceId, newId(), direction, jobId, daysAgo(days)],
      )
    await ended('learn', 50)
    const newest = await ended('learn', 45)
    await transfer('export', await ended('export', 60), 60)
    const exported = await ended('export', 5)
    await transfer('export', exported, 5)
    const imported = await ended('import', 70)
    await transfer('import', imported, 70)
    const last = await ended('import', 65)
    const id = await runDaily(workspaceId, { jobs_days: 30 })
    const left = await query('select id from jobs where workspace_id = $1 order by id', [workspaceId])
    assert.deepEqual(
      left.map(row => row.id),
      [newest, exported, imported, last, id].toSorted(),
    )
    assert.partialDeepStrictEqual((await erasureOf(id)).counts, { jobs: 2, transfers: 1 })
  })

  it('is nothing where no period is set', async () => {
    const { workspaceId } = await workspaceOfAges()
    await runDaily(workspaceId, {})
    assert.equal((await idsOf('signals', workspaceId)).length, 3)
    assert.equal((await idsOf('occurrences', workspaceId)).length, 3)
  })
})
