import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  for (const title of ['One', 'Two', 'Three']) await decide('create_solution', { title })
})

const decide = async (mode: string, input: object): Promise<string> =>
  (await workspace.call('service_decide', mode, { comment: 'Agreed.', ...input })).data.decision.reference
const reverse = async (decision_id: string) => (await workspace.inApp('reverse_decision', { decision_id })).data

describe('A place on the roadmap', () => {
  const place = (solution_id: string, horizon: string, position?: number) =>
    decide('roadmap', { action: 'place', solution_id, horizon, ...(position && { position }) })
  const roadmap = async () => {
    const { data } = await workspace.call('service_orient', 'roadmap')
    return data.items.map((one: { horizon: string; reference: string }) => `${one.horizon} ${one.reference}`).join(', ')
  }

  it('is what it was before the Decision, and again what that made of it when the reversal is reversed', async () => {
    const first = await place('SOL-1', 'now')
    await place('SOL-2', 'now')
    const moved = await place('SOL-1', 'later')
    const { decision, solutions } = await reverse(moved)
    assert.deepEqual(solutions[0].changed.roadmap, {
      from: { horizon: 'later', position: 1 },
      to: { horizon: 'now', position: 1 },
    })
    assert.equal(await roadmap(), 'now SOL-1, now SOL-2')
    await reverse(decision.reference)
    assert.equal(await roadmap(), 'now SOL-2, later SOL-1')
    await reverse(moved)
    await reverse(first)
    assert.equal(await roadmap(), 'now SOL-2')
    const off = await decide('roadmap', { action: 'remove', solution_id: 'SOL-2' })
    await reverse(off)
    assert.equal(await roadmap(), 'now SOL-2')
  })

  it('stays where a later Decision put it, and where it is over', async () => {
    const first = await place('SOL-1', 'now')
    const second = await place('SOL-1', 'now', 1).catch(() => place('SOL-1', 'next'))
    await assert.rejects(reverse(first), failsWith('conflict', new RegExp(`placed on the roadmap by ${second} since`)))
    assert.equal(await roadmap(), 'next SOL-1')
    const off = await decide('roadmap', { action: 'remove', solution_id: 'SOL-1' })
    await decide('update_solution', { solution_id: 'SOL-1', state: 'Dropped' })
    await assert.rejects(reverse(off), failsWith('conflict', /it is Dropped/))
    assert.equal(await roadmap(), '')
  })
})

describe('The strategy', () => {
  const change = (action: string, input: object) => decide('strategy', { action, ...input })
  const add = (layer: string, title: string, more: object = {}) => change('add', { layer, title, ...more })
  const stack = async () => {
    const { data } = await workspace.call('service_orient', 'strategy', { depth: 'full' })
    return data.items.map(
      (one: { layer: string; title: string; text: string; claim_count: number; solution_count: number }) =>
        `${one.layer} ${one.title}: ${one.text} ${one.claim_count} ${one.solution_count}`,
    )
  }

  it('is what it was before each kind of change', async () => {
    const claim = await workspace.claim('Exports time out')
    const added = await add('bet', 'Streams', { summary: 'No memory.', solution_ids: ['SOL-1'] })
    await add('bet', 'Mails')
    const before = await stack()
    const changes = [
      () => change('update', { strategy_id: 'Streams', title: 'Rivers', summary: '' }),
      () => change('move', { strategy_id: 'Streams', layer: 'objective' }),
      () => change('move', { strategy_id: 'Mails', position: 1 }),
      () => change('link', { strategy_id: 'Streams', claim_ids: [claim.reference], solution_ids: ['SOL-2'] }),
      () => change('unlink', { strategy_id: 'Streams', solution_ids: ['SOL-1'] }),
      () => change('remove', { strategy_id: 'Streams' }),
      () => add('bet', 'Pigeons', { position: 1 }),
    ]
    for (const make of changes) {
      const decision = await make()
      const after = await stack()
      assert.notDeepEqual(after, before)
      const reversal = await reverse(decision)
      assert.equal(reversal.elements.length, 1)
      assert.deepEqual(await stack(), before)
      await reverse(reversal.decision.reference)
      assert.deepEqual(await stack(), after)
      await reverse(decision)
      assert.deepEqual(await stack(), before)
    }
    await reverse(added)
    assert.deepEqual(await stack(), ['bet Mails:  0 0'])
  })

  it('undoes all that one Decision carried, the last change first', async () => {
    const added = await add('bet', 'Streams')
    const before = await stack()
    const meant = (await workspace.call('service_decide', 'decision', { statement: 'A new plan.' })).data.reference
    const grounds = { comment: undefined, decision_id: meant }
    await change('update', { strategy_id: 'Streams', title: 'Rivers', ...grounds })
    await change('update', { strategy_id: 'Rivers', title: 'Oceans', ...grounds })
    await add('vision', 'Water', grounds)
    await decide('roadmap', { action: 'place', solution_id: 'SOL-1', horizon: 'now', ...grounds })
    await reverse(meant)
    assert.deepEqual(await stack(), before)
    assert.equal((await workspace.call('service_orient', 'roadmap')).data.count, 0)
    await reverse(added)
  })

  it('stays as a later Decision made it, and then nothing of the earlier one is undone', async () => {
    const added = await add('bet', 'Streams', { solution_ids: ['SOL-1'] })
    const later = await change('update', { strategy_id: 'Streams', title: 'Rivers' })
    await assert.rejects(reverse(added), failsWith('conflict', new RegExp(`${later} changed the same element since`)))
    assert.deepEqual(await stack(), ['bet Rivers:  0 1'])
    await reverse(later)
    await reverse(added)
    assert.deepEqual(await stack(), [])
  })

  it('is not given back by a viewer or from another workspace', async () => {
    const added = await add('bet', 'Streams')
    await assert.rejects(workspace.inApp('reverse_decision', { decision_id: added }, 'viewer'), failsWith('forbidden'))
    const id = (await workspace.inApp('lookup_reference', { query: added })).data.items[0].id
    const other = await kit.workspace()
    await assert.rejects(other.inApp('reverse_decision', { decision_id: id }), failsWith('not_found'))
    assert.equal((await stack()).length, 1)
  })
})
