import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../../infra/clickhouse/testing.ts'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { type EventId, newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { type ActivityKind, type ActivityRecord, activity } from '../../schemas/events/activity.ts'
import { balanceOf } from './installation-ledger.ts'
import { createKeptLedgers } from './kept-ledgers.ts'
import { readLedgers, totalOf } from './ledger.ts'
import type { LedgerStores } from './ledger-stores.ts'

const RECEIVED_AT = Date.UTC(2026, 5, 1, 12)

let db: TestDatabase
let clickHouse: TestAnalytics
let stores: LedgerStores
before(async () => {
  db = await startTestDatabase()
  clickHouse = await startTestAnalytics()
  stores = {
    read: (workspaceIds, work) => db.database.transaction({ role: 'assay_pipeline', workspaceIds }, work),
    analytics: clickHouse.analytics,
  }
})
after(async () => {
  await db.stop()
  await clickHouse.stop()
})

const aWorkspace = async (): Promise<WorkspaceId> => {
  const [id] = await db.workspaces(1)
  assert.ok(id)
  return id
}

const newIds = (count: number): SignalId[] => Array.from({ length: count }, () => newId<SignalId>())

let number = 0
const storeRow = async (workspace: WorkspaceId, id: SignalId): Promise<void> => {
  number += 1
  await db.pool.query(
    `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at, received_at,
       classification, classification_confidence, classification_version)
     values ($1, $2, $3, 'webhook', 'text', '\\x00', 'customer', 'user', now(), now(), 'problem', 1, 'test')`,
    [id, workspace, number],
  )
}

const storeOccurrence = (workspace: WorkspaceId, id: SignalId, of: SignalId): Promise<unknown> =>
  db.pool.query(
    `insert into occurrences (id, workspace_id, signal_id, reason, similarity, channel, signal_origin, actor_role, occurred_at, received_at)
     values ($1, $2, $3, 'same_text', 1, 'webhook', 'customer', 'user', now(), now())`,
    [id, workspace, of],
  )

const storeDeadLetter = (
  workspace: WorkspaceId,
  id: SignalId,
  state = 'waiting',
  step = 'normalize',
): Promise<unknown> =>
  db.pool.query(
    `insert into dead_letters (signal_id, step, workspace_id, topic, fault, error_class, message, attempts, first_failed_at,
       last_failed_at, sealed, record, state)
     values ($1, $2, $3, 'signals.validate', 'sender', 'invalid_input', '', 1, now(), now(), true, '\\x00', $4)`,
    [id, step, workspace, state],
  )

let token = 0
const tell = async (events: readonly ActivityRecord[]): Promise<void> => {
  token += 1
  const rows = events.map(event => ({ ...event, occurred_at: new Date(event.occurred_at).toISOString() }))
  await clickHouse.analytics.insert('activity', rows, `ledger test ${token}`)
}

/** An event of a signal; those of one signal are of one time. */
const event = (workspace: WorkspaceId, id: SignalId, kind: ActivityKind, step = '', outcome = ''): ActivityRecord =>
  activity({
    event_id: newId<EventId>(),
    workspace_id: workspace,
    kind,
    occurred_at: RECEIVED_AT,
    subject_id: id,
    step,
    outcome,
  })

const received = (workspace: WorkspaceId, id: SignalId) => event(workspace, id, 'signal.received')
const inserted = (workspace: WorkspaceId, id: SignalId) => event(workspace, id, 'signal.step', 'insert', 'next')

/** A signal that went all the way to a row. */
const complete = async (workspace: WorkspaceId, id: SignalId): Promise<void> => {
  await storeRow(workspace, id)
  await tell([received(workspace, id), inserted(workspace, id)])
}

const read = async (workspace: WorkspaceId) => {
  const [ledger] = await readLedgers(stores, [workspace])
  assert.ok(ledger)
  return ledger
}

