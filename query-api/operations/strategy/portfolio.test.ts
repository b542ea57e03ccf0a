import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { refusal } from '../decisions/testing.ts'
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

const decide = (mode: string, input: object) => workspace.call('service_decide', mode, { comment: 'Agreed.', ...input })
const lookup = (mode: string, input: object = {}) => workspace.call('service_lookup', mode, input)

const solutions = async (...titles: readonly string[]): Promise<void> => {
  for (const title of titles) await decide('create_solution', { title })
}

const references = (items: readonly { reference: string }[]): string[] => items.map(({ reference }) => reference)

test('a group keeps its Solutions in board order, and each of its changes hangs on a Decision', async () => {
  await solutions('First', 'Second', 'Third')
  const { data: made } = await decide('group', { action: 'create', name: ' Quick wins ', solution_ids: ['SOL-1'] })
  assert.deepEqual([made.group.name, made.group.solutions, made.decision.recorded], ['Quick wins', 1, 'now'])
  const added = { action: 'add', group_id: 'quick WINS', solution_ids: ['third', 'SOL-1'] }
  const { data } = await decide('group', { ...added, decision_id: made.decision.id, comment: undefined })
  assert.deepEqual([data.group.solutions, data.group.version, data.decision.recorded], [2, 2, 'before'])
  assert.equal(data.changed.added_solution_ids.length, 1)
  await decide('prioritize', { solution_id: 'SOL-3', manual_rank: 1 })

  const { data: group } = await lookup('group', { id: 'Quick wins' })
  assert.deepEqual([group.count, references(group.items)], [2, ['SOL-3', 'SOL-1']])
  const { data: placed } = await lookup('solution', { id: 'SOL-3' })
  assert.deepEqual(placed.placement.groups, ['Quick wins'])
  assert.deepEqual(placed.decisions[1].change.group, { from: null, to: 'Quick wins' })

  await decide('group', { action: 'remove', group_id: made.group.id, solution_ids: ['SOL-1'] })
  await decide('group', { action: 'rename', group_id: made.group.id, name: 'Wins' })
  await decide('update_solution', { solution_id: 'SOL-3', state: 'Planned' })
  await decide('group', { action: 'add', group_id: 'Wins', solution_ids: ['SOL-2'] })
  const { data: groups } = await lookup('group')
  assert.deepEqual(
    groups.items.map((one: { name: string; solutions: number; by_state: object }) => [
      one.name,
      one.solutions,
      one.by_state,
    ]),
    [
      [
        'Wins',
        2,
        [
          { state: 'Backlog', solutions: 1 },
          { state: 'Planned', solutions: 1 },
        ],
      ],
    ],
  )
  await decide('group', { action: 'delete', group_id: 'Wins' })
  assert.equal((await lookup('group')).data.count, 0)
  assert.equal((await lookup('solution', { id: 'SOL-3' })).data.title, 'Third')
})

test('a group is refused a name that is taken, a stale version, a Solution that is not there, and change without a Decision', async () => {
  await solutions('First')
  const { data } = await decide('group', { action: 'create', name: 'Wins' })
  const id = data.group.id
  const cases = [
    [{ action: 'create', name: 'WINS' }, 'conflict', /named "WINS" already/],
    [{ action: 'rename', group_id: id, name: 'Wins' }, 'invalid_input', /Nothing would change/],
    [{ action: 'rename', group_id: id, name: 'Losses', version: 7 }, 'conflict', /read version 7, it is at 1/],
    [{ action: 'add', group_id: id, solution_ids: ['SOL-9'] }, 'not_found', /No solution/],
    [{ action: 'remove', group_id: id, solution_ids: ['SOL-1'] }, 'invalid_input', /none of these Solutions/],
    [{ action: 'add', group_id: 'Winnings', solution_ids: ['SOL-1'] }, 'not_found', /service_lookup mode group/],
    [{ action: 'add', group_id: id, name: 'x', solution_ids: ['SOL-1'] }, 'invalid_input', /add needs group_id/],
    [{ action: 'delete', group_id: id, comment: undefined }, 'invalid_input', /comment .* decision_id/s],
  ] as const
  for (const [input, code, message] of cases) {
    const error = await refusal(decide('group', input))
    assert.equal(error.code, code, JSON.stringify(input))
    assert.match(error.publicMessage, message)
  }
  const { data: groups } = await lookup('group')
  assert.deepEqual([groups.count, groups.items[0].solutions, groups.items[0].version], [1, 0, 1])
})

