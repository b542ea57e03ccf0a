import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { eraseSignals } from '../../../model/erasures/erase-signals.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'

type Signal = Awaited<ReturnType<Workspace['signal']>>
type Claim = Awaited<ReturnType<Workspace['claim']>>

let kit: OperationsKit
let workspace: Workspace
let texts = 0
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const say = () => {
  texts += 1
  return workspace.signal({ text: `The export number ${texts} hangs.` })
}
const call = async (operation: string, input: object) => await workspace.inApp(operation, input)
const dismiss = (...signals: readonly Signal[]) =>
  call('triage_signals', { action: 'dismiss', signal_ids: signals.map(({ id }) => id) })
const undoChange = (change_id: string) => call('undo_change', { change_id })
const undoDecision = (decision_id: string) => call('triage', { action: 'undo', decision_id })
const judged = async (claim: Claim, signal: Signal) =>
  kit.database.pool.query(
    `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
     values ($1, $2, $3, 'judge', 'test-judge', 'Both hang.')`,
    [workspace.id, claim.id, signal.id],
  )
const stateOf = async ({ id }: Claim): Promise<string> => (await call('lookup_claim', { id })).data.state

/** Claims of which all evidence is dismissed, and that stand nevertheless. */
const standing = async (): Promise<readonly string[]> => {
  const { rows } = await kit.database.pool.query<{ number: number }>(
    `select number from claims where workspace_id = $1 and state = 'emerging' and merged_into is null
       and exists (select from claim_evidence where claim_id = claims.id)
       and not exists (select from solution_claims where claim_id = claims.id)
       and not exists (
         select from claim_evidence join signals on signals.id = signal_id
         where claim_id = claims.id and signals.state <> 'dismissed')`,
    [workspace.id],
  )
  return rows.map(({ number }) => `CLM-${number}`)
}

