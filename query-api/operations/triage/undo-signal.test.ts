import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { newId } from '../../../schemas/domain/ids.ts'
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
type Claim = Awaited<ReturnType<Workspace['claim']>>

describe('undoing what was decided about a Signal', () => {
  for (const [what, action, before, after] of [
    ['an acceptance', { action: 'accept' }, ['triage', 'question', 0.8], ['accepted', 'question', 0.8]],
    ['a dismissal', { action: 'dismiss' }, ['triage', 'question', 0.8], ['dismissed', 'question', 0.8]],
    [
      'a reclassification',
      { action: 'reclassify', classification: 'unclassified' },
      ['triage', 'question', 0.8],
      ['triage', 'unclassified', 1],
    ],
  ] as const) {
    for (const by of ['the Signal', 'the Decision'] as const) {
      it(`takes ${what} back, named by ${by}`, async () => {
        const signal = await workspace.signal({ text: 'Where is it?', classification: 'question' })
        const shown = (one: { state: string; classification: string; classification_confidence: number }) => [
          one.state,
          one.classification,
          Math.round(one.classification_confidence * 10) / 10,
        ]
        const done = await triage({ ...action, signal_id: signal.reference })
        assert.deepEqual(shown(done.signal), after)
        const target = by === 'the Signal' ? { signal_id: signal.id } : { decision_id: done.decision.reference }
        const back = await triage({ action: 'undo', ...target })
        assert.deepEqual([shown(back.signal), back.undone], [before, [action.action]])
        assert.equal(back.signal.version, 3)
        const { data } = await workspace.call('service_lookup', 'decision', { id: done.decision.reference })
        const { reversed_by, reversed_by_name, reversed_at } = data.decision
        assert.deepEqual([reversed_by, reversed_by_name], [back.decision.reference, 'Owner'])
        assert.match(reversed_at, /^\d{4}-/)
      })
    }
  }

  it('reverses a Decision about several signals once none of its changes stands', async () => {
    const signals = [await workspace.signal({ text: 'Where is it?' }), await workspace.signal({ text: 'It hangs.' })]
    const { data } = await workspace.call('service_decide', 'triage_signals', {
      action: 'dismiss',
      signal_ids: signals.map(({ reference }) => reference),
    })
    const reversedBy = async () => {
      const { data: found } = await workspace.call('service_lookup', 'decision', { id: data.decision.reference })
      return found.decision.reversed_by
    }
    await triage({ action: 'undo', signal_id: signals[0]?.id })
    assert.equal(await reversedBy(), null)
    const last = await triage({ action: 'undo', signal_id: signals[1]?.id })
    assert.equal(await reversedBy(), last.decision.reference)
  })

  it('reverses the Decision of a merge that is pulled apart, whichever way it is named', async () => {
    for (const by of ['claim', 'decision'] as const) {
      const signals = [await workspace.signal({ text: `One by ${by}` }), await workspace.signal({ text: 'Other.' })]
      const one = await workspace.claim(`One by ${by}`, signals.slice(0, 1))
      const other = await workspace.claim(`Other by ${by}`, signals.slice(1))
      const { data } = await workspace.call('service_decide', 'merge_claims', {
        claim_id: one.reference,
        into_claim_id: other.reference,
      })
      const { decision } = data
      const back = await triage({
        action: 'undo',
        ...(by === 'claim' ? { claim_id: one.reference } : { decision_id: decision.reference }),
      })
      const { data: found } = await workspace.call('service_lookup', 'decision', { id: decision.reference })
      assert.equal(found.decision.reversed_by, back.decision.reference)
    }
  })

  it('goes back one Decision after the other, the last first', async () => {
    const signal = await workspace.signal({ text: 'Where is it?', classification: 'question' })
    await triage({ action: 'accept', signal_id: signal.id })
    await triage({ action: 'reclassify', signal_id: signal.id, classification: 'unclassified' })
    const early = await refusal(triage({ action: 'undo', decision_id: 'DEC-1' }))
    assert.match(early.publicMessage, /SIG-1 is not as DEC-1 left it; .* DEC-2 came after it: undo that first\./)
    const undone = []
    for (let times = 0; times < 2; times += 1)
      undone.push(...(await triage({ action: 'undo', signal_id: signal.id })).undone)
    assert.deepEqual(undone, ['reclassify', 'accept'])
    const nothing = await refusal(triage({ action: 'undo', signal_id: signal.id }))
    assert.match(nothing.publicMessage, /there is nothing to undo/)
    const twice = await refusal(triage({ action: 'undo', decision_id: 'DEC-1' }))
    assert.match(twice.publicMessage, /That Decision was taken back already\./)
  })

  it('refuses a stale version, and a Decision about something else', async () => {
    const signal = await workspace.signal({ text: 'Where is it?', classification: 'question' })
    await triage({ action: 'accept', signal_id: signal.id })
    const stale = await refusal(triage({ action: 'undo', signal_id: signal.id, version: 1 }))
    assert.equal(stale.code, 'conflict')
    assert.deepEqual((stale.context.current as { version: number }).version, 2)
    await workspace.call('service_decide', 'create_solution', { title: 'Find it', comment: 'Agreed.' })
    const other = await refusal(triage({ action: 'undo', decision_id: 'DEC-2' }))
    assert.match(other.publicMessage, /DEC-2 decided nothing in Triage .* update_solution or prioritize/)
  })

  for (const [what, target] of [
    ['nothing', {}],
    ['two things', { decision_id: 'DEC-1', proposal_id: newId() }],
  ] as const) {
    it(`says what it takes when ${what} is named`, async () => {
      const error = await refusal(triage({ action: 'undo', ...target }))
      assert.match(error.publicMessage, /exactly one of decision_id or signal_id or claim_id or proposal_id/)
    })
  }
})