describe('The ledger after a restore of Postgres to an earlier moment', () => {
  const skipped = (workspace: WorkspaceId, id: SignalId) => event(workspace, id, 'signal.step', 'dedup', 'skip')

  it('balances where repeats took the place of their originals, and counts these', async () => {
    const workspace = await aWorkspace()
    for (let pair = 0; pair < 15; pair += 1) {
      const [original = newId<SignalId>(), repeat = original, third = original] = newIds(3)
      for (const id of [original, repeat, third]) await tell([received(workspace, id)])
      await tell([inserted(workspace, original), skipped(workspace, repeat), skipped(workspace, third)])
      // They came again, the repeat first. That its original is a repeat now is told by an event that is there already.
      await storeRow(workspace, repeat)
      await storeOccurrence(workspace, original, repeat)
      await storeOccurrence(workspace, third, repeat)
      await tell([inserted(workspace, repeat)])
    }
    const ledger = await read(workspace)
    assert.deepEqual(ledger.differences, [])
    assert.deepEqual(
      [ledger.inserted, ledger.occurrences, ledger.changed_places],
      [{ postgres: 15, clickhouse: 15 }, { postgres: 30, clickhouse: 30 }, 15],
    )
    assert.equal(balanceOf([ledger], true).verdict, 'balanced')
  })

  it('does not balance where a row became a repeat of one that never was any, or is gone', async () => {
    const workspace = await aWorkspace()
    const [original = newId<SignalId>(), odd = original, lost = original, repeat = original] = newIds(4)
    await complete(workspace, original)
    await storeOccurrence(workspace, odd, original)
    await storeRow(workspace, repeat)
    for (const id of [odd, lost, repeat]) await tell([received(workspace, id), inserted(workspace, id)])
    await tell([skipped(workspace, repeat)])
    const ledger = await read(workspace)
    assert.deepEqual(
      ledger.differences.map(({ end, only_in_postgres: here, only_in_clickhouse: there }) => [
        end,
        here,
        there.toSorted(),
      ]),
      [
        ['inserted', [], [odd, lost].toSorted()],
        ['occurrences', [odd], []],
      ],
    )
    assert.deepEqual([ledger.changed_places, balanceOf([ledger], true).verdict], [0, 'unbalanced'])
  })
})

