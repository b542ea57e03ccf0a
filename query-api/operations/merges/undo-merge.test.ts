import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { claimView, refusal, waitingPairs } from '../decisions/testing.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const triage = async (input: object) => (await workspace.call('service_decide', 'triage', input)).data
const claimOf = async (text: string) => workspace.claim(text, [await workspace.signal({ text })])
type Claim = Awaited<ReturnType<typeof claimOf>>

const merge = async (claim: Claim, into: Claim) => {
  const proposal_id = await workspace.proposal(claim, into)
  const { decision } = await triage({ action: 'confirm_merge', proposal_id, survivor_id: into.reference })
  return { proposal_id, decision: decision.reference as string }
}

/** Evidence that the judge attached, beside a signal that came with `origins`. */
const judged = async (claim: Claim, text: string, origins: readonly Claim[] = []) => {
  const signal = await workspace.signal({ text })
  await kit.database.pool.query(
    `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, origins)
     values ($1, $2, $3, 'judge', 'test-judge', 'Both tell of it.', $4)`,
    [workspace.id, claim.id, signal.id, origins.map(({ id }) => id)],
  )
  return signal
}

describe('undoing a merge', () => {
  for (const [what, target] of [
    ['the claim', (claim: Claim) => ({ claim_id: claim.reference })],
    ['the proposal', (_: Claim, made: { proposal_id: string }) => ({ proposal_id: made.proposal_id })],
    ['the Decision', (_: Claim, made: { decision: string }) => ({ decision_id: made.decision })],
  ] as const) {
    it(`puts evidence, Solutions, reference and state back, named by ${what}`, async () => {
      const [older, newer] = [await claimOf('Exports time out'), await claimOf('Export is slow')]
      await kit.database.pool.query(`update claims set state = 'established' where id = $1`, [newer.id])
      for (const [title, claims] of [
        ['Stream exports', [newer]],
        ['Cache exports', [older, newer]],
      ] as const) {
        const claim_ids = claims.map(({ reference }) => reference)
        await workspace.call('service_decide', 'create_solution', { title, claim_ids, comment: 'Agreed.' })
      }
      const before = [await claimView(workspace, older.id), await claimView(workspace, newer.id)]
      const made = await merge(newer, older)
      assert.deepEqual((await claimView(workspace, newer.id)).evidence, ['SIG-1', 'SIG-2'])

      const undone = await triage({ action: 'undo', ...target(newer, { ...made }), comment: 'Two queues.' })
      assert.deepEqual([undone.undone, undone.merges[0].state], [['merge'], 'undone'])
      assert.deepEqual([undone.merges[0].moved_signals, undone.merges[0].moved_solutions], [1, 2])
      assert.deepEqual(
        [await claimView(workspace, older.id), await claimView(workspace, newer.id)],
        before.map((claim, place) => ({
          ...claim,
          apart: [[newer], [older]][place]?.map(({ reference }) => reference),
        })),
      )
    })
  }

  it('leaves with the survivor what came to it, and takes along what the judge found the same as evidence that goes', async () => {
    const [older, newer] = [await claimOf('Exports time out'), await claimOf('Export is slow')]
    await merge(newer, older)
    const stays = await judged(older, 'The export ends in a timeout.')
    const goes = await judged(older, 'Exporting takes an hour.', [newer])
    const { data } = await workspace.call('service_decide', 'create_solution', {
      title: 'Stream exports',
      claim_ids: [older.reference],
      comment: 'Decided after the merge.',
    })
    await triage({ action: 'undo', claim_id: newer.reference })
    const [left, returned] = [await claimView(workspace, older.id), await claimView(workspace, newer.id)]
    assert.deepEqual(left.evidence, ['SIG-1', stays.reference].toSorted())
    assert.deepEqual(returned.evidence, ['SIG-2', goes.reference].toSorted())
    assert.deepEqual([left.solutions, returned.solutions], [[data.solution.reference], []])
  })

  it('brings back no link to a Solution that a person took away meanwhile', async () => {
    const [older, newer] = [await claimOf('Exports time out'), await claimOf('Export is slow')]
    const solution = { title: 'Stream exports', claim_ids: [newer.reference], comment: 'Agreed.' }
    await workspace.call('service_decide', 'create_solution', solution)
    await merge(newer, older)
    await workspace.call('service_decide', 'update_solution', {
      solution_id: 'SOL-1',
      remove_claim_ids: [older.reference],
      comment: 'It does not answer that.',
    })
    await triage({ action: 'undo', claim_id: newer.reference })
    assert.deepEqual((await claimView(workspace, newer.id)).solutions, [])
  })

  it('works in the middle of a chain, and what hangs below goes along', async () => {
    const [first, second, third] = [await claimOf('One'), await claimOf('Two'), await claimOf('Three')]
    await merge(third, second)
    await merge(second, first)
    await triage({ action: 'undo', claim_id: second.reference })
    assert.deepEqual((await claimView(workspace, third.id)).reference, second.reference)
    assert.deepEqual((await claimView(workspace, second.id)).evidence, ['SIG-2', 'SIG-3'])
    assert.deepEqual((await claimView(workspace, first.id)).evidence, ['SIG-1'])
  })

  it('pulls a claim out of what its survivor was merged into since', async () => {
    const [first, second, third] = [await claimOf('One'), await claimOf('Two'), await claimOf('Three')]
    await merge(third, second)
    await merge(second, first)
    const { merges } = await triage({ action: 'undo', claim_id: third.reference })
    assert.equal(merges[0].survivor.reference, first.reference)
    assert.deepEqual((await claimView(workspace, third.id)).evidence, ['SIG-3'])
    assert.deepEqual((await claimView(workspace, second.id)).evidence, ['SIG-1', 'SIG-2'])
  })

  it('says what to do when the claim is not merged, or only others are merged into it', async () => {
    const [older, newer] = [await claimOf('Exports time out'), await claimOf('Export is slow')]
    const alone = await refusal(triage({ action: 'undo', claim_id: older.reference }))
    assert.match(alone.publicMessage, /is not merged into another claim\. Nothing is merged into it either\./)
    await merge(newer, older)
    const survivor = await refusal(triage({ action: 'undo', claim_id: older.reference }))
    assert.match(survivor.publicMessage, new RegExp(`Merged into it: ${newer.reference};`))
    const stale = await refusal(triage({ action: 'undo', claim_id: newer.reference, version: 1 }))
    assert.deepEqual([stale.code, /you read version 1, it is at 2/.test(stale.publicMessage)], ['conflict', true])
    const { decision } = await triage({ action: 'undo', claim_id: newer.reference, version: 2 })
    const twice = await refusal(triage({ action: 'undo', decision_id: 'DEC-1' }))
    assert.equal(twice.code, 'conflict')
    assert.equal(decision.reference, 'DEC-2')
  })
})

