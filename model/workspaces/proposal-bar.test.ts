import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { type ClaimId, newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { proposeMerges } from '../claims/propose-merges.ts'
import { learnFromDecisions } from '../merges/chance/correction.ts'
import { readShownBar } from '../merges/chance/shown-bar.ts'
import { isAboveBar, keepToBars } from './proposal-bar.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const FEWEST = 20
const chanceOf = (place: number) => 0.03 + place / 1000

/** A workspace with a claim, and so many others that may be the same, each likelier than the one before. */
const proposed = async (count: number, foundBy: string | null = null) => {
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
        chance: chanceOf(place),
        reason: 'They look alike.',
        refusedBy: null,
        foundBy,
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

test('more pairs than people settle raise the bar, and it falls as they settle them', async () => {
  const workspaceId = await proposed(FEWEST + 20)
  const [waiting, aside] = [await inState(workspaceId, 'waiting'), await inState(workspaceId, 'set_aside')]
  assert.deepEqual([waiting.length, aside.length], [FEWEST, 20])
  assert.ok(Math.max(...aside) < Math.min(...waiting), 'the likeliest wait')
  const raised = await barOf(workspaceId)
  assert.deepEqual([raised.raised, raised.set_aside], [true, 20])
  assert.ok(Math.abs(raised.chance - Math.max(...aside)) < 1e-6)

  await db.pool.query(
    `update merge_proposals set state = 'refused', decided_at = now() where workspace_id = $1 and chance > $2`,
    [workspaceId, chanceOf(FEWEST + 4)],
  )
  await within(workspaceId, transaction => learnFromDecisions(transaction, workspaceId))
  assert.equal((await inState(workspaceId, 'waiting')).length, FEWEST)
  assert.equal((await barOf(workspaceId)).set_aside, 5)

  await db.pool.query(`update merge_proposals set state = 'refused' where workspace_id = $1 and state = 'waiting'`, [
    workspaceId,
  ])
  await within(workspaceId, transaction => keepToBars(transaction, [workspaceId]))
  assert.equal((await inState(workspaceId, 'waiting')).length, 5)
  assert.equal((await barOf(workspaceId)).raised, false)
})

test('what a judge found to be the same waits whatever its chance, and few pairs raise no bar', async () => {
  const found = await proposed(FEWEST + 10, 'test-judge')
  assert.equal((await inState(found, 'set_aside')).length, 0)
  const few = await proposed(FEWEST)
  assert.equal((await inState(few, 'waiting')).length, FEWEST)
  assert.deepEqual(await barOf(few), { chance: 0.01, raised: false, set_aside: 0, learned_from: 0 })
})

test('twelve pairs may wait for each hundred signals', async () => {
  const workspaceId = await proposed(80)
  await db.pool.query(
    `insert into reference_counters (workspace_id, kind, last_number) values ($1, 'signal', 500)
     on conflict (workspace_id, kind) do update set last_number = 500`,
    [workspaceId],
  )
  await within(workspaceId, transaction => keepToBars(transaction, [workspaceId]))
  assert.equal((await inState(workspaceId, 'waiting')).length, 60)
})

test('a pair waits if its chance is above the bar, as both are stored with 32 bits, and any does without a bar', () => {
  const bar = { workspace_id: newId<WorkspaceId>(), bar: Math.fround(0.1), shift: 0, learned_from: 0 }
  assert.equal(isAboveBar(0.1, bar), false, 'it is the bar itself')
  assert.equal(isAboveBar(0.11, bar), true)
  assert.equal(isAboveBar(0.001, { ...bar, bar: 0 }), true)
  assert.equal(isAboveBar(0.001, undefined), true)
})
