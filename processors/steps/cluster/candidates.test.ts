import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CandidateProbe, findCandidates } from '../../../model/claims/find-candidates.ts'
import { NEAREST } from '../../../model/claims/near-signals.ts'
import { ownClaimId } from '../../../model/claims/start-claims.ts'
import { readBitsOf } from '../../../model/neighbours/stored-bits.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { embedder, freshNeighbours, freshWords } from '../testing.ts'
import {
  type ClusterKit,
  EXPORT,
  EXPORT_AGAIN,
  judging,
  LOGIN,
  type StoredSignal,
  startClusterKit,
  yes,
} from './testing.ts'

let kit: ClusterKit
before(async () => {
  kit = await startClusterKit()
})
after(() => kit.stop())

/** As the step looks for them, in memory that is empty before. */
const candidatesOf = (workspaceId: WorkspaceId, probes: readonly StoredSignal[]) =>
  kit.db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, async transaction => {
    const [neighbours, words] = [freshNeighbours(), freshWords()]
    const space = { workspaceId, model: embedder.model }
    await neighbours.refresh(transaction, [space])
    await words.refresh(transaction, [workspaceId])
    const ids = probes.map(({ signal_id }) => signal_id)
    const bits = await readBitsOf(transaction, ids, embedder.model)
    const asked = probes.map(({ signal_id, insertion }, index): CandidateProbe => {
      const own = bits[index]
      return {
        id: signal_id,
        workspaceId,
        number: insertion.number,
        model: embedder.model,
        near: own ? neighbours.nearest(space, own, NEAREST) : [],
      }
    })
    const found = await findCandidates(transaction, words, asked)
    return ids.map(id => found.get(id) ?? [])
  })

test('candidates are of every kind and state, the best first, and say how near they are', async () => {
  const id = await kit.workspace()
  const [problem, question, dismissed, closed] = await kit.stored(
    id,
    [`${EXPORT}.\nSince yesterday, on every page`, { content: { source: 'desk' } }],
    ['Who may see an invoice of another team?', { label: 'question' }],
    ['The invoice export has a timeout', { label: 'idea' }],
    ['Invoices: the export is a timeout'],
  )
  await kit.stored(id, [LOGIN])
  await kit.cluster([problem, closed])
  await kit.db.pool.query(`update signals set state = 'dismissed' where id = $1`, [dismissed.signal_id])
  await kit.db.pool.query(`update claims set state = 'dismissed' where id = $1`, [ownClaimId(closed.signal_id)])
  const [probe] = await kit.stored(id, [EXPORT_AGAIN])
  const [candidates] = await candidatesOf(id, [probe])
  assert.ok(candidates)

  const by = new Map(candidates.map(candidate => [candidate.signalId, candidate]))
  const told = ({ signal_id }: StoredSignal) => {
    const { standing, claimId, claimKind, kind, state } = by.get(signal_id) ?? assert.fail('It is no candidate.')
    return [standing, claimId, claimKind, kind, state]
  }
  assert.deepEqual(told(problem), ['claimed', ownClaimId(problem.signal_id), 'problem', 'problem', 'triage'])
  assert.deepEqual(told(question), ['unclaimed', null, null, 'question', 'triage'])
  assert.deepEqual(told(dismissed), ['unclaimed', null, null, 'idea', 'dismissed'])
  assert.deepEqual(told(closed), ['dismissed', ownClaimId(closed.signal_id), 'problem', 'problem', 'triage'])

  assert.deepEqual(
    candidates.map(({ rank }) => rank),
    candidates.map((_, index) => index + 1),
  )
  const scores = candidates.map(({ score }) => score)
  assert.deepEqual(
    scores,
    scores.toSorted((one, other) => other - one),
  )
  for (const { compared, similarity, score, wordsRank, vectorsRank } of candidates) {
    assert.ok(similarity !== null && compared !== null && vectorsRank !== null)
    const { words, titleShared, otherTitleShared } = compared
    const byWords = Math.max(0, words + 0.37 * (titleShared + otherTitleShared) - 0.2)
    assert.ok(Math.abs(score - (byWords + 0.7 * similarity) / 2.24) < 1e-4)
    assert.ok(wordsRank !== null || words === 0)
  }
  const first = by.get(problem.signal_id)
  assert.equal(first?.title, EXPORT)
  assert.equal(first?.text, problem.content.text)
  assert.equal(first?.source, 'desk')
  assert.ok(first?.occurredAt instanceof Date)
})

test('of a claim the best one is a candidate, and of a batch those before', async () => {
  const id = await kit.workspace()
  const [one, two] = await kit.stored(id, [EXPORT], ['The invoice export, again a timeout'])
  await kit.cluster([one])
  await kit.cluster([two], judging(yes).judge)
  const batch = await kit.stored(id, [EXPORT_AGAIN], ['Invoice exports fail with timeouts'])
  const [first, second] = await candidatesOf(id, batch)
  assert.deepEqual(
    first?.map(({ standing, claimId }) => [standing, claimId]),
    [['claimed', ownClaimId(one.signal_id)]],
  )
  assert.deepEqual(second?.map(({ standing }) => standing).toSorted(), ['ahead', 'claimed'])
  assert.equal(second?.find(({ standing }) => standing === 'ahead')?.signalId, batch[0].signal_id)
})

test('a signal without a vector of the model is found by its words', async () => {
  const id = await kit.workspace()
  const [old] = await kit.stored(id, [EXPORT, { model: 'another' }])
  const [probe] = await kit.stored(id, [EXPORT_AGAIN])
  const [candidates] = await candidatesOf(id, [probe])
  assert.deepEqual(
    candidates?.map(({ signalId, similarity, vectorsRank, wordsRank }) => [
      signalId,
      similarity,
      vectorsRank,
      wordsRank,
    ]),
    [[old.signal_id, null, null, 1]],
  )
})

test('a candidate may be of a series if both are dated and one person wrote them', async () => {
  const id = await kit.workspace()
  const dated = { occurred_at: Date.UTC(2026, 4, 1) }
  const ann = { actor_name: 'Ann' }
  const said = await kit.stored(
    id,
    [`${EXPORT}, says one`, { content: { ...dated, ...ann } }],
    [`${EXPORT}, says another`, { content: { ...dated, actor_name: 'Bob' } }],
    [`${EXPORT}, says nobody`, { content: dated }],
    [`${EXPORT}, says one at no time`, { content: ann }],
  )
  const [probe, undated] = await kit.stored(
    id,
    [EXPORT_AGAIN, { content: { ...dated, ...ann } }],
    [`${EXPORT_AGAIN}!`, { content: ann }],
  )
  const [candidates = [], ofUndated = []] = await candidatesOf(id, [probe, undated])
  const series = new Map(candidates.map(({ signalId, mayBeSeries }) => [signalId, mayBeSeries]))
  assert.deepEqual(
    said.map(({ signal_id }) => series.get(signal_id)),
    [true, false, false, false],
  )
  assert.ok(ofUndated.length > 0 && ofUndated.every(({ mayBeSeries }) => !mayBeSeries))
})
