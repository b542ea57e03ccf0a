import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import { titleOf } from '../../../model/claims/titles.ts'
import { TAKEN_BACK } from '../../../model/erasures/emptied-claims.ts'
import { apart } from '../../../model/merges/propose-merges.ts'
import { eraseKit } from '../../../processors/jobs/erase/testing.ts'
import { importKit } from '../../../processors/jobs/import/testing.ts'
import { createLeases } from '../../../processors/jobs/runner.ts'
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

const fileOf = (rows: readonly (readonly [number, string])[]) =>
  `ticket,text,who\n${rows.map(([number, text]) => `${number},${text},Ana`).join('\n')}\n`

const ROWS: readonly (readonly [number, string])[] = [
  [1, 'The export of large boards fails with an error'],
  [2, 'The calendar shows the wrong week after midnight'],
  [3, 'Please add a dark mode to the reports'],
  [4, 'The invoices have the wrong address on them'],
  [5, 'The export of large boards fails with an error'],
]
const reworded = (...numbers: readonly number[]) =>
  ROWS.map(([number, text]) => [number, numbers.includes(number) ? `Once more of ticket ${number}` : text] as const)

const brought = async (workspace: Workspace, rows = ROWS) => {
  const found = await bring(workspace.id, fileOf(rows))
  await deliver()
  return found
}

const takeBack = async (workspace: Workspace, id: string) => {
  await workspace.inApp('take_back_import', { id, confirm: 'Test workspace' })
  const leases = createLeases(kit.database.database, 60_000)
  for (let held = await leases.take(['erase']); held !== null; held = await leases.take(['erase'])) {
    const { id: jobId, workspace_id: workspaceId, input, cursor } = held
    await leases.store(held, await erasing.job().slice({ jobId, workspaceId, input, cursor }))
  }
}

/** What is written in each row of the desk, whatever it is stored as. */
const textsOf = async ({ id }: Workspace) =>
  query(
    `select text, metadata from signals where workspace_id = $1
     union all select text, metadata from occurrences where workspace_id = $1 order by 2, 1`,
    [id],
  )

const claimsOf = ({ id }: Workspace) =>
  query(
    `select title, state, kind, (select count(*)::int from claim_evidence where claim_id = claims.id) as evidence
     from claims where workspace_id = $1 and merged_into is null order by title, evidence`,
    [id],
  )

/** What every claim is called and says, also one that was merged. */
const wordsOf = ({ id }: Workspace) =>
  query('select title, statement, state, merged_into from claims where workspace_id = $1 order by number', [id])

/**
 * The pairs that people are asked about, or may ask for, and what decides which, each with its chance before the ids of
 * the pair lowered it.
 */
const pairsOf = ({ id }: Workspace) =>
  query(
    `select state, round((chance / ${apart('1', 'id')})::numeric, 6) as chance,
       coalesce((select array[bar, shift, learned_from] from proposal_bars where workspace_id = $1), '{0,0,0}') as bar
     from merge_proposals where workspace_id = $1 order by state, merge_proposals.chance`,
    [id],
  )

const claimOf = async ({ id }: Workspace, text: string) =>
  (
    await query(
      `select 'CLM-' || claims.number as reference, claims.id, signals.id as signal_id from signals
       join claim_evidence on signal_id = signals.id join claims on claims.id = claim_id
       where signals.workspace_id = $1 and signals.text = $2`,
      [id, text],
    )
  )[0] ?? assert.fail(text)

const withoutClaim = async ({ id }: Workspace) =>
  query(
    `select text from signals where workspace_id = $1 and classification in ('problem', 'idea')
       and not exists (select from claim_evidence where signal_id = signals.id)`,
    [id],
  )

