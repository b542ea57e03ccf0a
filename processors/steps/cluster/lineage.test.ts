import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ownClaimId } from '../../../model/claims/start-claims.ts'
import { findRefusal, keepApart } from '../../../model/merges/kept-apart.ts'
import { mergeClaims } from '../../../model/merges/merge-claims.ts'
import { undoMerge } from '../../../model/merges/undo-merge.ts'
import { type ClaimId, newId, type ProposalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { next, retry } from '../../framework/step.ts'
import {
  type ClusterKit,
  EXPORT,
  EXPORT_AGAIN,
  judging,
  LOGIN,
  no,
  type StoredSignal,
  startClusterKit,
  yes,
} from './testing.ts'

let kit: ClusterKit
before(async () => {
  kit = await startClusterKit()
})
after(() => kit.stop())

const claimOf = ({ signal_id }: StoredSignal): ClaimId => ownClaimId(signal_id)

/** As a person would, or the judge on a waiting proposal. */
const merge = (workspaceId: WorkspaceId, merged: ClaimId, survivor: ClaimId) =>
  kit.db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
    mergeClaims(transaction, {
      merged,
      survivor,
      mergedBy: 'judge',
      actor: 'test-judge',
      reason: 'r',
      proposalId: newId<ProposalId>(),
      decisionId: null,
      at: new Date(),
    }),
  )

const pullApart = async (workspaceId: WorkspaceId, claim: ClaimId) => {
  const { rows } = await kit.db.pool.query(
    'select id, workspace_id, merged_claim_id, survivor_claim_id from merges where merged_claim_id = $1',
    [claim],
  )
  const settler = { by: 'A person', reason: 'Two queues.', at: new Date(), decisionId: null }
  await kit.db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
    undoMerge(transaction, rows[0], settler),
  )
}

test('a claim that was merged while the judge thought takes no evidence any more: its survivor does', async () => {
  const id = await kit.workspace()
  const [first, survivor] = await kit.stored(id, [EXPORT], [LOGIN])
  await kit.cluster([first, survivor])
  const [second] = await kit.stored(id, [EXPORT_AGAIN])
  const { judge } = judging(async () => {
    await merge(id, claimOf(first), claimOf(survivor))
    return yes()
  })
  assert.deepEqual(await kit.cluster([second], judge), [next({}, { claimId: claimOf(survivor) })])
  const attached = (await kit.evidence(id)).find(row => row.signal_id === second.signal_id)
  assert.equal(attached?.claim_id, claimOf(survivor))

  await pullApart(id, claimOf(first))
  const places = new Map((await kit.evidence(id)).map(row => [row.signal_id, row.claim_id]))
  assert.equal(places.get(second.signal_id), claimOf(first), 'it goes with the signal that it was found the same as')
  assert.equal(places.get(survivor.signal_id), claimOf(survivor))
})

test('a claim that was pulled apart, or dismissed, while the judge thought sends the signal back', async () => {
  for (const change of [
    (id: WorkspaceId, claim: ClaimId) => pullApart(id, claim),
    (id: WorkspaceId) => kit.db.pool.query(`update claims set state = 'dismissed' where workspace_id = $1`, [id]),
  ]) {
    for (const verdict of [yes, no]) {
      const id = await kit.workspace()
      const [first, survivor] = await kit.stored(id, [EXPORT], [LOGIN])
      await kit.cluster([first, survivor])
      await merge(id, claimOf(first), claimOf(survivor))
      const [second] = await kit.stored(id, [EXPORT_AGAIN])
      let changed = false
      const { judge } = judging(async () => {
        if (!changed) await change(id, claimOf(first))
        changed = true
        return verdict()
      })
      assert.deepEqual(await kit.cluster([second], judge), [
        retry('A claim that it was compared with has changed meanwhile.'),
      ])
      assert.equal((await kit.evidence(id)).length, 2)
    }
  }
})

test('what a signal resembles in a merged claim is proposed for that one, so that it goes along when they are pulled apart', async () => {
  const id = await kit.workspace()
  const [first, survivor] = await kit.stored(id, [EXPORT], [LOGIN])
  await kit.cluster([first, survivor])
  await merge(id, claimOf(first), claimOf(survivor))
  const [second] = await kit.stored(id, [EXPORT_AGAIN])
  await kit.cluster([second])
  assert.deepEqual(
    (await kit.proposals(id)).flatMap(row => (row.state === 'waiting' ? [[row.claim_id, row.candidate_claim_id]] : [])),
    [[claimOf(second), claimOf(first)]],
  )
})

test('a signal that a person pulled out is not attached again by a redelivery, and its new claim stays apart', async () => {
  const id = await kit.workspace()
  const [first, second] = await kit.stored(id, [EXPORT], [EXPORT_AGAIN])
  await kit.cluster([first])
  await kit.cluster([second], judging(yes).judge)
  const own = newId<ClaimId>()
  await kit.db.pool.query(
    `insert into claims (id, workspace_id, number, kind, title) values ($1, $2, 9, 'problem', 'Its own')`,
    [own, id],
  )
  await kit.db.pool.query('update claim_evidence set claim_id = $1 where signal_id = $2', [own, second.signal_id])
  const refused = { by: 'A person', reason: 'Two queues.', at: new Date(), decisionId: null }
  await kit.db.database.transaction({ role: 'assay_pipeline', workspaceIds: [id] }, transaction =>
    keepApart(transaction, id, [own, claimOf(first)], refused),
  )
  const { judge, asked } = judging(yes)
  await kit.cluster([second], judge)
  assert.deepEqual(asked, [])
  const apart = await kit.db.database.transaction({ role: 'assay_pipeline', workspaceIds: [id] }, transaction =>
    findRefusal(transaction, claimOf(first), own),
  )
  assert.equal(apart?.decided_reason, 'Two queues.')
  await assert.rejects(merge(id, own, claimOf(first)), { code: 'conflict' })
})