describe('what was pulled apart', () => {
  it('is not merged again, also not by way of claims that either is merged with', async () => {
    const [older, newer, third] = [await claimOf('One'), await claimOf('Two'), await claimOf('Three')]
    await merge(newer, older)
    await triage({ action: 'undo', claim_id: newer.reference, comment: 'Two queues.' })
    const byWayOf = [await workspace.proposal(third, older), await workspace.proposal(third, newer)]
    const together = await refusal(triage({ action: 'confirm_merge', proposal_ids: byWayOf }))
    assert.match(together.publicMessage, /are kept apart, by Owner.*: ‹Two queues\.›\./)
    assert.deepEqual(
      (await claimView(workspace, third.id)).reference,
      third.reference,
      'one of two is not merged either',
    )

    await triage({ action: 'confirm_merge', proposal_id: byWayOf[0] })
    assert.deepEqual(await waitingPairs(workspace), [], 'the other one waits no more')
    const late = await refusal(triage({ action: 'confirm_merge', proposal_id: byWayOf[1] }))
    assert.equal(late.code, 'conflict')
  })

  it('holds however often both sides are merged on', async () => {
    const claims = []
    for (const title of ['One', 'Two', 'Three', 'Four']) claims.push(await claimOf(title))
    const [one, two, three, four] = claims
    assert.ok(one && two && three && four)
    await merge(two, one)
    await triage({ action: 'undo', claim_id: two.reference })
    await merge(one, three)
    await merge(two, four)
    const proposal_id = await workspace.proposal(four, three)
    const error = await refusal(triage({ action: 'confirm_merge', proposal_id }))
    assert.match(error.publicMessage, /kept apart/)
  })

  it('waits again once the claim that stood between is pulled out', async () => {
    const [one, two, three] = [await claimOf('One'), await claimOf('Two'), await claimOf('Three')]
    await merge(two, one)
    await triage({ action: 'undo', claim_id: two.reference })
    const implied = await workspace.proposal(three, two)
    await merge(three, one)
    assert.deepEqual(await waitingPairs(workspace), [])
    await triage({ action: 'undo', claim_id: three.reference })
    assert.deepEqual(await waitingPairs(workspace), [`${three.reference} ${two.reference}`])
    await triage({ action: 'confirm_merge', proposal_id: implied })
    assert.equal((await claimView(workspace, three.id)).reference, two.reference)
  })

  it('can be merged after all once a person takes the refusal back', async () => {
    const [older, newer] = [await claimOf('One'), await claimOf('Two')]
    const { proposal_id } = await merge(newer, older)
    await triage({ action: 'undo', claim_id: newer.reference })
    const late = await refusal(triage({ action: 'confirm_merge', proposal_id }))
    assert.match(late.publicMessage, /was merged, and that was undone, by/)
    const third = await claimOf('Three')
    const another = await workspace.proposal(newer, third)
    const { items } = (await workspace.inApp('list_merge_groups')).data
    assert.deepEqual(items[0].pairs[0].others, [], 'an undone merge is no refusal')
    await triage({ action: 'refuse_merge', proposal_id: another })
    const lifted = await triage({ action: 'undo', proposal_id })
    assert.deepEqual(lifted.undone, ['refusal'])
    assert.deepEqual(await waitingPairs(workspace), [`${newer.reference} ${older.reference}`])
    await triage({ action: 'confirm_merge', proposal_id })
    assert.equal((await claimView(workspace, newer.id)).reference, older.reference)
  })
})