describe('Edits of an import', () => {
  it('are taken back with it: words, claims and what the next check compares', async () => {
    const workspace = await kit.workspace()
    await brought(workspace)
    const [texts, claims] = [await textsOf(workspace), await claimsOf(workspace)]
    const { id, report } = await brought(workspace, reworded(1, 3, 5))
    assert.partialDeepStrictEqual(report, { known: 5, changed: 3 })
    assert.notDeepEqual(await textsOf(workspace), texts)
    const { data: found } = await workspace.inApp('preview_take_back', { id })
    assert.deepEqual([found.signals, found.repeats, found.edits, found.edits_kept], [0, 0, 3, 0])
    await takeBack(workspace, id)
    assert.deepEqual(await textsOf(workspace), texts)
    assert.deepEqual(await claimsOf(workspace), claims)
    assert.deepEqual(await query('select * from imported_edits where workspace_id = $1', [workspace.id]), [])
    assert.partialDeepStrictEqual((await brought(workspace, reworded(1, 3, 5))).report, { known: 5, changed: 3 })
  })

  it('give claims their words back, whichever sentence it was, also those of merged ones', async () => {
    const workspace = await kit.workspace()
    const atNight = 'We print the reports at night. Please add a dark mode to them.'
    const rows = ROWS.map(([number, text]) => [number, number === 3 ? atNight : text] as const)
    await brought(workspace, rows)
    const [exports, calendar, dark, invoices] = await Promise.all(
      rows.slice(0, 4).map(([, text]) => claimOf(workspace, text)),
    )
    const [first = '', second = ''] = atNight.split(/(?<=\.) /)
    await workspace.inApp('update_claim', {
      claim_id: dark.reference,
      title: titleOf(atNight) === first ? second : first,
    })
    for (const [merged, survivor] of [
      [exports, calendar],
      [calendar, invoices],
    ])
      await workspace.inApp('merge_claims', { claim_id: merged.reference, into_claim_id: survivor.reference })
    const before = await wordsOf(workspace)
    const { id } = await brought(workspace, reworded(1, 2, 3, 4))
    assert.deepEqual(
      (await wordsOf(workspace)).map(({ title }) => title),
      [1, 2, 3, 4].map(number => `Once more of ticket ${number}`),
    )
    await takeBack(workspace, id)
    assert.deepEqual(await wordsOf(workspace), before)
  })

  it('stay where something has changed the signal since, and a later import is taken back behind both', async () => {
    const workspace = await kit.workspace()
    await brought(workspace)
    const texts = await textsOf(workspace)
    const second = await brought(workspace, reworded(2, 3))
    const third = await brought(
      workspace,
      reworded(2, 3).map(([number, text]) => [number, number === 3 ? 'Something else by now' : text] as const),
    )
    const { data: found } = await workspace.inApp('preview_take_back', { id: second.id })
    assert.deepEqual([found.edits, found.edits_kept], [1, 1])
    await takeBack(workspace, second.id)
    const between = (await textsOf(workspace)).map(({ text }) => text)
    assert.deepEqual(
      ROWS.map(([number, text]) => between.includes(number === 3 ? 'Something else by now' : text)),
      ROWS.map(() => true),
    )
    await takeBack(workspace, third.id)
    assert.deepEqual(await textsOf(workspace), texts)
  })

  it('are none where all of it was here: nothing is taken back, and the answer says so', async () => {
    const workspace = await kit.workspace()
    await brought(workspace)
    const { id } = await brought(workspace)
    await assert.rejects(
      workspace.inApp('take_back_import', { id, confirm: 'Test workspace' }),
      failsWith('conflict', /nothing to take back/),
    )
    assert.deepEqual(await query('select id from erasures where workspace_id = $1', [workspace.id]), [])
  })

  it('go with their signal, when that is erased', async () => {
    const workspace = await kit.workspace()
    const first = await brought(workspace)
    await brought(workspace, reworded(2))
    assert.equal((await query('select * from imported_edits where workspace_id = $1', [workspace.id])).length, 1)
    await takeBack(workspace, first.id)
    assert.deepEqual(await query('select * from imported_edits where workspace_id = $1', [workspace.id]), [])
  })
})