describe('pulling out a Signal that the judge attached', () => {
  /** A signal that the judge preferred `claim` for, to what `lost` says. */
  const judged = async (claim: Claim, lost: readonly object[] = []) => {
    const signal = await workspace.signal({ text: 'The import of contacts fails.' })
    await kit.database.pool.query(
      `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, lost_candidates)
       values ($1, $2, $3, 'judge', 'test-judge', 'Both fail.', $4)`,
      [workspace.id, claim.id, signal.id, JSON.stringify(lost)],
    )
    return signal
  }
  const claimOf = async (text: string) => workspace.claim(text, [await workspace.signal({ text })])

  it('starts a claim of its own, which is never merged with that one again', async () => {
    const claim = await claimOf('Exports time out')
    const signal = await judged(claim)
    const { undone, claim: own } = await triage({ action: 'undo', signal_id: signal.id, comment: 'An import.' })
    assert.deepEqual([undone, own.is_new], [['attachment'], true])
    assert.deepEqual((await claimView(workspace, claim.id)).evidence, ['SIG-1'])
    const started = await claimView(workspace, own.reference)
    assert.deepEqual([started.evidence, started.apart], [[signal.reference], [claim.reference]])
    const [item] = (await workspace.call('service_lookup', 'proposals', { state: 'refused' })).data.items
    const merging = await refusal(triage({ action: 'confirm_merge', proposal_id: item.id }))
    assert.equal(merging.code, 'conflict')
    const third = await claimOf('Imports fail')
    await triage({ action: 'confirm_merge', proposal_id: await workspace.proposal(third, own) })
    const follows = await workspace.proposal(third, claim)
    assert.match((await refusal(triage({ action: 'confirm_merge', proposal_id: follows }))).publicMessage, /kept apart/)
  })

  it('shows the candidates that lost, and proposes those that nobody was asked about', async () => {
    const [claim, refused, unasked] = [await claimOf('Exports'), await claimOf('Logins'), await claimOf('Imports')]
    const signal = await judged(claim, [
      { claim_id: refused.id, verdict: 'refused', by: 'test-judge', reason: 'No login.', score: 0.03, similarity: 0.5 },
      { claim_id: unasked.id, verdict: 'undecided', by: null, reason: 'Not asked.', score: 0.02, similarity: null },
    ])
    const { data } = await workspace.call('service_lookup', 'claim', { id: claim.reference })
    assert.deepEqual(
      data.evidence.items[0].rejected_candidates.map((one: Record<string, unknown>) => [
        one.claim,
        one.verdict,
        one.reason,
      ]),
      [
        [refused.reference, 'refused', 'No login.'],
        [unasked.reference, 'undecided', 'Not asked.'],
      ],
    )
    const { claim: own } = await triage({ action: 'undo', signal_id: signal.id, claim_id: claim.reference })
    assert.deepEqual(await waitingPairs(workspace), [`${own.reference} ${unasked.reference}`])
    assert.deepEqual((await claimView(workspace, own.reference)).apart, [claim.reference, refused.reference].toSorted())
  })

  it('stays apart from the claim that the judge chose, and from what that was merged into', async () => {
    const [chosen, survivor] = [await claimOf('Exports time out'), await claimOf('Export is slow')]
    const signal = await judged(chosen)
    const proposal_id = await workspace.proposal(chosen, survivor)
    await triage({ action: 'confirm_merge', proposal_id, survivor_id: survivor.reference })
    const { claim: own } = await triage({ action: 'undo', signal_id: signal.id, claim_id: survivor.reference })
    await triage({ action: 'undo', claim_id: chosen.reference })
    assert.deepEqual(
      (await claimView(workspace, own.reference)).apart,
      [chosen.reference, survivor.reference].toSorted(),
    )
    assert.deepEqual((await claimView(workspace, chosen.id)).evidence, ['SIG-1'])
  })

  it('is put back by taking the refusal back and confirming it', async () => {
    const claim = await claimOf('Exports time out')
    const signal = await judged(claim)
    const { decision } = await triage({ action: 'undo', signal_id: signal.id })
    const again = await refusal(triage({ action: 'undo', signal_id: signal.id }))
    assert.match(again.publicMessage, /was pulled out of a claim and has one of its own\. To put it back/)
    const { merges } = await triage({ action: 'undo', decision_id: decision.reference })
    await triage({ action: 'confirm_merge', proposal_id: merges[0].proposal_id })
    assert.deepEqual((await claimView(workspace, claim.id)).evidence, ['SIG-1', signal.reference])
  })

  it('is for what the judge attached: the rest says how it is taken back', async () => {
    const claim = await claimOf('Exports time out')
    const started = await refusal(triage({ action: 'undo', signal_id: 'SIG-1', claim_id: claim.reference }))
    assert.match(started.publicMessage, /It started the claim, so there is nothing to pull it out of\./)
    const question = await workspace.signal({ text: 'Is it slow?', classification: 'question' })
    const elsewhere = await refusal(triage({ action: 'undo', signal_id: question.id, claim_id: claim.reference }))
    assert.match(elsewhere.publicMessage, /it is evidence of no claim/)
    await triage({ action: 'promote', signal_id: question.id, claim_id: claim.reference })
    const person = await refusal(triage({ action: 'undo', signal_id: question.id, claim_id: claim.reference }))
    assert.match(person.publicMessage, /A person attached it: undo that Decision/)
    const other = await claimOf('Export is slow')
    await triage({ action: 'confirm_merge', proposal_id: await workspace.proposal(other, claim) })
    const merged = await refusal(triage({ action: 'undo', signal_id: 'SIG-3', claim_id: claim.reference }))
    assert.match(merged.publicMessage, /It came with a claim that was merged into it: undo that merge/)
  })
})