test('the Strategy Stack keeps its layers in order, and moves, links and versions', async () => {
  await solutions('Stream exports')
  const claim = await workspace.claim('Exports time out')
  const add = (layer: string, title: string, more: object = {}) =>
    decide('strategy', { action: 'add', layer, title, ...more })
  await add('bet', 'Exports by mail', { claim_ids: [claim.reference], solution_ids: ['SOL-1'] })
  await add('vision', 'Data flows')
  await add('objective', 'Halve churn')
  await add('bet', 'Fewer clicks', { position: 1 })
  const stack = async (input: object = {}) => {
    const { data } = await workspace.call('service_orient', 'strategy', input)
    return data.items.map((one: { layer: string; position: number; title: string }) => [
      one.layer,
      one.position,
      one.title,
    ])
  }
  assert.deepEqual(await stack(), [
    ['vision', 1, 'Data flows'],
    ['objective', 1, 'Halve churn'],
    ['bet', 1, 'Fewer clicks'],
    ['bet', 2, 'Exports by mail'],
  ])
  const { data } = await decide('strategy', { action: 'move', strategy_id: 'fewer clicks', layer: 'objective' })
  assert.deepEqual(data.changed.place, {
    from: { layer: 'bet', position: 1 },
    to: { layer: 'objective', position: 2 },
  })
  assert.deepEqual(await stack({ layer: 'bet' }), [['bet', 1, 'Exports by mail']])

  const stale = await refusal(
    decide('strategy', { action: 'update', strategy_id: 'Fewer clicks', title: 'No clicks', version: 1 }),
  )
  assert.deepEqual([stale.code, (stale.context.current as { version: number }).version], ['conflict', 2])
  const { data: bets } = await workspace.call('service_orient', 'strategy', { layer: 'bet' })
  assert.deepEqual(
    [references(bets.items[0].claims), references(bets.items[0].solutions)],
    [[claim.reference], ['SOL-1']],
  )
  const { data: linked } = await lookup('solution', { id: 'SOL-1' })
  assert.deepEqual(linked.placement.strategy[0].title, 'Exports by mail')
  await decide('strategy', { action: 'unlink', strategy_id: 'Exports by mail', solution_ids: ['SOL-1'] })
  const again = await refusal(
    decide('strategy', { action: 'unlink', strategy_id: 'Exports by mail', solution_ids: ['SOL-1'] }),
  )
  assert.equal(again.code, 'invalid_input')
  await decide('strategy', { action: 'remove', strategy_id: 'Halve churn' })
  assert.deepEqual(await stack({ layer: 'objective' }), [['objective', 1, 'Fewer clicks']])
})

test('a link to a claim that is merged shows the claim that it lives on in, once', async () => {
  const [first, second] = [await workspace.claim('Exports hang'), await workspace.claim('Exports never end')]
  const claims = { claim_ids: [first.reference, second.reference] }
  await decide('strategy', { action: 'add', layer: 'bet', title: 'Exports', ...claims })
  await decide('triage', { action: 'confirm_merge', proposal_id: await workspace.proposal(second, first) })
  const linked = async () => (await workspace.call('service_orient', 'strategy')).data.items[0]
  assert.deepEqual([(await linked()).claim_count, references((await linked()).claims)], [1, [first.reference]])
  const { data } = await lookup('claim', { id: second.reference })
  assert.deepEqual(
    data.strategy.map((one: { title: string }) => one.title),
    ['Exports'],
  )
  await decide('strategy', { action: 'unlink', strategy_id: 'Exports', claim_ids: [first.reference] })
  assert.equal((await linked()).claim_count, 0)
})