/** The ways on which a claim is left with dismissed evidence alone; each answers the claim, and a way back if any. */
const WAYS: Readonly<Record<string, () => Promise<{ claim: Claim; back?: () => Promise<unknown> }>>> = {
  'its only signal is dismissed': async () => {
    const signal = await say()
    const claim = await workspace.claim('It hangs', [signal])
    const { meta } = await call('triage', { action: 'dismiss', signal_id: signal.id })
    return { claim, back: () => undoChange(meta.change_id) }
  },
  'its only signal is dismissed, and that is undone in Triage': async () => {
    const signal = await say()
    const claim = await workspace.claim('It hangs', [signal])
    const { data } = await call('triage', { action: 'dismiss', signal_id: signal.id })
    return { claim, back: () => undoDecision(data.decision.id) }
  },
  'all of its signals are dismissed at once': async () => {
    const signals = [await say(), await say()]
    const claim = await workspace.claim('It hangs', signals)
    const { data } = await dismiss(...signals)
    return { claim, back: () => undoDecision(data.decision.id) }
  },
  'all signals of it and of a claim that was merged into it are dismissed': async () => {
    const [one, two] = [await say(), await say()]
    const [claim, other] = [await workspace.claim('It hangs', [one]), await workspace.claim('It stops', [two])]
    await call('merge_claims', { claim_id: other.id, into_claim_id: claim.id })
    const { data } = await dismiss(one, two)
    return { claim, back: () => undoDecision(data.decision.id) }
  },
  'its only signal repeats another': async () => {
    const [signal, original] = [await say(), await say()]
    const claim = await workspace.claim('It hangs', [signal])
    const more = { action: 'duplicate', original_signal_id: original.id }
    const { data } = await call('triage_signals', { ...more, signal_ids: [signal.id] })
    return { claim, back: () => undoDecision(data.decision.id) }
  },
  'its only signal repeats another, and is no repeat after all': async () => {
    const [signal, original] = [await say(), await say()]
    const claim = await workspace.claim('It hangs', [signal])
    await call('triage_signals', { action: 'duplicate', original_signal_id: original.id, signal_ids: [signal.id] })
    return { claim, back: () => call('triage', { action: 'not_a_repeat', signal_id: signal.id }) }
  },
  'its only signal is no repeat after all, and then repeats again': async () => {
    const [signal, original] = [await say(), await say()]
    const claim = await workspace.claim('It hangs', [signal])
    await call('triage_signals', { action: 'duplicate', original_signal_id: original.id, signal_ids: [signal.id] })
    const { data } = await call('triage', { action: 'not_a_repeat', signal_id: signal.id })
    await undoDecision(data.decision.id)
    return { claim }
  },
  'the judge’s signal is pulled out, and the other is dismissed': async () => {
    const [one, two] = [await say(), await say()]
    const claim = await workspace.claim('It hangs', [one])
    await judged(claim, two)
    await dismiss(one)
    await call('triage', { action: 'undo', signal_id: two.id, claim_id: claim.id })
    return { claim, back: () => call('triage', { action: 'accept', signal_id: one.id }) }
  },
  'a part of it is split off, and the rest is dismissed': async () => {
    const [one, two] = [await say(), await say()]
    const claim = await workspace.claim('It hangs', [one, two])
    await dismiss(one)
    const { meta } = await call('split_claim', { claim_id: claim.id, signal_ids: [two.id] })
    return { claim, back: () => undoChange(meta.change_id) }
  },
  'a merge is undone, and its own signal is dismissed': async () => {
    const [one, two] = [await say(), await say()]
    const [claim, other] = [await workspace.claim('It hangs', [one]), await workspace.claim('It stops', [two])]
    await call('merge_claims', { claim_id: other.id, into_claim_id: claim.id })
    const { data } = await dismiss(one)
    await call('triage', { action: 'undo', claim_id: other.id })
    return { claim, back: () => undoDecision(data.decision.id) }
  },
  'it was merged, which is undone once all is dismissed': async () => {
    const [one, two] = [await say(), await say()]
    const [claim, other] = [await workspace.claim('It hangs', [one]), await workspace.claim('It stops', [two])]
    await call('merge_claims', { claim_id: claim.id, into_claim_id: other.id })
    const { data } = await dismiss(one, two)
    await call('triage', { action: 'undo', claim_id: claim.id })
    return { claim, back: () => undoDecision(data.decision.id) }
  },
  'what was attached to it goes again, and the rest is dismissed': async () => {
    const [one, two] = [await say(), await say()]
    const claim = await workspace.claim('It hangs', [one])
    const { data } = await call('attach_evidence', { signal_id: two.id, claim_id: claim.id, reason: 'It does, too.' })
    await dismiss(one)
    await undoDecision(data.decision.id)
    return { claim }
  },
  'a Solution answers it no more, and its signal is dismissed': async () => {
    const signal = await say()
    const claim = await workspace.claim('It hangs', [signal])
    const made = await call('create_solution', { title: 'Mend it', claim_ids: [claim.id], comment: 'So it is.' })
    await dismiss(signal)
    assert.equal(await stateOf(claim), 'emerging')
    const { id } = made.data.solution
    const { meta } = await call('update_solution', {
      solution_id: id,
      remove_claim_ids: [claim.id],
      comment: 'Not it.',
    })
    return { claim, back: () => undoChange(meta.change_id) }
  },
  'its other signal is erased': async () => {
    const [one, two] = [await say(), await say()]
    const claim = await workspace.claim('It hangs', [one, two])
    await dismiss(one)
    const erasureId = newId()
    await kit.database.pool.query(
      `insert into erasures (id, workspace_id, what, sealed, asked_by, asked_by_name) values ($1, $2, 'person', $3, $1, 'A')`,
      [erasureId, workspace.id, Buffer.of(1)],
    )
    const erased = { workspaceId: workspace.id, erasureId, ids: [two.id] }
    await kit.database.database.transaction({ role: 'assay_erasure', workspaceId: workspace.id }, transaction =>
      eraseSignals(transaction, erased),
    )
    return { claim, back: () => call('triage', { action: 'accept', signal_id: one.id }) }
  },
}

describe('A claim is dismissed where only dismissed signals are left of it, and emerges again with the way back', () => {
  for (const [way, go] of Object.entries(WAYS))
    it(`as ${way}`, async () => {
      const { claim, back } = await go()
      assert.deepEqual(await standing(), [])
      assert.equal(await stateOf(claim), 'dismissed')
      if (back === undefined) return
      await back()
      assert.equal(await stateOf(claim), 'emerging')
    })

  it('but stays as a person left it', async () => {
    const [one, two] = [await say(), await say()]
    const [kept, gone] = [await workspace.claim('It hangs', [one]), await workspace.claim('It stops', [two])]
    await call('update_claim', { claim_id: kept.id, state: 'established' })
    await call('update_claim', { claim_id: gone.id, state: 'dismissed' })
    const { data } = await dismiss(one, two)
    assert.equal(await stateOf(kept), 'established')
    await undoDecision(data.decision.id)
    assert.deepEqual([await stateOf(kept), await stateOf(gone)], ['established', 'dismissed'])
  })
})
