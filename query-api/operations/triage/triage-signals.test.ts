import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { newId } from '../../../schemas/domain/ids.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

type Listed = Awaited<ReturnType<Workspace['signal']>>

describe('Deciding on several Signals as one', () => {
  let kit: OperationsKit
  let workspace: Workspace
  before(async () => {
    kit = await startOperations()
  })
  after(() => kit.stop())
  beforeEach(async () => {
    kit.now = new Date('2026-06-01T12:00:00Z')
    workspace = await kit.workspace()
  })

  const TEXTS = ['Exports time out.', 'The login page is blank.', 'Where is dark mode?']
  const several = (classification: 'problem' | 'question' = 'problem') =>
    Promise.all(TEXTS.map(text => workspace.signal({ text, classification, actorKey: text })))
  const versions = (signals: readonly Listed[], version = 1) => signals.map(({ id }) => ({ signal_id: id, version }))
  const decide = async (action: string, signals: readonly Listed[], more: object = {}, version = 1) =>
    (await workspace.inApp('triage_signals', { action, signals: versions(signals, version), ...more })).data
  const undo = async (decision: { reference: string }) =>
    (await workspace.inApp('triage', { action: 'undo', decision_id: decision.reference })).data
  const listed = async (input: object = {}): Promise<string[]> =>
    (await workspace.inApp('list_signals', { state: 'triage', ...input })).data.items
      .map((one: { reference: string }) => one.reference)
      .sort()
  const look = async (mode: string, input: object) => (await workspace.call('service_lookup', mode, input)).data
  const references = (signals: readonly Listed[]) => signals.map(one => one.reference).sort()
  const standing = async (id: string) => {
    const { rows } = await kit.database.pool.query('select signals, actors from priority_totals where target_id = $1', [
      id,
    ])
    return rows[0] ?? null
  }

  for (const [action, more] of [
    ['accept', {}],
    ['dismiss', {}],
    ['reclassify', { classification: 'question' }],
  ] as const) {
    it(`logs no Decision and makes no version where all of it is so already: ${action}`, async () => {
      const signals = await several()
      const [first, ...others] = signals
      assert.ok(first)
      await decide(action, [first], more)
      const again = (await workspace.inApp('triage', { action, signal_id: first.id, version: 2, ...more })).data
      assert.deepEqual([again.decision, again.signal.version], [null, 2])
      assert.match(again.unchanged, /^SIG-\d+ is .* already; nothing was changed\.$/)
      const alone = await decide(action, [first], more, 2)
      assert.deepEqual([alone.decision, alone.signals[0].version], [null, 2])
      assert.match(alone.unchanged, /already; nothing was changed/)
      const all = [{ signal_id: first.id, version: 2 }, ...versions(others)]
      const { data } = await workspace.inApp('triage_signals', { action, signals: all, ...more })
      assert.deepEqual([data.decision.reference, data.unchanged], ['DEC-2', null])
      assert.deepEqual(
        data.signals.map((one: { version: number }) => one.version),
        [2, 2, 2],
      )
    })
  }

  it('takes a claim away with the last signal that speaks for it, and brings it back with the first', async () => {
    const [one, two, original] = await several()
    assert.ok(one && two && original)
    const claim = await workspace.claim('Exports time out', [one, two])
    const state = async () => (await look('claim', { id: claim.id })).state
    await decide('dismiss', [one])
    assert.equal(await state(), 'emerging')
    const dismissed = await decide('dismiss', [two])
    assert.equal(await state(), 'dismissed')
    await undo(dismissed.decision)
    assert.equal(await state(), 'emerging')
    await workspace.inApp('triage', { action: 'dismiss', signal_id: two.id })
    assert.equal(await state(), 'dismissed')
    await workspace.inApp('triage', { action: 'accept', signal_id: two.id })
    assert.equal(await state(), 'emerging')
    const { version } = (await look('signal', { id: two.id })).signal
    const repeats = await decide('duplicate', [two], { original_signal_id: original.id }, version)
    assert.equal(await state(), 'dismissed')
    await undo(repeats.decision)
    assert.equal(await state(), 'emerging')
  })

  it('leaves a claim that people stand behind, or that a Solution answers, whatever becomes of its signals', async () => {
    const [one, two] = await several()
    assert.ok(one && two)
    const [established, answered] = [await workspace.claim('One', [one]), await workspace.claim('Two', [two])]
    await workspace.inApp('update_claim', { claim_id: established.id, state: 'established' })
    await workspace.inApp('create_solution', { title: 'Two', claim_ids: [answered.id], comment: 'So it is.' })
    await decide('dismiss', [one, two])
    const states = [await look('claim', { id: established.id }), await look('claim', { id: answered.id })]
    assert.deepEqual(
      states.map(({ state }) => state),
      ['established', 'emerging'],
    )
  })

  it('answers an agent a line for each of several', async () => {
    const many = await Promise.all(Array.from({ length: 2 }, (_, n) => workspace.signal({ text: `Outage ${n}.` })))
    const signal_ids = many.map(one => one.reference)
    const { data } = await workspace.call('service_decide', 'triage_signals', { action: 'accept', signal_ids })
    assert.deepEqual(
      data.signals.map((one: object) => ({ ...one, classification: undefined })),
      signal_ids.map(reference => ({ reference, state: 'accepted', classification: undefined, version: 2 })),
    )
  })

  it('accepts and dismisses all with one Decision, and takes all back with it', async () => {
    const signals = await several()
    const { decision, signals: shown } = await decide('dismiss', signals, { comment: 'Spam.' })
    assert.deepEqual(
      shown.map((one: { state: string; version: number }) => [one.state, one.version]),
      signals.map(() => ['dismissed', 2]),
    )
    assert.deepEqual(await listed(), [])
    const { data } = await workspace.inApp('lookup_decision', { id: decision.reference })
    assert.equal(data.decision.text, 'Spam.')
    const { undone } = await undo(decision)
    assert.deepEqual(undone, ['dismiss', 'dismiss', 'dismiss'])
    assert.deepEqual(await listed(), references(signals))
    await decide('accept', signals, {}, 3)
    assert.deepEqual(await listed({ state: 'accepted' }), references(signals))
  })

  const claimOf = async (id: string) => {
    const { rows } = await kit.database.pool.query('select kind, state from claims where id = $1', [id])
    return [rows[0].kind, rows[0].state]
  }

  it('has the claims of reclassified signals be what their evidence is, until that is taken back', async () => {
    const [alone, one, other] = await several()
    assert.ok(alone && one && other)
    const own = await workspace.claim('Exports', [alone])
    const shared = await workspace.claim('Exports', [one, other])
    const first = await decide('reclassify', [alone, one], { classification: 'idea' })
    assert.deepEqual(
      [await claimOf(own.id), await claimOf(shared.id)],
      [
        ['opportunity', 'emerging'],
        ['problem', 'emerging'],
      ],
    )
    const second = await decide('reclassify', [other], { classification: 'idea' })
    assert.deepEqual(await claimOf(shared.id), ['opportunity', 'emerging'])
    await undo(second.decision)
    await undo(first.decision)
    assert.deepEqual(
      [await claimOf(own.id), await claimOf(shared.id)],
      [
        ['problem', 'emerging'],
        ['problem', 'emerging'],
      ],
    )
  })

  it('dismisses the emerging claim of a signal that is a question, and has it emerge again with the signal', async () => {
    const [signal] = await several()
    assert.ok(signal)
    const { id } = await workspace.claim('Exports', [signal])
    const { decision } = await decide('reclassify', [signal], { classification: 'question' })
    assert.deepEqual(await claimOf(id), ['problem', 'dismissed'])
    await undo(decision)
    assert.deepEqual(await claimOf(id), ['problem', 'emerging'])
    await decide('reclassify', [signal], { classification: 'question' }, 3)
    await decide('reclassify', [signal], { classification: 'idea' }, 4)
    assert.deepEqual(await claimOf(id), ['opportunity', 'emerging'])
  })

  it('writes nothing when one of them has changed since it was read, and says which', async () => {
    const signals = await several()
    const [, changed] = signals
    assert.ok(changed)
    await decide('reclassify', [changed], { classification: 'idea' })
    await assert.rejects(
      decide('accept', signals),
      failsWith('conflict', new RegExp(`^${changed.reference} has changed`)),
    )
    assert.deepEqual(await listed({ state: 'accepted' }), [])
  })

  it('refuses what is not there, what is too much, what the action does not take, and a viewer', async () => {
    const signals = await several()
    await assert.rejects(
      decide('accept', [...signals, { id: newId(), reference: '' } as Listed]),
      failsWith('not_found'),
    )
    const many = Array.from({ length: 201 }, () => ({ id: newId(), reference: '' }) as Listed)
    await assert.rejects(decide('accept', many), failsWith('invalid_input'))
    await assert.rejects(
      decide('accept', signals, { classification: 'idea' }),
      failsWith('invalid_input', /Action accept/),
    )
    await assert.rejects(decide('reclassify', signals), failsWith('invalid_input', /needs signals, classification/))
    await assert.rejects(
      workspace.inApp('triage_signals', { action: 'accept', signals: versions(signals) }, 'viewer'),
      failsWith('forbidden'),
    )
    const stranger = await kit.workspace()
    await assert.rejects(
      stranger.inApp('triage_signals', { action: 'accept', signals: versions(signals) }),
      failsWith('not_found'),
    )
    assert.deepEqual(await listed(), references(signals))
  })

  it('reclassifies all, each without a claim starting one, and takes that back', async () => {
    const signals = await several('question')
    const { decision, signals: shown } = await decide('reclassify', signals, { classification: 'idea' })
    assert.deepEqual(
      shown.map((one: { claims: unknown[] }) => one.claims.length),
      [1, 1, 1],
    )
    await undo(decision)
    assert.deepEqual(await listed({ classification: 'question', claim: 'without' }), references(signals))
  })

  it('promotes all to one new claim, or to one that there is, and takes both back', async () => {
    const signals = await several('question')
    const { claim, decision } = await decide('promote', signals, { kind: 'opportunity', title: 'Answers' })
    assert.deepEqual([claim.reference, claim.is_new], ['CLM-1', true])
    assert.equal((await standing(claim.id)).signals, 3)
    await undo(decision)
    assert.equal((await standing(claim.id)).signals, 0)
    const other = await workspace.claim('Nobody finds anything', [
      await workspace.signal({ text: 'Search finds nothing.' }),
    ])
    const joined = await decide('promote', signals, { claim_id: other.reference }, 3)
    assert.deepEqual([joined.claim.reference, joined.claim.is_new], [other.reference, false])
    assert.equal((await standing(other.id)).signals, 4)
    await assert.rejects(
      decide('promote', signals, { kind: 'problem' }, 4),
      failsWith('conflict', /evidence of CLM-2 already/),
    )
    await undo(joined.decision)
    assert.equal((await standing(other.id)).signals, 1)
  })

  describe('that repeat another', () => {
    const arranged = async () => {
      const [original, one, two] = await several()
      assert.ok(original && one && two)
      await workspace.occurrence(one.id, { actorKey: 'repeater' })
      return {
        original,
        one,
        two,
        claim: await workspace.claim('Exports', [original]),
        own: await workspace.claim('Login', [one]),
      }
    }
    const shownOf = async (id: string) => (await workspace.inApp('lookup_signal', { id })).data

    it('counts them and their repeats with the original, once, and takes that back', async () => {
      const { original, one, two, claim, own } = await arranged()
      assert.deepEqual(
        [await standing(claim.id), await standing(own.id)].map(row => row.signals),
        [1, 2],
      )
      const { decision } = await decide('duplicate', [one, two], { original_signal_id: original.reference })
      assert.deepEqual(await standing(claim.id), { signals: 4, actors: 4 })
      assert.deepEqual(await standing(own.id), { signals: 0, actors: 0 })
      assert.deepEqual(await listed(), [original.reference])
      for (const id of [one.id, one.reference]) {
        const { signal, status, duplicate } = await shownOf(id)
        assert.deepEqual(
          [signal.reference, signal.occurrences, status, duplicate.reason],
          [original.reference, 3, 'duplicate', 'member'],
        )
      }
      await undo(decision)
      assert.deepEqual([(await standing(claim.id)).signals, (await standing(own.id)).signals], [1, 2])
      assert.equal((await shownOf(one.reference)).signal.occurrences, 1)
      assert.deepEqual(await listed(), references([original, one, two]))
    })

    it('leads on from a repeat to its original, and each can be taken back in any order', async () => {
      const { original, one, two, claim, own } = await arranged()
      const first = await decide('duplicate', [one], { original_signal_id: two.reference })
      const second = await decide('duplicate', [two], { original_signal_id: original.id })
      assert.equal((await standing(claim.id)).signals, 4)
      await undo(first.decision)
      assert.deepEqual([(await standing(claim.id)).signals, (await standing(own.id)).signals], [2, 2])
      const ofRepeat = decide('duplicate', [one], { original_signal_id: two.reference }, 3)
      await assert.rejects(ofRepeat, failsWith('conflict', /counts as a repeat/))
      await undo(second.decision)
      assert.equal((await standing(claim.id)).signals, 1)
    })

    it('refuses itself, an original that is dismissed, and any other decision on what repeats another', async () => {
      const { original, one, two } = await arranged()
      const into = { original_signal_id: original.reference }
      await assert.rejects(decide('duplicate', [original], into), failsWith('invalid_input', /cannot repeat itself/))
      await decide('duplicate', [one], into)
      await assert.rejects(decide('accept', [one], {}, 2), failsWith('conflict', /counts as a repeat of SIG-/))
      await assert.rejects(
        workspace.call('service_decide', 'triage', { action: 'accept', signal_id: one.reference }),
        failsWith('conflict', /counts as a repeat/),
      )
      await decide('dismiss', [original])
      await assert.rejects(decide('duplicate', [two], into), failsWith('conflict', /is dismissed/))
    })
  })

  describe('that are put off', () => {
    const until = '2026-06-02T09:00:00+02:00'

    it('leaves Triage until the time and comes back by itself; counts and agents see the same', async () => {
      const signals = await several()
      await decide('snooze', signals.slice(0, 2), { until })
      const inTriage = async () => {
        const { data } = await workspace.call('service_lookup', 'triage')
        const { counts } = (await workspace.call('service_orient', 'snapshot')).data
        return [data.count, data.items.length, counts.signals_in_triage, (await listed()).length]
      }
      assert.deepEqual(await inTriage(), [1, 1, 1, 1])
      assert.deepEqual(await listed({ snoozed: 'only' }), references(signals.slice(0, 2)))
      assert.equal((await listed({ snoozed: 'shown' })).length, 3)
      kit.now = new Date('2026-06-02T07:00:01Z')
      assert.deepEqual(await inTriage(), [3, 3, 3, 3])
      const { items } = (await workspace.inApp('list_signals', { state: 'triage' })).data
      assert.deepEqual(items.find((one: { id: string }) => one.id === signals[0]?.id).snooze, {
        until: '2026-06-02T07:00:00.000Z',
        until_signals: null,
        signals: 1,
        is_active: false,
        snoozed_by: 'Owner',
      })
    })

    it('comes back once so many more say it, at its claim or as its repeats', async () => {
      const [lone, member] = await several()
      assert.ok(lone && member)
      const claim = await workspace.claim('Login', [member])
      const { signals } = await decide('snooze', [lone, member], { more_signals: 2 })
      const asleep = { until: null, until_signals: 3, signals: 1, is_active: true }
      for (const { snooze } of signals)
        assert.deepEqual({ ...snooze, snoozed_by: undefined }, { ...asleep, snoozed_by: undefined })
      const { signal } = await look('signal', { id: lone.reference })
      assert.deepEqual([signal.snooze.until_signals, signal.snooze.is_active], [3, true])
      const lines = await look('signals', { snoozed: 'only', depth: 'summary' })
      assert.deepEqual(lines.items[0].snooze, { until_signals: 3, signals: 1 })
      assert.equal((await listed({ snoozed: 'only' })).length, 2)
      await workspace.occurrence(lone.id, { actorKey: 'one' })
      await workspace.occurrence(member.id, { actorKey: 'two' })
      assert.equal((await listed({ snoozed: 'only' })).length, 2)
      await workspace.occurrence(lone.id, { actorKey: 'three' })
      const another = await workspace.signal({ text: 'Nobody can log in.', classification: 'question' })
      await decide('promote', [another], { claim_id: claim.reference })
      assert.deepEqual(await listed({ snoozed: 'only' }), [])
    })

    it('comes back at the first of both, the time or so many more', async () => {
      kit.now = new Date('2026-06-01T12:00:00Z')
      const [early, said] = await several()
      assert.ok(early && said)
      await decide('snooze', [early, said], { until, more_signals: 1 })
      assert.equal((await listed({ snoozed: 'only' })).length, 2)
      await workspace.occurrence(said.id, { actorKey: 'one' })
      assert.deepEqual(await listed({ snoozed: 'only' }), references([early]))
      kit.now = new Date('2026-06-02T07:00:01Z')
      assert.deepEqual(await listed({ snoozed: 'only' }), [])
    })

    it('wakes them, and takes either back', async () => {
      const signals = await several()
      const { decision } = await decide('snooze', signals, { until })
      await undo(decision)
      assert.equal((await listed()).length, 3)
      await decide('snooze', signals, { more_signals: 5 }, 3)
      const woken = await decide('wake', signals, {}, 4)
      assert.equal((await listed()).length, 3)
      await undo(woken.decision)
      assert.equal((await listed({ snoozed: 'only' })).length, 3)
    })

    it('brings dismissed ones back with their claims, and takes that back; an accepted one is refused', async () => {
      const [one, other, accepted] = await several()
      assert.ok(one && other && accepted)
      const claim = await workspace.claim('Login', [one])
      const stateOf = async (id: string) => (await look('signal', { id })).signal.state
      const claimState = async () => (await look('claim', { id: claim.reference })).state
      await decide('dismiss', [one, other])
      assert.equal(await claimState(), 'dismissed')
      await decide('accept', [accepted])
      await assert.rejects(decide('wake', [one, accepted], {}, 2), failsWith('conflict', /snoozed or dismissed/))
      const back = await decide('wake', [one, other], {}, 2)
      assert.deepEqual([await stateOf(one.reference), await stateOf(other.reference)], ['triage', 'triage'])
      assert.equal(await claimState(), 'emerging')
      await undo(back.decision)
      assert.deepEqual([await stateOf(one.reference), await stateOf(other.reference)], ['dismissed', 'dismissed'])
      assert.equal(await claimState(), 'dismissed')
    })

    it('refuses a time that is over, has no zone or is too far, neither, and what is decided', async () => {
      const signals = await several()
      for (const when of [
        '2026-06-01T11:59:59Z',
        '2026-06-02T09:00:00',
        'tomorrow',
        '2029-01-01T00:00:00Z',
        '2026-13-45T00:00Z',
      ])
        await assert.rejects(decide('snooze', signals, { until: when }), failsWith('invalid_input', /until/))
      await assert.rejects(decide('snooze', signals, {}), failsWith('invalid_input', /until, more_signals or both/))
      await decide('accept', signals)
      await assert.rejects(decide('snooze', signals, { until }, 2), failsWith('conflict', /are not in Triage/))
    })
  })
})
