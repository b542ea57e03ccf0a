import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import { arrivingImports, countArrived } from '../../../model/transfers/arrivals.ts'
import { eraseKit } from '../../../processors/jobs/erase/testing.ts'
import { importKit } from '../../../processors/jobs/import/testing.ts'
import { inWorkspace } from '../../../processors/jobs/in-workspace.ts'
import { createLeases } from '../../../processors/jobs/runner.ts'
import { newId, type SignalId } from '../../../schemas/domain/ids.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let clickHouse: TestAnalytics
before(async () => {
  clickHouse = await startTestAnalytics()
  kit = await startOperations(clickHouse.analytics)
})
after(async () => {
  await kit.stop()
  await clickHouse.stop()
})
const erasing = eraseKit(
  () => kit.database,
  () => clickHouse,
)
const { bring, deliver } = importKit(() => kit.database)

const query = async (statement: string, values: readonly unknown[]) =>
  (await kit.database.pool.query(statement, [...values])).rows

/** Does the erasures that were started, as the processors do. */
const erase = async (): Promise<void> => {
  const leases = createLeases(kit.database.database, 60_000)
  for (let held = await leases.take(['erase']); held !== null; held = await leases.take(['erase'])) {
    const { id: jobId, workspace_id: workspaceId, input, cursor } = held
    await leases.store(held, await erasing.job().slice({ jobId, workspaceId, input, cursor }))
  }
}

/** Counts what has arrived of the imports, as the processors do. */
const countArrivals = async (): Promise<void> => {
  const { database } = kit.database
  for (const transfer of await database.transaction({ role: 'assay_accounts' }, arrivingImports))
    await inWorkspace({ database }, transfer.workspace_id)(transaction => countArrived(transaction, transfer))
}

const SAID = 'The export of large boards fails with an error every time we try it'
const FILE = `ticket,text,who
1,${SAID},Ana
2,${SAID},Ben
3,Please add a dark mode to the calendar,Ben
4,The invoices have the wrong address on them,Cleo
5,Wo finde ich die Rechnung vom letzten Monat?,Dora
`

/** Brings the file, and has ClickHouse know of it. */
const brought = async (workspace: Workspace) => {
  const { id, report } = await bring(workspace.id, FILE)
  await deliver()
  const idsOf = async (table: string) =>
    (await query(`select id from ${table} where workspace_id = $1`, [workspace.id])).map(row => row.id as SignalId)
  await erasing.tell(workspace.id, await idsOf('signals'), 'insert', 'next')
  await erasing.tell(workspace.id, await idsOf('occurrences'), 'dedup', 'skip')
  return { id, report }
}

const countsOf = async ({ id }: Workspace) => {
  const [counts] = await query(
    `select (select count(*)::int from signals where workspace_id = $1) as signals,
       (select count(*)::int from occurrences where workspace_id = $1) as repeats,
       (select count(*)::int from imported_rows where workspace_id = $1) as rows,
       (select count(*)::int from claim_evidence where workspace_id = $1) as evidence,
       (select count(*)::int from solution_evidence where workspace_id = $1) as behind,
       (select count(*)::int from actor_weights where workspace_id = $1) as weights`,
    [id],
  )
  return counts
}

