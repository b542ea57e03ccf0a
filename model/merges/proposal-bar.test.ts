import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { type ClaimId, newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { corrected, readShownBar } from './chance/correction.ts'
import {
  isAboveBar,
  keepToBars,
  LEAST_CHANCE,
  readBars,
  SHOWN_A_HUNDRED,
  setAsideUnlikely,
  showLessLikely,
  storeShift,
} from './proposal-bar.ts'
import { proposeMerges } from './propose-merges.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const FEWEST = 20
const chanceOf = (place: number) => 0.03 + place / 1000

/** A workspace with a claim, and so many others that may be the same, each likelier than the one before. */
const proposed = async (count: number, confirmedBy: string | null = null, chance = chanceOf) => {
  const [workspaceId] = await db.workspaces(1)
  assert.ok(workspaceId)
  const claims = Array.from({ length: count + 1 }, () => newId<ClaimId>())
  await db.pool.query(
    `insert into claims (id, workspace_id, number, kind, title)
     select id, $1, number, 'problem', 'A claim' from unnest($2::uuid[]) with ordinality as made (id, number)`,
    [workspaceId, claims],
  )
  const [candidateClaimId, ...others] = claims
  assert.ok(candidateClaimId)
  await within(workspaceId, async transaction => {
    await proposeMerges(
      transaction,
      others.map((claimId, place) => ({
        workspaceId,
        claimId,
        candidateClaimId,
        score: 0.1,
        similarity: null,
        chance: chance(place),
        reason: 'They look alike.',
        rejectedBy: null,
        confirmedBy,
      })),
    )
    await keepToBars(transaction, [workspaceId, workspaceId])
  })
  return workspaceId
}
const within = <T>(workspaceId: WorkspaceId, work: Parameters<typeof db.database.transaction<T>>[1]): Promise<T> =>
  db.database.transaction<T>({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, work)
const inState = async (workspaceId: WorkspaceId, state: string): Promise<readonly number[]> => {
  const { rows } = await db.pool.query(
    'select chance from merge_proposals where workspace_id = $1 and state = $2 order by chance',
    [workspaceId, state],
  )
  return rows.map(({ chance }) => chance)
}
const barOf = (workspaceId: WorkspaceId) => within(workspaceId, transaction => readShownBar(transaction, workspaceId))

/** People refuse what waits above a chance, as one decision. */
const settle = async (workspaceId: WorkspaceId, above = 0) => {
  const decisionId = newId()
  await db.pool.query(
    `insert into decisions (id, workspace_id, number, statement, made_by, made_by_name, through)
     select $1, $2, coalesce(max(number), 0) + 1, 'Different.', $1, 'Ann', 'app' from decisions where workspace_id = $2`,
    [decisionId, workspaceId],
  )
  await db.pool.query(
    `update merge_proposals set state = 'refused', decided_at = now(), decision_id = $3
     where workspace_id = $1 and state = 'waiting' and chance > $2`,
    [workspaceId, above, decisionId],
  )
}
const keep = (workspaceId: WorkspaceId) => within(workspaceId, transaction => keepToBars(transaction, [workspaceId]))
const signalsCame = (workspaceId: WorkspaceId, inAll: number) =>
  db.pool.query(
    `insert into reference_counters (workspace_id, kind, last_number) values ($1, 'signal', $2)
     on conflict (workspace_id, kind) do update set last_number = $2`,
    [workspaceId, inAll],
  )

test('more pairs than may wait raise the bar', async () => {
  const workspaceId = await proposed(FEWEST + 20)
  const [waiting, aside] = [await inState(workspaceId, 'waiting'), await inState(workspaceId, 'set_aside')]
  assert.deepEqual([waiting.length, aside.length], [FEWEST, 20])
  assert.ok(Math.max(...aside) < Math.min(...waiting), 'the likeliest wait')
  const raised = await barOf(workspaceId)
  assert.deepEqual([raised.raised, raised.set_aside], [true, 20])
  assert.ok(Math.abs(raised.chance - Math.max(...aside)) < 1e-6)
})

test('a queue that people settle ends: others come with new signals, or when somebody asks', async () => {
  const workspaceId = await proposed(FEWEST + 40)
  const bar = (await barOf(workspaceId)).chance
  for (const above of [chanceOf(FEWEST + 30), 0]) {
    await settle(workspaceId, above)
    await keep(workspaceId)
    const waiting = (await inState(workspaceId, 'waiting')).length
    assert.equal(waiting, above === 0 ? 0 : 11)
  }
  assert.ok(Math.abs((await barOf(workspaceId)).chance - bar) < 1e-6, 'the bar did not fall')

  await within(workspaceId, transaction => showLessLikely(transaction, workspaceId))
  assert.equal((await inState(workspaceId, 'waiting')).length, 20)
  assert.equal((await barOf(workspaceId)).set_aside, 20)
  await settle(workspaceId)
  await keep(workspaceId)
  assert.equal((await inState(workspaceId, 'waiting')).length, 0)

  await signalsCame(workspaceId, 150)
  await keep(workspaceId)
  const places = (await inState(workspaceId, 'waiting')).length
  assert.ok(places > 0 && places < 20, `${places} wait after 150 signals`)
  await signalsCame(workspaceId, 2_000_000_000)
  await keep(workspaceId)
  assert.equal((await inState(workspaceId, 'waiting')).length, 20)
})

test('pairs of one chance come to those who ask, twenty at a time', async () => {
  const workspaceId = await proposed(FEWEST + 60, null, () => 0.8)
  assert.equal((await inState(workspaceId, 'waiting')).length, FEWEST)
  for (const left of [40, 20, 0]) {
    await settle(workspaceId)
    await within(workspaceId, transaction => showLessLikely(transaction, workspaceId))
    assert.equal((await inState(workspaceId, 'waiting')).length, 20)
    assert.equal((await barOf(workspaceId)).set_aside, left)
  }
})

test('what decisions make too unlikely is set aside, counted, and comes to those who ask', async () => {
  const workspaceId = await proposed(FEWEST)
  await within(workspaceId, transaction => storeShift(transaction, workspaceId, { shift: -2, learnedFrom: 50 }))
  await within(workspaceId, transaction => setAsideUnlikely(transaction, workspaceId))
  const waiting = await inState(workspaceId, 'waiting')
  assert.ok(waiting.length < FEWEST)
  const bars = await within(workspaceId, transaction => readBars(transaction, [workspaceId]))
  const { shift = 0 } = bars.get(workspaceId) ?? {}
  assert.ok(waiting.every(chance => corrected(chance, shift) >= LEAST_CHANCE))
  assert.equal((await barOf(workspaceId)).set_aside, FEWEST - waiting.length)
  await keep(workspaceId)
  assert.equal((await inState(workspaceId, 'waiting')).length, waiting.length, 'none comes by itself')
  await within(workspaceId, transaction => showLessLikely(transaction, workspaceId))
  assert.equal((await inState(workspaceId, 'waiting')).length, FEWEST)
  const { chance, set_aside } = await barOf(workspaceId)
  assert.ok(chance < LEAST_CHANCE && set_aside === 0, `all above ${chance} wait`)
  await within(workspaceId, transaction => setAsideUnlikely(transaction, workspaceId))
  assert.equal((await inState(workspaceId, 'waiting')).length, FEWEST, 'what was asked for stays')
})

test('what a judge found to be the same waits whatever its chance, and few pairs raise no bar', async () => {
  const found = await proposed(FEWEST + 10, 'test-judge')
  assert.equal((await inState(found, 'set_aside')).length, 0)
  const few = await proposed(FEWEST)
  assert.equal((await inState(few, 'waiting')).length, FEWEST)
  assert.deepEqual(await barOf(few), { chance: LEAST_CHANCE, raised: false, set_aside: 0, learned_from: 0 })
})

test('so many pairs may wait for each hundred signals', async () => {
  const workspaceId = await proposed(110)
  await signalsCame(workspaceId, 500)
  await keep(workspaceId)
  assert.equal((await inState(workspaceId, 'waiting')).length, 5 * SHOWN_A_HUNDRED)
})

test('a pair waits if its chance is above the bar, as both are stored with 32 bits, and any does without a bar', () => {
  const bar = { workspace_id: newId<WorkspaceId>(), bar: Math.fround(0.1), asked_to: 1, shift: 0, learned_from: 0 }
  assert.equal(isAboveBar(0.1, bar), false, 'it is the bar itself')
  assert.equal(isAboveBar(0.11, bar), true)
  assert.equal(isAboveBar(0.001, { ...bar, bar: 0 }), true)
  assert.equal(isAboveBar(0.001, undefined), true)
})
