import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { rowsGoneOver } from '../../../infra/postgres/testing-plans.ts'
import { learnFromDecisions } from './correction.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

it('A decision looks at what was decided, not at all that waits, however little the database knows of its tables', async () => {
  const [workspaceId = assert.fail('There is no workspace.')] = await db.workspaces(1)
  await db.pool.query(
    `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at,
       received_at, classification, classification_confidence, classification_version)
     select gen_random_uuid(), $1, number, 'webhook', 'Text ' || number, '', 'customer', 'user', '2026-05-01',
       '2026-05-01', 'problem', 1, 'test'
     from generate_series(1, 400) as number`,
    [workspaceId],
  )
  await db.pool.query(
    `insert into claims (id, workspace_id, number, kind, title)
     select id, workspace_id, number, 'problem', 'A claim' from signals where workspace_id = $1`,
    [workspaceId],
  )
  await db.pool.query(
    `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
     select workspace_id, id, id, 'cluster', 'test', 'It started the claim.' from signals where workspace_id = $1`,
    [workspaceId],
  )
  await db.pool.query(
    `insert into merge_proposals (id, workspace_id, claim_id, candidate_claim_id, score, similarity, chance, reason)
     select gen_random_uuid(), $1, one.id, other.id, 0.5, 0.5, 0.5, 'They may be the same.'
     from claims as one join claims as other on other.workspace_id = $1 and other.number in (one.number + 1, one.number + 2)
     where one.workspace_id = $1`,
    [workspaceId],
  )
  let rows = 0
  await db.database.transaction({ role: 'assay_app', workspaceId }, transaction => {
    const explaining: Transaction = {
      query: async (statement, values) => {
        if (statement.includes('taken_out_repeats')) rows += await rowsGoneOver(transaction, statement, values)
        return transaction.query(statement, values)
      },
    }
    return learnFromDecisions(explaining, workspaceId)
  })
  assert.ok(rows < 100, `${rows} rows`)
})