describe('An import that is taken back', () => {
  it('says first what is built on it, leaves nothing and no figure, and can be imported again', async () => {
    const workspace = await kit.workspace()
    const { id } = await brought(workspace)
    const { evidence } = await countsOf(workspace)
    const [claim] = await query(
      `select claims.id, 'CLM-' || claims.number as reference, signals.id as signal_id from signals
       join claim_evidence on signal_id = signals.id join claims on claims.id = claim_id
       where signals.workspace_id = $1 and signals.number = 2`,
      [workspace.id],
    )
    await workspace.call('service_decide', 'create_solution', {
      title: 'A dark mode',
      claim_ids: [claim.reference],
      comment: 'Asked for often.',
    })
    await workspace.inApp('write_comment', { id: claim.reference, text: 'Ben asked again.' })
    await workspace.inApp('add_map_nodes', { nodes: [{ name: 'Calendar' }] })
    await workspace.inApp('move_signal', { signal_id: claim.signal_id, node_id: 'Calendar' })
    const theme = newId()
    await query(
      `insert into themes (id, workspace_id, number, name, found_at, changed_at) values ($2, $1, 1, 'dark', now(), now())`,
      [workspace.id, theme],
    )
    await query(
      `insert into theme_members (workspace_id, theme_id, signal_id, likeness, quote_start, quote_length)
       values ($1, $2, $3, 1, 0, 10)`,
      [workspace.id, theme, claim.signal_id],
    )
    await workspace.inApp('update_theme', { theme_id: 'THM-1', name: 'Dark at night' })
    const confirm = 'Test workspace'

    await countArrivals()
    const { data: listed } = await workspace.inApp('list_transfers', {})
    assert.equal(listed.items[0].repeats, 1)
    const { data: found } = await workspace.inApp('preview_take_back', { id })
    assert.partialDeepStrictEqual(found, {
      ...{ signals: 4, repeats: 1, triaged: 0, repeats_of_others: 0, claims_kept: 0, comments: 1 },
      solutions: { count: 1, items: [{ reference: 'SOL-1', title: 'A dark mode' }] },
      themes: { count: 1, items: [{ reference: 'THM-1', name: 'Dark at night' }] },
      nodes: { count: 1, names: ['Calendar'] },
    })
    assert.ok(found.claims_emptied >= 3 && found.decisions >= 1)
    await assert.rejects(workspace.inApp('take_back_import', { id, confirm }, 'member'), failsWith('forbidden'))
    await assert.rejects(
      workspace.inApp('take_back_import', { id, confirm: 'Other' }),
      failsWith('invalid_input', /not the name/),
    )
    assert.equal((await workspace.inApp('take_back_import', { id, confirm })).data.state, 'taken_back')
    assert.equal((await workspace.inApp('take_back_import', { id, confirm })).data.state, 'taken_back')
    assert.equal((await query('select id from erasures where workspace_id = $1', [workspace.id])).length, 1)
    await erase()
    await workspace.inApp('take_back_import', { id, confirm })
    await erasing.relay(workspace.id)

    const nothing = { signals: 0, repeats: 0, rows: 0, evidence: 0, behind: 0, weights: 0 }
    assert.deepEqual(await countsOf(workspace), nothing)
    assert.deepEqual(await query('select state from merge_proposals where workspace_id = $1', [workspace.id]), [])
    assert.deepEqual((await erasing.ledgerOf(workspace.id)).verdict, 'balanced')
    const [erasure] = await query('select erased_signals, proof from erasures where workspace_id = $1', [workspace.id])
    assert.equal(erasure.erased_signals, 5)
    assert.deepEqual(
      erasure.proof.filter((line: { found: number | null }) => line.found !== 0 && line.found !== null),
      [],
    )

    const again = await brought(workspace)
    assert.partialDeepStrictEqual(again.report, { accepted: 5, known: 0 })
    assert.partialDeepStrictEqual(await countsOf(workspace), { signals: 4, repeats: 1, rows: 5, evidence })
    assert.deepEqual((await erasing.ledgerOf(workspace.id)).verdict, 'balanced')
  })

  it('leaves what others repeat of it to them, and what another import brought', async () => {
    const workspace = await kit.workspace()
    const first = await bring(workspace.id, 'ticket,text,who\n9,The search never finds my boards,Ana\n')
    await deliver()
    const { id } = await brought(workspace)
    const [original] = await query('select id from signals where workspace_id = $1 and text = $2', [workspace.id, SAID])
    const repeat = await erasing.repeat(workspace.id, original.id, SAID, { actor_name: 'Somebody else' })
    await erasing.tell(workspace.id, [repeat], 'dedup', 'skip')
    const { data: found } = await workspace.inApp('preview_take_back', { id })
    assert.deepEqual([found.signals, found.repeats_of_others, found.claims_kept], [4, 1, 1])
    await workspace.inApp('take_back_import', { id, confirm: 'Test workspace' })
    await erase()
    await erasing.relay(workspace.id)
    const left = await query('select text, actor_name from signals where workspace_id = $1 order by number', [
      workspace.id,
    ])
    assert.deepEqual(left, [
      { text: 'The search never finds my boards', actor_name: 'Ana' },
      { text: SAID, actor_name: 'Somebody else' },
    ])
    assert.deepEqual((await erasing.ledgerOf(workspace.id)).verdict, 'balanced')
    assert.partialDeepStrictEqual(
      (await bring(workspace.id, 'ticket,text,who\n9,The search never finds my boards,Ana\n')).report,
      { known: 1 },
    )
    assert.equal((await workspace.inApp('preview_take_back', { id: first.id })).data.signals, 1)
  })

  it('is one of Signals that has ended', async () => {
    const workspace = await kit.workspace()
    const { id } = await bring(workspace.id, FILE)
    await query(`update jobs set state = 'running', finished_at = null where workspace_id = $1`, [workspace.id])
    await assert.rejects(workspace.inApp('preview_take_back', { id }), failsWith('conflict', /wait for its end/))
    await query(`update jobs set state = 'done', finished_at = now() where workspace_id = $1`, [workspace.id])
    await query(`update transfers set format = 'workspace' where id = $1`, [id])
    await assert.rejects(workspace.inApp('preview_take_back', { id }), failsWith('conflict', /of Signals/))
  })
})
