import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { LEAST_CHANCE } from '../../../model/merges/proposal-bar.ts'
import { ANALYTICS_TABLES } from '../../../model/sandbox/empty-sandbox.ts'
import { SAMPLE_COUNTS } from '../../../model/sandbox/fill-sandbox.ts'
import { DAYS, METRICS } from '../../../model/sandbox/story/product.ts'
import { REPEATS, sampleSignals } from '../../../model/sandbox/story/signals.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { insertActivity, walked } from '../testing-activity.ts'
import { seedEverything } from '../testing-seed.ts'

let clickHouse: TestAnalytics
let kit: OperationsKit
let away = false

before(async () => {
  clickHouse = await startTestAnalytics()
  const { analytics } = clickHouse
  const remove: typeof analytics.remove = (...asked) =>
    away ? Promise.reject(new AssayError('unavailable', 'ClickHouse is away.')) : analytics.remove(...asked)
  kit = await startOperations({ ...analytics, remove })
})
after(async () => {
  await kit?.stop()
  await clickHouse?.stop()
})

const sandbox = async (): Promise<Workspace> => {
  const workspace = await kit.workspace()
  await kit.database.pool.query('update workspaces set sandbox = true where id = $1', [workspace.id])
  return workspace
}

const tablesOfWorkspaces = async (): Promise<string[]> => {
  const { rows } = await kit.database.pool.query<{ table_name: string }>(
    `select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE' order by 1`,
  )
  return rows.map(({ table_name }) => table_name)
}

/** Every row of a workspace as text, by table. */
const everythingOf = async (id: WorkspaceId): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>()
  for (const table of await tablesOfWorkspaces()) {
    const select = `select t::text as row from ${table} t where workspace_id = $1 order by 1`
    const { rows } = await kit.database.pool.query<{ row: string }>(select, [id])
    found.set(
      table,
      rows.map(({ row }) => row),
    )
  }
  return found
}

const importedActivity = async (id: WorkspaceId, table: string): Promise<number> => {
  const statement = `SELECT count() AS told FROM ${table} WHERE workspace_id = {id: UUID}`
  const [row] = await clickHouse.analytics.query<{ told: number }>(statement, { id })
  return row?.told ?? 0
}

/** With something in every table of both stores. */
const filled = async (workspace: Workspace, word: string): Promise<void> => {
  await seedEverything(kit, workspace, word)
  const { rows } = await kit.database.pool.query('select id from signals where workspace_id = $1 limit 1', [
    workspace.id,
  ])
  await insertActivity(clickHouse.analytics, workspace.id, kit.now, walked(rows[0].id, 'cluster', 'next'))
}