test('the roadmap keeps an order in now, next and later, under any number of changes at once', async () => {
  await solutions('One', 'Two', 'Three', 'Four')
  const place = (solution: string, horizon: string, more: object = {}) =>
    decide('roadmap', { action: 'place', solution_id: solution, horizon, ...more })
  await Promise.all(['One', 'Two', 'Three'].map(solution => place(solution, 'now')))
  await place('SOL-4', 'now', { position: 1 })
  await place('SOL-2', 'later', { comment: 'It can wait.' })
  const roadmap = async () => {
    const { data } = await workspace.call('service_orient', 'roadmap')
    return data.items.map((one: { reference: string; horizon: string; position: number }) =>
      [one.horizon, one.position, one.reference].join(' '),
    )
  }
  const placed = await roadmap()
  assert.deepEqual(
    placed.map((one: string) => one.split(' ').slice(0, 2).join(' ')),
    ['now 1', 'now 2', 'now 3', 'later 1'],
  )
  assert.deepEqual([placed[0], placed[3]], ['now 1 SOL-4', 'later 1 SOL-2'])
  const decisions = async (depth: string) => {
    const { data } = await workspace.call('service_orient', 'roadmap', { horizon: 'later', depth })
    return data.items.map((one: { decision?: { text: string } }) => one.decision?.text)
  }
  await decide('update_solution', { solution_id: 'SOL-2', state: 'Planned', comment: 'Planned.' })
  assert.deepEqual([await decisions('full'), await decisions('standard')], [['It can wait.'], [undefined]])
  await decide('roadmap', { action: 'remove', solution_id: 'SOL-4' })
  assert.equal((await roadmap()).length, 3)

  const { data } = await lookup('solution', { id: 'SOL-2' })
  assert.deepEqual(data.placement.roadmap, { horizon: 'later', position: 1 })
  assert.deepEqual(data.decisions[1].change.roadmap.to, { horizon: 'later', position: 1 })
  const stale = await refusal(place('SOL-2', 'next', { version: data.version - 1 }))
  assert.equal(stale.code, 'conflict')
  assert.equal((await refusal(place('SOL-2', 'later', { position: 1 }))).code, 'invalid_input')
  assert.equal((await refusal(decide('roadmap', { action: 'remove', solution_id: 'SOL-4' }))).code, 'invalid_input')
  await decide('update_solution', { solution_id: 'SOL-4', state: 'Dropped' })
  assert.match((await refusal(place('SOL-4', 'now'))).publicMessage, /SOL-4 is Dropped/)
})

test('the Backlog is in board order, says why, and its pages agree while evidence comes in', async () => {
  const evident = await workspace.claim('Exports time out', [
    await workspace.signal({ text: 'It hangs.', actorKey: 'a' }),
    await workspace.signal({ text: 'It never ends.', actorKey: 'b' }),
  ])
  await solutions('Old', 'Young')
  await decide('create_solution', { title: 'Evident', claim_ids: [evident.reference], priority_boost: 2 })
  await decide('create_solution', { title: 'Ranked' })
  await decide('prioritize', { solution_id: 'Ranked', manual_rank: 1 })
  await decide('update_solution', { solution_id: 'Young', state: 'Planned' })
  const { data: first, meta } = await lookup('backlog', { limit: 2 })
  assert.deepEqual([first.count, references(first.items)], [3, ['SOL-4', 'SOL-3']])
  assert.equal(first.items[0].score_explanation, 'Ranked 1 by hand, before all without a rank.')
  assert.equal(first.items[1].score_explanation, 'Evidence 1.386 from 2 actors, times boost 2, is 2.773.')

  kit.now = new Date(kit.now.getTime() + 90 * 86_400_000)
  const { data: second, meta: end } = await lookup('backlog', { limit: 2, cursor: meta.next_cursor })
  assert.deepEqual([references(second.items), second.items[0].board_position, end.next_cursor], [['SOL-1'], 3, null])
  const { data: full } = await lookup('backlog', { depth: 'full', states: ['Backlog', 'Planned'] })
  const [, { explanation, evidence_priority }] = full.items
  assert.equal(explanation.terms.length, 2)
  const sum = explanation.terms.reduce((total: number, { term }: { term: number }) => total + term, 0)
  assert.ok(Math.abs(sum - evidence_priority) < 1e-9)
  assert.equal(full.count, 4)
  const foreign = await refusal(lookup('group', { cursor: meta.next_cursor }))
  assert.equal(foreign.code, 'invalid_input')

  await decide('group', { action: 'create', name: 'Some', solution_ids: ['Old', 'Evident', 'Young'] })
  const { data: some } = await lookup('backlog', { group_id: 'Some' })
  assert.deepEqual([some.count, references(some.items)], [2, ['SOL-3', 'SOL-1']])
})

test('RICE figures are kept with their Decision and rank nothing', async () => {
  await solutions('Old', 'Young')
  const rice = { reach: 1e9, impact: 100, confidence: 1, effort: 0.1 }
  const { data } = await decide('update_solution', { solution_id: 'Young', rice })
  assert.deepEqual(data.changed.rice.to, rice)
  await decide('update_solution', { solution_id: 'Young', rice: { effort: null } })
  assert.deepEqual(references((await lookup('backlog')).data.items), ['SOL-1', 'SOL-2'])
  const { data: full } = await lookup('solution', { id: 'Young', depth: 'full' })
  assert.deepEqual(full.rice, { ...rice, effort: null })
  assert.equal((await lookup('solution', { id: 'Young' })).data.rice, undefined)
  const same = await refusal(decide('update_solution', { solution_id: 'Young', rice: { reach: 1e9 } }))
  assert.equal(same.code, 'invalid_input')
})