describe('An import that was taken back, and comes again', () => {
  it('has as many claims as the first time, whatever people had made of it', async () => {
    const workspace = await kit.workspace()
    const { id } = await brought(workspace)
    const [claims, pairs] = [await claimsOf(workspace), await pairsOf(workspace)]
    const [exports, calendar, dark, invoices] = await Promise.all(
      ROWS.slice(0, 4).map(([, text]) => claimOf(workspace, text)),
    )
    const gather = (signals: readonly { readonly signal_id: string }[]) =>
      workspace.inApp('triage_signals', {
        action: 'gather',
        signal_ids: signals.map(({ signal_id }) => signal_id),
        makes_solution: true,
      })
    await gather([exports, calendar])
    await workspace.inApp('merge_claims', { claim_id: dark.reference, into_claim_id: invoices.reference })
    await takeBack(workspace, id)
    assert.deepEqual(await claimsOf(workspace), [
      { title: TAKEN_BACK, state: 'dismissed', kind: 'problem', evidence: 0 },
    ])
    assert.deepEqual(await query('select id from merges where workspace_id = $1', [workspace.id]), [])

    await brought(workspace)
    assert.deepEqual(
      (await claimsOf(workspace)).filter(({ title }) => title !== TAKEN_BACK),
      claims,
    )
    assert.deepEqual(await pairsOf(workspace), pairs)
    assert.deepEqual(await withoutClaim(workspace), [])
    const again = await Promise.all(ROWS.slice(0, 2).map(([, text]) => claimOf(workspace, text)))
    const { data } = await gather(again)
    assert.equal(data.solution.reference, 'SOL-2')
    assert.equal((await gather(again)).data.solution.reference, 'SOL-2')
  })

  it('leaves a merged claim the words of what came through it', async () => {
    const workspace = await kit.workspace()
    await brought(workspace)
    const { id } = await brought(workspace, [[6, 'The search is slow on large boards']])
    const [search, calendar, dark] = await Promise.all(
      ['The search is slow on large boards', ROWS[1]?.[1] ?? '', ROWS[2]?.[1] ?? ''].map(text =>
        claimOf(workspace, text),
      ),
    )
    await workspace.inApp('attach_evidence', {
      signal_id: calendar.signal_id,
      claim_id: search.reference,
      reason: 'It is slow, too.',
    })
    await workspace.inApp('merge_claims', { claim_id: search.reference, into_claim_id: dark.reference })
    await takeBack(workspace, id)
    assert.deepEqual(
      (await wordsOf(workspace)).filter(({ merged_into }) => merged_into === dark.id).map(({ title }) => title),
      [ROWS[1]?.[1]],
    )
  })

  it('leaves what somebody decided on a claim, wrote on it or named, and removes the others', async () => {
    const workspace = await kit.workspace()
    const { id } = await brought(workspace)
    const [exports, calendar, dark] = await Promise.all(ROWS.slice(0, 3).map(([, text]) => claimOf(workspace, text)))
    await workspace.inApp('write_comment', { id: exports.reference, text: 'Ana asked again.' })
    await workspace.inApp('update_claim', { claim_id: calendar.reference, title: 'Weeks are wrong' })
    await workspace.inApp('update_claim', { claim_id: dark.reference, state: 'established' })
    await takeBack(workspace, id)
    assert.deepEqual(
      (await claimsOf(workspace)).map(({ title, state, evidence }) => [title, state, evidence]),
      [
        [TAKEN_BACK, 'dismissed', 0],
        [TAKEN_BACK, 'dismissed', 0],
        ['Weeks are wrong', 'dismissed', 0],
      ],
    )
    for (let time = 0; time < 2; time += 1) {
      const { id: next } = await brought(workspace)
      assert.deepEqual(await withoutClaim(workspace), [])
      await takeBack(workspace, next)
    }
    assert.equal((await claimsOf(workspace)).length, 3)
  })
})