describe('reset_sandbox', () => {
  beforeEach(() => {
    // The sums that evidence is kept in are by the database's clock.
    kit.now = new Date()
  })

  it('has the Decisions by which its Solutions were moved, which the board shows and a reversal takes back', async () => {
    const workspace = await sandbox()
    await workspace.inApp('reset_sandbox')
    const { data } = await workspace.inApp('list_board', { state: 'Planned' })
    const { decision } = data.items.find(({ reference }: { reference: string }) => reference === 'SOL-13')
    assert.match(decision.text, /^Amex goes ahead/)
    await workspace.inApp('reverse_decision', { decision_id: decision.reference })
    const { data: solution } = await workspace.inApp('lookup_solution', { id: 'SOL-13' })
    assert.equal(solution.state, 'Backlog')
  })

  it('fills an empty sandbox with sample data that every part of the product can read', async () => {
    const workspace = await sandbox()
    const { data } = await workspace.inApp('reset_sandbox')
    assert.deepEqual(data, SAMPLE_COUNTS)
    const snapshot = (await workspace.call('service_orient', 'snapshot')).data
    assert.equal(snapshot.counts.signals, SAMPLE_COUNTS.signals)
    assert.equal(snapshot.counts.sources, 8)
    const { data: triage } = await workspace.call('service_lookup', 'triage', { limit: 100 })
    assert.ok(triage.items.length >= 15)
    assert.ok((await workspace.call('service_lookup', 'proposals')).data.count >= 5)
    const { data: backlog } = await workspace.call('service_lookup', 'backlog')
    assert.ok(backlog.items.some(({ title }: { title: string }) => title === 'Scheduled exports'))
    const { data: solution } = await workspace.call('service_lookup', 'solution', { id: 'SOL-5', depth: 'full' })
    assert.match(JSON.stringify(solution), /Large CSV exports time out/)
    const { data: map } = await workspace.call('service_map', 'read', { depth: 'full' })
    assert.match(JSON.stringify(map), /Export success rate/)
    const { data: search } = await workspace.call('service_lookup', 'search', { query: 'export of orders times out' })
    assert.match(JSON.stringify(search), /times? out/)
    const { rows } = await kit.database.pool.query(
      `select count(distinct source) as sources, count(distinct channel) as channels from signals where workspace_id = $1`,
      [workspace.id],
    )
    assert.deepEqual(rows, [{ sources: 4, channels: 4 }])
  })

  it('shows likenesses that this installation finds: as near as two signals of the claims are, and as likely', async () => {
    const workspace = await sandbox()
    await workspace.inApp('reset_sandbox')
    const { rows } = await kit.database.pool.query<{
      similarity: number
      chance: number
      reason: string
      near: number
    }>(
      `select similarity, chance, reason, (
         select min(abs(1 - (one.embedding <=> other.embedding) - similarity))
         from claim_evidence left_side join signal_vectors one on one.signal_id = left_side.signal_id
         cross join claim_evidence right_side join signal_vectors other on other.signal_id = right_side.signal_id
         where left_side.claim_id = proposal.claim_id and right_side.claim_id = proposal.candidate_claim_id) as near
       from merge_proposals proposal where workspace_id = $1 and state = 'waiting'`,
      [workspace.id],
    )
    assert.ok(rows.length >= 5)
    for (const { similarity, chance, near } of rows) {
      assert.ok(near < 0.001, `no two signals are at ${similarity}`)
      assert.ok(chance >= LEAST_CHANCE)
    }
    assert.ok(rows.some(({ reason }) => /in other words/.test(reason)))
  })

  it('has a year with what goes well and what does not: merges to decide, a missed Outcome, a Review, a dead letter', async () => {
    const workspace = await sandbox()
    await workspace.inApp('reset_sandbox')
    const { data: claim } = await workspace.call('service_lookup', 'claim', { id: 'CLM-7' })
    assert.match(claim.title, /spam folder/, 'a claim that was merged leads to the one that stays')
    const { items } = (await workspace.call('service_lookup', 'proposals')).data
    const chances = items.map(({ chance }: { chance: number }) => chance)
    assert.deepEqual(
      chances,
      chances.toSorted((one: number, other: number) => other - one),
    )
    const outcomes = await workspace.call('service_lookup', 'outcome', { id: 'SOL-2' })
    assert.match(JSON.stringify(outcomes), /missed/)
    const { data: reviews } = await workspace.inApp('read_reviews')
    assert.deepEqual(
      reviews.items.map(({ title }: { title: string }) => title),
      ['The last six months'],
    )
    const { rows } = await kit.database.pool.query(
      'select record, signal_id from dead_letters where workspace_id = $1 and state = $2 and not sealed',
      [workspace.id, 'waiting'],
    )
    assert.equal(rows.length, 1)
    const { data: dead } = await workspace.call('service_support', 'dead_letter', { signal_id: rows[0].signal_id })
    assert.match(dead.record.content.text, /Lieferschein/)
  })

  it('tells the activity of the sample data through the log, every signal from its receipt to its end', async () => {
    const workspace = await sandbox()
    await workspace.inApp('reset_sandbox')
    const { rows } = await kit.database.pool.query(
      `select activity ->> 'kind' as kind, count(*)::int as count from outbox where workspace_id = $1 group by 1 order by 1`,
      [workspace.id],
    )
    const told = SAMPLE_COUNTS.signals + REPEATS.length
    const upTo = (step: StepName): number => STEPS.indexOf(step) + 1
    const counts = Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
    assert.deepEqual(counts, {
      'code_host.event': sampleSignals().filter(({ sender }) => sender === 'code').length,
      'metric.received': Object.keys(METRICS).length * DAYS.length,
      'signal.received': told + 1,
      'signal.dead_letter': 1,
      'signal.step': SAMPLE_COUNTS.signals * STEPS.length + REPEATS.length * upTo('dedup') + upTo('embed'),
      'source.refused': 3,
      'tool.call': 1,
    })
    const { rows: unused } = await kit.database.pool.query(
      `select name from sources where workspace_id = $1
         and id::text not in (select activity ->> 'source_id' from outbox where workspace_id = $1)`,
      [workspace.id],
    )
    assert.deepEqual(unused, [])
  })

  it('removes whatever was there, from both stores, and leaves who may enter', async () => {
    const workspace = await sandbox()
    await filled(workspace, 'trumpet')
    const before = await everythingOf(workspace.id)
    await workspace.inApp('reset_sandbox')
    const now = await everythingOf(workspace.id)
    for (const table of ['members', 'mcp_keys', 'invitations'])
      assert.deepEqual(now.get(table), before.get(table), table)
    // Who did what is told whatever becomes of it.
    const kept = ['members', 'mcp_keys', 'invitations', 'sources', 'audit_log']
    for (const [table, rows] of now) {
      if (kept.includes(table)) continue
      assert.doesNotMatch(rows.join('\n'), /trumpet/, table)
      const same = rows.filter(row => before.get(table)?.includes(row))
      // What has no id of its own may be alike.
      if (!['map_revisions', 'reference_counters', 'signal_counts'].includes(table)) assert.deepEqual(same, [], table)
    }
    const { rows: open } = await kit.database.pool.query(
      'select name from sources where workspace_id = $1 and deleted_at is null order by 1',
      [workspace.id],
    )
    assert.ok(!open.some(({ name }) => /trumpet/.test(name)))
    for (const table of ANALYTICS_TABLES) assert.equal(await importedActivity(workspace.id, table), 0, table)
  })

  it('touches no other workspace, whatever it is', async () => {
    const [workspace, otherSandbox, other] = [await sandbox(), await sandbox(), await kit.workspace()]
    await filled(other, 'harp')
    await filled(otherSandbox, 'flute')
    const before = [await everythingOf(other.id), await everythingOf(otherSandbox.id)]
    const told = [
      await importedActivity(other.id, 'activity'),
      await importedActivity(otherSandbox.id, 'activity_by_day'),
    ]
    await workspace.inApp('reset_sandbox')
    await workspace.inApp('reset_sandbox')
    assert.deepEqual([await everythingOf(other.id), await everythingOf(otherSandbox.id)], before)
    assert.deepEqual(
      [await importedActivity(other.id, 'activity'), await importedActivity(otherSandbox.id, 'activity_by_day')],
      told,
    )
    assert.ok(told.every(count => count > 0))
  })

  it('is refused in a workspace that is none, which keeps everything', async () => {
    const workspace = await kit.workspace()
    await filled(workspace, 'cello')
    const before = await everythingOf(workspace.id)
    await assert.rejects(workspace.inApp('reset_sandbox'), /no sandbox, and nothing of it was changed/)
    assert.deepEqual(await everythingOf(workspace.id), before)
    assert.ok((await importedActivity(workspace.id, 'activity')) > 0)
  })

  it('is for owners in the app', async () => {
    const workspace = await sandbox()
    for (const role of ['member', 'viewer'] as const)
      await assert.rejects(workspace.inApp('reset_sandbox', {}, role), /needs the role owner/)
  })

  it('changes nothing while the analytics are away, and can be asked for again', async () => {
    const workspace = await sandbox()
    await workspace.inApp('reset_sandbox')
    const before = await everythingOf(workspace.id)
    away = true
    try {
      await assert.rejects(workspace.inApp('reset_sandbox'), /away/)
    } finally {
      away = false
    }
    assert.deepEqual(await everythingOf(workspace.id), before)
    await workspace.inApp('reset_sandbox')
  })

  it('gives the same numbers each time, and vectors places that nobody has followed yet', async () => {
    const workspace = await sandbox()
    const places = async () => {
      const { rows } = await kit.database.pool.query(
        'select min(place) as first, max(place) as last, count(*)::int as count from signal_vectors where workspace_id = $1',
        [workspace.id],
      )
      return rows[0]
    }
    await workspace.inApp('reset_sandbox')
    const { signals: count } = SAMPLE_COUNTS
    assert.deepEqual(await places(), { first: 1, last: count, count })
    const first = (await workspace.call('service_lookup', 'claim', { id: 'CLM-2' })).data
    await workspace.inApp('reset_sandbox')
    assert.deepEqual(await places(), { first: count + 1, last: 2 * count, count })
    const second = (await workspace.call('service_lookup', 'claim', { id: 'CLM-2' })).data
    assert.equal(second.title, first.title)
    assert.notEqual(second.id, first.id)
  })
})

it('forgets every table of ClickHouse that holds something of workspaces', async () => {
  const rows = await clickHouse.analytics.query<{ table: string }>(
    `SELECT DISTINCT table FROM system.columns JOIN system.tables AS tables ON tables.name = table AND tables.database = database
     WHERE database = currentDatabase() AND name = 'workspace_id' AND tables.engine NOT LIKE '%View%' AND table NOT LIKE '.inner%'
     ORDER BY table`,
  )
  assert.deepEqual(rows.map(({ table }) => table).toSorted(), [...ANALYTICS_TABLES].toSorted())
})
