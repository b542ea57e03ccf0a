import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { newId, newSignalId, type SignalId } from '../../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import { failsWith, type Workspace } from '../testing.ts'
import { type ActivityKit, startOperationsWithActivity, walked } from '../testing-activity.ts'

let kit: ActivityKit
let workspace: Workspace

before(async () => {
  kit = await startOperationsWithActivity()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const record = (...records: Partial<ActivityRecord>[]) => kit.record(workspace.id, ...records)

const trace = async (id: string) => (await workspace.call('service_support', 'signal', { id })).data

interface ShownStep {
  readonly step: string
  readonly outcome: string
  readonly attempt: number
  readonly replay: number
}
const shown = (steps: readonly ShownStep[]): string[] =>
  steps.map(({ step, outcome, attempt, replay }) => `${step} ${outcome} ${attempt}/${replay}`)

const stepOf = (subject_id: string, step: StepName, outcome: string, known: Partial<ActivityRecord> = {}) => ({
  subject_id,
  step,
  step_ordinal: STEPS.indexOf(step) + 1,
  outcome,
  version: `${step}-1`,
  ...known,
})

const died = (subject_id: string, step: StepName, fault: string, known: Partial<ActivityRecord> = {}) => ({
  ...stepOf(subject_id, step, fault, known),
  kind: 'signal.dead_letter' as const,
})

describe('The trace of a signal', () => {
  it('shows its receipt, each step with duration and version, and the whole time', async () => {
    const { id } = await workspace.signal({ text: 'The calendar is slow.' })
    const source_id = newId()
    const times = (step: StepName) => ({
      duration_ms: 2.5,
      elapsed_ms: 100 * (STEPS.indexOf(step) + 1),
      channel: 'email',
      source_id,
    })
    await record(
      { kind: 'signal.received', subject_id: id, channel: 'email', source_id, occurred_at: kit.now.getTime() - 123 },
      ...STEPS.map(step => stepOf(id, step, 'next', { ...times(step), occurred_at: kit.now.getTime() - 123 })),
    )
    const data = await trace(id)
    const received_at = new Date(kit.now.getTime() - 123).toISOString()
    assert.deepEqual(data.receipt, { received_at, channel: 'email', source_id })
    assert.deepEqual(
      data.steps.map(({ step }: ShownStep) => step),
      ['received', ...STEPS],
    )
    assert.deepEqual(data.steps[4], {
      step: 'embed',
      ordinal: 4,
      outcome: 'next',
      fault: '',
      reason: '',
      version: 'embed-1',
      attempt: 1,
      replay: 0,
      duration_ms: 2.5,
      elapsed_ms: 400,
      ended_at: new Date(kit.now.getTime() - 123 + 400).toISOString(),
    })
    assert.deepEqual([data.total_ms, data.retries, data.replays, data.dead_letters], [100 * STEPS.length, 0, 0, []])
  })

  it('is found by reference too, and follows a duplicate by its own id to its original', async () => {
    const { id, reference } = await workspace.signal({ text: 'The calendar is slow.' })
    const repeat = await workspace.occurrence(id)
    await record(...walked(id, 'cluster', 'next'), ...walked(repeat, 'dedup', 'skip'))
    const byReference = await trace(reference)
    assert.deepEqual([byReference.status, byReference.signal.id], ['inserted', id])
    assert.equal(byReference.steps.at(-1).step, 'cluster')
    const duplicate = await trace(repeat)
    assert.deepEqual([duplicate.status, duplicate.duplicate.original], ['duplicate', reference])
    assert.equal(duplicate.steps.at(-1).outcome, 'skip')
  })

  it('is of nothing that was erased, on its way or once it was stored, and a write says so too', async () => {
    const [onItsWay, stored, repeat] = [0, 1, 2].map(() => newSignalId(workspace.id))
    assert.ok(onItsWay && stored && repeat)
    await record(...walked(onItsWay, 'scrub', 'erased'))
    await record(...walked(stored, 'cluster', 'next'))
    await record(...walked(repeat, 'dedup', 'skip'))
    for (const id of [onItsWay, stored, repeat]) {
      const erased = failsWith('not_found', /was accepted, and erased since/)
      await assert.rejects(trace(id), erased)
      await assert.rejects(
        workspace.call('service_decide', 'decision', { statement: 'It is so.', about: [id] }),
        erased,
      )
    }
  })

  it('puts retries where they happened, though attempts count anew at the next head', async () => {
    const id = newId<SignalId>()
    await record(
      ...walked(id, 'scrub', 'next', { elapsed_ms: 10 }).map(step =>
        step.kind === 'signal.received' ? { ...step, elapsed_ms: 0 } : step,
      ),
      stepOf(id, 'embed', 'retry', { attempt: 1, elapsed_ms: 20, reason: 'The model took too long.' }),
      stepOf(id, 'embed', 'retry', { attempt: 2, elapsed_ms: 10_020, reason: 'The model took too long.' }),
      stepOf(id, 'embed', 'next', { attempt: 3, elapsed_ms: 70_020 }),
      stepOf(id, 'anchor', 'next', { attempt: 1, elapsed_ms: 70_050 }),
    )
    const data = await trace(id)
    assert.deepEqual(shown(data.steps).slice(4), [
      'embed retry 1/0',
      'embed retry 2/0',
      'embed next 3/0',
      'anchor next 1/0',
    ])
    assert.deepEqual([data.status, data.retries, data.total_ms], ['in_pipeline', 2, 70_050])
  })

  it('says of one that waits in a delay queue where it failed, how often and why', async () => {
    const id = newId<SignalId>()
    await record(stepOf(id, 'embed', 'retry', { attempt: 2, reason: 'The model took too long.' }))
    const { message } = await trace(id)
    assert.match(message, /^It waits to be tried again at embed, where attempt 2 failed: ‹The model took too long\.›/)
  })

  it('shows a dead letter with its step, its reason and whose fault it was, and replays apart', async () => {
    const reason = 'The model took too long.'
    const id = await workspace.deadLetter({
      step: 'embed',
      sealed: false,
      message: reason,
      fault: 'transient',
      topic: 'signals.embed',
    })
    await record(
      stepOf(id, 'embed', 'retry', { attempt: 4, elapsed_ms: 1000, reason }),
      died(id, 'embed', 'transient', { attempt: 4, elapsed_ms: 1000, reason }),
      stepOf(id, 'embed', 'retry', { replay: 1, elapsed_ms: 5000, reason }),
      died(id, 'embed', 'transient', { replay: 1, elapsed_ms: 5000, reason }),
    )
    const data = await trace(id)
    assert.equal(data.status, 'dead')
    assert.match(data.message, /died at step embed/)
    assert.deepEqual(shown(data.steps), [
      'embed retry 4/0',
      'embed dead_letter 4/0',
      'embed retry 1/1',
      'embed dead_letter 1/1',
    ])
    assert.deepEqual([data.steps[1].fault, data.steps[1].reason], ['transient', reason])
    assert.equal(data.replays, 1)
    assert.deepEqual(
      data.dead_letters.map((deadLetter: { step: string; message: string; state: string }) => [
        deadLetter.step,
        deadLetter.message,
        deadLetter.state,
      ]),
      [['embed', reason, 'waiting']],
    )
  })

  it('keeps the dead letter in sight after a replay has brought the signal through', async () => {
    const { id } = await workspace.signal({ text: 'It went through in the end.' })
    await record(
      died(id, 'embed', 'ours', { elapsed_ms: 10 }),
      ...walked(id, 'cluster', 'next', { replay: 1, elapsed_ms: 5000 }),
    )
    const data = await trace(id)
    assert.deepEqual([data.status, data.replays], ['inserted', 1])
    assert.equal(shown(data.steps)[0], 'embed dead_letter 1/0')
  })

  it('does not tell why a signal died whose letter is sealed', async () => {
    const id = await workspace.deadLetter({ step: 'normalize', sealed: true, message: 'No words.' })
    await record(
      stepOf(id, 'normalize', 'dead', { elapsed_ms: 5, reason: 'No words.' }),
      died(id, 'normalize', 'sender', { elapsed_ms: 5, reason: 'No words.' }),
    )
    const data = await trace(id)
    assert.deepEqual(shown(data.steps), ['normalize dead 1/0', 'normalize dead_letter 1/0'])
    assert.doesNotMatch(JSON.stringify(data), /No words/)
    assert.deepEqual([data.dead_letters[0].sealed, data.dead_letters[0].message], [true, null])
  })

  it('has no receipt while the activity of a signal that is stored has not arrived', async () => {
    const { id } = await workspace.signal({ text: 'Quicker than its activity.' })
    const data = await trace(id)
    assert.deepEqual([data.status, data.receipt, data.total_ms, data.steps], ['inserted', null, null, []])
  })
})