describe('The ledger of a workspace', () => {
  it('counts each signal once, where it ended, and balances', async () => {
    const workspace = await aWorkspace()
    const [row = newId<SignalId>(), repeat = row, dead = row, discarded = row] = newIds(4)
    await complete(workspace, row)
    await storeOccurrence(workspace, repeat, row)
    await tell([received(workspace, repeat), event(workspace, repeat, 'signal.step', 'dedup', 'skip')])
    for (const [id, state] of [
      [dead, 'waiting'],
      [discarded, 'discarded'],
    ] as const) {
      await storeDeadLetter(workspace, id, state)
      await tell([received(workspace, id), event(workspace, id, 'signal.dead_letter', 'normalize', 'sender')])
    }
    const ledger = await read(workspace)
    assert.deepEqual(ledger, {
      workspace_id: workspace,
      received: 4,
      inserted: { postgres: 1, clickhouse: 1 },
      occurrences: { postgres: 1, clickhouse: 1 },
      dead: { postgres: 2, clickhouse: 2 },
      dead_waiting: 1,
      dead_replayed: 0,
      dead_discarded: 1,
      erased: 0,
      erasing: 0,
      in_progress: 0,
      oldest_in_progress_at: null,
      ended_twice: 0,
      misplaced: 0,
      stranded: 0,
      recorded_twice: 0,
      without_receipt: 0,
      changed_places: 0,
      differences: [],
    })
    assert.deepEqual(balanceOf([ledger], true), { verdict: 'balanced', reasons: [] })
    assert.deepEqual(balanceOf([ledger], false, 125), {
      verdict: 'in_progress',
      reasons: ['125 records wait on the log'],
    })
  })

  it('balances before and after a repeat is taken out and has its row', async () => {
    const workspace = await aWorkspace()
    const [row = newId<SignalId>(), repeat = row] = newIds(2)
    await complete(workspace, row)
    await storeOccurrence(workspace, repeat, row)
    await tell([received(workspace, repeat), event(workspace, repeat, 'signal.step', 'dedup', 'skip')])
    const ends = async () => {
      const { inserted, occurrences, in_progress, ended_twice, recorded_twice } = await read(workspace)
      return [inserted, occurrences, in_progress, ended_twice, recorded_twice]
    }
    assert.deepEqual(await ends(), [{ postgres: 1, clickhouse: 1 }, { postgres: 1, clickhouse: 1 }, 0, 0, 0])
    await db.pool.query('delete from occurrences where id = $1', [repeat])
    await storeRow(workspace, repeat)
    await tell([inserted(workspace, repeat)])
    assert.deepEqual(await ends(), [{ postgres: 2, clickhouse: 2 }, { postgres: 0, clickhouse: 0 }, 0, 0, 0])
  })

  it('counts as a row what died first and was replayed, and what died behind its row', async () => {
    const workspace = await aWorkspace()
    const [replayed, clustered] = newIds(2)
    assert.ok(replayed && clustered)
    await storeDeadLetter(workspace, replayed, 'replayed')
    await tell([event(workspace, replayed, 'signal.dead_letter', 'normalize', 'ours')])
    await complete(workspace, replayed)
    await complete(workspace, clustered)
    await storeDeadLetter(workspace, clustered, 'waiting', 'cluster')
    await tell([event(workspace, clustered, 'signal.dead_letter', 'cluster', 'transient')])
    const ledger = await read(workspace)
    assert.deepEqual(
      [ledger.inserted, ledger.dead.postgres, ledger.dead.clickhouse],
      [{ postgres: 2, clickhouse: 2 }, 0, 0],
    )
    assert.equal(balanceOf([ledger], true).verdict, 'balanced')
  })

  it('does not balance by counts of which one is older than the other', async () => {
    const workspace = await aWorkspace()
    const [driven] = newIds(1)
    assert.ok(driven)
    await tell([received(workspace, driven), event(workspace, driven, 'signal.dead_letter', 'embed', 'transient')])
    await storeDeadLetter(workspace, driven, 'replayed', 'embed')
    await storeRow(workspace, driven)
    // ClickHouse hears of the row once it has been counted, and before ids are compared.
    let isTold = false
    const behind: LedgerStores = {
      ...stores,
      read: async (ids, work) => {
        if (!isTold) await tell([inserted(workspace, driven)])
        isTold = true
        return stores.read(ids, work)
      },
    }
    const ledgers = await readLedgers(behind, [workspace])
    assert.deepEqual(ledgers[0]?.inserted, { postgres: 1, clickhouse: 0 })
    assert.equal(balanceOf(ledgers, null).verdict, 'in_progress')
    assert.equal(balanceOf(ledgers, true).verdict, 'in_progress')
    assert.equal(balanceOf([await read(workspace)], true).verdict, 'balanced')
  })

  it('knows what is on its way, and that it is lost once nothing waits on the log', async () => {
    const workspace = await aWorkspace()
    const [waiting] = newIds(1)
    assert.ok(waiting)
    await tell([received(workspace, waiting), event(workspace, waiting, 'signal.step', 'embed', 'retry')])
    const ledger = await read(workspace)
    assert.equal(ledger.in_progress, 1)
    assert.equal(new Date(ledger.oldest_in_progress_at ?? '').getTime(), RECEIVED_AT)
    assert.equal(balanceOf([ledger], false).verdict, 'in_progress')
    assert.equal(balanceOf([ledger], null).verdict, 'in_progress')
    assert.equal(balanceOf([ledger], true).verdict, 'unbalanced')
  })

  it('names ids that one store has and the other has not, though both have as many', async () => {
    const workspace = await aWorkspace()
    const ids = newIds(20)
    for (const id of ids.slice(1)) await complete(workspace, id)
    const [stored, recorded] = [ids[0], newId<SignalId>()]
    assert.ok(stored)
    await storeRow(workspace, stored)
    await tell([received(workspace, recorded), inserted(workspace, recorded)])
    const ledger = await read(workspace)
    assert.deepEqual(ledger.inserted, { postgres: 20, clickhouse: 20 })
    assert.deepEqual(ledger.differences, [
      { end: 'inserted', only_in_postgres: [stored], only_in_clickhouse: [recorded] },
    ])
    assert.deepEqual(balanceOf([ledger], true), {
      verdict: 'unbalanced',
      reasons: [`${workspace}: inserted: 20 in Postgres, 20 in ClickHouse, not the same ids`],
    })
    assert.equal(balanceOf([ledger], false).verdict, 'in_progress')
  })

  it('counts evidence on a claim that was merged away, which never balances, and signals that have lost their claim', async () => {
    const workspace = await aWorkspace()
    const [hung, lost, fresh] = newIds(3)
    assert.ok(hung && lost && fresh)
    for (const id of [hung, lost, fresh]) await complete(workspace, id)
    await db.pool.query(
      `begin; set local session_replication_role = replica;
       insert into claims (id, workspace_id, number, kind, title) values
         ('${hung}', '${workspace}', 1, 'problem', 'Away'), ('${lost}', '${workspace}', 2, 'problem', 'Survivor');
       update claims set merged_into = '${lost}' where id = '${hung}';
       insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
         values ('${workspace}', '${hung}', '${hung}', 'cluster', 'test', 'It started the claim.');
       update signals set inserted_at = now() - interval '2 hours' where id in ('${hung}', '${lost}'); commit`,
    )
    const ledger = await read(workspace)
    assert.deepEqual([ledger.misplaced, ledger.stranded], [1, 1], 'what has just come may still be clustered')
    assert.deepEqual(balanceOf([ledger], true), {
      verdict: 'unbalanced',
      reasons: [
        `${workspace}: 1 piece of evidence hangs on a claim that was merged away`,
        `${workspace}: 1 problem or idea is evidence of no claim`,
      ],
    })
    assert.equal(balanceOf([{ ...ledger, misplaced: 0 }], false).verdict, 'in_progress')
  })

  it('finds what is in two places, told twice, or ended without a receipt, whatever is on its way', async () => {
    const [two, twice, unreceived] = [await aWorkspace(), await aWorkspace(), await aWorkspace()]
    const [first, second, third] = newIds(3)
    assert.ok(first && second && third)
    await complete(two, first)
    await storeOccurrence(two, first, first)
    await tell([event(two, first, 'signal.step', 'dedup', 'skip')])
    await storeRow(twice, second)
    const recorded = inserted(twice, second)
    await tell([received(twice, second), recorded])
    await tell([recorded])
    await storeRow(unreceived, third)
    await tell([inserted(unreceived, third)])

    const ledgers = await readLedgers(stores, [two, twice, unreceived])
    assert.deepEqual(
      ledgers.map(({ ended_twice, recorded_twice, without_receipt }) => [ended_twice, recorded_twice, without_receipt]),
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    )
    for (const ledger of ledgers) assert.equal(balanceOf([ledger], false).verdict, 'unbalanced')
    const { ended_twice, recorded_twice, without_receipt, inserted: rows } = totalOf(ledgers)
    assert.deepEqual([ended_twice, recorded_twice, without_receipt, rows.postgres, rows.clickhouse], [1, 1, 1, 3, 3])
  })

  it('shows at most ten of many ids that differ', async () => {
    const workspace = await aWorkspace()
    for (const id of newIds(40)) await storeRow(workspace, id)
    const [difference] = (await read(workspace)).differences
    assert.equal(difference?.only_in_postgres.length, 10)
    assert.deepEqual(difference?.only_in_clickhouse, [])
  })
})

