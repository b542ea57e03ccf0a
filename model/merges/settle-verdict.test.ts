import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { type ClaimId, newId, type ProposalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { keepApart } from './kept-apart.ts'
import { mergeClaims } from './merge-claims.ts'
import { settleVerdict } from './settle-verdict.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

let workspaceId: WorkspaceId
let other: WorkspaceId
let claims: readonly [ClaimId, ClaimId, ClaimId]
const AT = new Date('2026-06-01T12:00:00Z')

beforeEach(async () => {
  const [one, two] = await db.workspaces(2)
  assert.ok(one && two)
  workspaceId = one
  other = two
  claims = [newId<ClaimId>(), newId<ClaimId>(), newId<ClaimId>()]
  await db.pool.query(
    `insert into claims (id, workspace_id, number, kind, title)
     select id, $1, number, 'problem', 'A claim' from unnest($2::uuid[]) with ordinality as made (id, number)`,
    [workspaceId, claims],
  )
})

const propose = async (claim: ClaimId, candidate: ClaimId): Promise<ProposalId> => {
  const id = newId<ProposalId>()
  await db.pool.query(
    `insert into merge_proposals (id, workspace_id, claim_id, candidate_claim_id, score, reason)
     values ($1, $2, $3, $4, 0.03, 'They look alike.')`,
    [id, workspaceId, claim, candidate],
  )
  return id
}
const asPipeline = <T>(work: Parameters<typeof db.database.transaction<T>>[1], workspace = workspaceId) =>
  db.database.transaction<T>({ role: 'assay_pipeline', workspaceIds: [workspace] }, work)
const judge = (proposalId: ProposalId, sameRootProblem: boolean, workspace = workspaceId) => {
  const said = { judge: 'test-judge', sameRootProblem, reason: 'So it is.', at: AT }
  return asPipeline(
    transaction => settleVerdict(transaction, { workspaceId: workspace, proposalId, ...said }),
    workspace,
  )
}
const states = async () =>
  (
    await db.pool.query('select id, state, implied, decided_by from merge_proposals where workspace_id = $1', [
      workspaceId,
    ])
  ).rows
const mergedInto = async (claim: ClaimId) =>
  (await db.pool.query('select merged_into from claims where id = $1', [claim])).rows[0].merged_into

test('a yes merges the claim into its candidate, with the judge and its reason', async () => {
  const [older, newer] = claims
  const id = await propose(newer, older)
  assert.equal(await judge(id, true), 'confirmed')
  assert.equal(await mergedInto(newer), older)
  assert.deepEqual(await states(), [{ id, state: 'confirmed', implied: false, decided_by: 'test-judge' }])
  const { rows } = await db.pool.query('select merged_by, actor, reason, proposal_id, decision_id from merges')
  assert.deepEqual(
    rows.filter(row => row.proposal_id === id),
    [{ merged_by: 'judge', actor: 'test-judge', reason: 'So it is.', proposal_id: id, decision_id: null }],
  )
})

test('a no refuses the pair and merges nothing', async () => {
  const [older, newer] = claims
  const id = await propose(newer, older)
  assert.equal(await judge(id, false), 'refused')
  assert.equal(await mergedInto(newer), null)
  assert.deepEqual(await states(), [{ id, state: 'refused', implied: false, decided_by: 'test-judge' }])
})

test('a verdict that comes again, or after somebody else decided, changes nothing', async () => {
  const [older, newer] = claims
  const id = await propose(newer, older)
  await judge(id, false)
  assert.equal(await judge(id, true), 'decided')
  assert.equal(await mergedInto(newer), null)
})

test('a yes about claims that were merged meanwhile is about what they live on in', async () => {
  const [older, newer, survivor] = claims
  const id = await propose(newer, older)
  assert.equal(await judge(await propose(older, survivor), true), 'confirmed')
  assert.equal(await judge(id, true), 'confirmed')
  assert.equal(await mergedInto(newer), survivor)
})

test('a yes merges nothing that is kept apart, also where claims merged into them are', async () => {
  const [older, newer, third] = claims
  await judge(await propose(newer, third), true)
  const id = await propose(older, third)
  const refused = { by: 'A person', reason: 'Two queues.', at: AT, decisionId: null }
  await asPipeline(transaction => keepApart(transaction, workspaceId, [newer, older], refused))
  assert.equal(await judge(id, true), 'refused')
  assert.equal(await mergedInto(older), null)
  const merge = { merged: older, survivor: third, reason: 'r', proposalId: id, decisionId: null, at: AT }
  await assert.rejects(
    asPipeline(transaction => mergeClaims(transaction, { ...merge, mergedBy: 'judge', actor: 'test-judge' })),
    { code: 'conflict' },
  )
})

test('a verdict on a proposal of another workspace finds nothing', async () => {
  const [older, newer] = claims
  const id = await propose(newer, older)
  await assert.rejects(judge(id, true, other), { code: 'not_found' })
  assert.equal(await mergedInto(newer), null)
})

test('where people merge, a yes waits for one of them with the judge’s reason, and a no refuses', async () => {
  await db.pool.query(`update workspaces set who_merges = 'people' where id = $1`, [workspaceId])
  const [first, second, third] = claims
  const same = await propose(second, first)
  const different = await propose(third, first)
  assert.equal(await judge(same, true), 'found')
  assert.equal(await judge(different, false), 'refused')
  assert.equal(await mergedInto(second), null)
  const { rows } = await db.pool.query('select state, reason, found_by from merge_proposals where id = $1', [same])
  assert.deepEqual(rows, [{ state: 'waiting', reason: 'So it is.', found_by: 'test-judge' }])
})