describe('The ledgers of large workspaces', () => {
  it('are answered as they were counted within a minute, and counted anew for the next who asks', async () => {
    const workspace = await aWorkspace()
    const [row = newId<SignalId>(), next = row, last = row] = newIds(3)
    await complete(workspace, row)
    let now = 1_000_000
    const ledgers = createKeptLedgers(() => now, 1)
    const count = async () => {
      const { ledger, countedAt } = await ledgers.count(stores, workspace)
      return [ledger.received, countedAt]
    }
    assert.deepEqual(await count(), [1, 1_000_000])
    await complete(workspace, next)
    now += 5000
    assert.deepEqual(await count(), [1, 1_000_000])
    now += 20_000
    assert.deepEqual(await count(), [1, 1_000_000])
    await ledgers.idle()
    assert.deepEqual(await count(), [2, 1_025_000])
    await complete(workspace, last)
    now += 61_000
    assert.deepEqual(await count(), [3, 1_086_000])
  })

  it('are counted each time where the workspace is small', async () => {
    const workspace = await aWorkspace()
    const ledgers = createKeptLedgers(() => 0)
    for (const id of newIds(2)) await complete(workspace, id)
    assert.equal((await ledgers.count(stores, workspace)).ledger.received, 2)
    for (const id of newIds(1)) await complete(workspace, id)
    assert.equal((await ledgers.count(stores, workspace)).ledger.received, 3)
  })
})
