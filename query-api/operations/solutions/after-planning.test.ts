import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { storePoints } from '../../../model/metrics/points.ts'
import { type MetricPointId, newId, type SourceId } from '../../../schemas/domain/ids.ts'
import { refusal } from '../decisions/testing.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  await decide('create_solution', { title: 'Stream exports', comment: 'Exports come first.' })
})

const URL_OF_DESIGN = 'https://design.example.com/file/12'

const decide = (mode: string, input: object) =>
  workspace.call('service_decide', mode, { ...(mode === 'create_solution' ? {} : { solution_id: 'SOL-1' }), ...input })
const update = (input: object) => decide('update_solution', { comment: 'Decided.', ...input })
const handOff = (input: object = {}) =>
  decide('handoff', { kind: 'design', url: URL_OF_DESIGN, comment: 'Ready for review.', ...input })
const solution = async (id = 'SOL-1') => (await workspace.call('service_lookup', 'solution', { id })).data

const toReview = async () => {
  await update({ state: 'Planned' })
  return (await handOff()).data
}

const toDone = async () => {
  await toReview()
  await update({ state: 'Done' })
}

test('a handoff moves a planned Solution to In Review, another is kept beside it, and a person’s Decision ends it', async () => {
  await update({ state: 'Planned' })
  const { data } = await handOff({ version: 2 })
  assert.deepEqual(data.changed.state, { from: 'Planned', to: 'In Review' })
  assert.deepEqual([data.solution.state, data.url, data.confirmed], ['In Review', URL_OF_DESIGN, null])
  await handOff({ kind: 'pull_request', url: 'HTTPS://Code.example.com:443/pulls/7#files' })
  assert.equal((await refusal(handOff())).code, 'conflict')
  const { handoffs, state } = await solution()
  assert.equal(state, 'In Review')
  assert.deepEqual(
    handoffs.map((one: Record<string, unknown>) => [one.kind, one.url, one.key_label, one.decision]),
    [
      ['pull_request', 'https://code.example.com/pulls/7#files', 'Agent', 'DEC-4'],
      ['design', URL_OF_DESIGN, 'Agent', 'DEC-3'],
    ],
  )
  assert.equal((await update({ state: 'Done' })).data.solution.state, 'Done')
})

test('a handoff from another state is refused with the moves that there are, and what makes them', async () => {
  const error = await refusal(handOff())
  assert.equal(error.code, 'conflict')
  assert.match(error.publicMessage, /From Backlog, service_decide mode update_solution moves to: Planned, Dropped\./)
  assert.deepEqual(error.context, {
    state: 'Backlog',
    transitions: ['Planned', 'Dropped'].map(to => ({ to, tool: 'service_decide', mode: 'update_solution' })),
  })
  await toDone()
  assert.match((await refusal(handOff())).publicMessage, /Done is final; service_decide mode outcome/)
  assert.equal((await refusal(update({ state: 'Dropped' }))).code, 'conflict')
  assert.equal((await solution()).handoffs.length, 1)
})

test('a Solution is dropped from any state but Done, with the reason kept as its Decision', async () => {
  await toReview()
  await update({ state: 'Dropped', comment: 'The design showed that nobody needs it.' })
  const { state, decisions } = await solution()
  assert.deepEqual([state, decisions[0].statement], ['Dropped', 'The design showed that nobody needs it.'])
  await assert.rejects(
    workspace.call('service_decide', 'update_solution', { solution_id: 'SOL-1', state: 'Backlog' }),
    failsWith('invalid_input', /comment/),
  )
})

const HOSTILE = [
  'javascript:alert(1)',
  'JaVaScRiPt://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  '//example.com/x',
  'https:example.com',
  'https://user:secret@example.com/',
  'https://good.example.com\\@evil.example.com/',
  'https://example.com/a b',
  'https://exa\nmple.com/',
  `https://example.com/${'x'.repeat(1000)}`,
  'not an address',
]

test('an address that is no plain web page is refused', async () => {
  await update({ state: 'Planned' })
  for (const url of HOSTILE) {
    const error = await refusal(handOff({ url }))
    assert.deepEqual([error.code, error.violations[0]?.pointer], ['invalid_input', '/url'], url)
  }
  assert.equal((await solution()).state, 'Planned')
})

test('the url of a proposed pull request confirms the proposal, merged or not, and moves no further than In Review', async () => {
  const { id } = await solution()
  await kit.database.pool.query(
    `insert into handoff_proposals (workspace_id, solution_id, repository, number, title, url, branch, state, signal_id, occurred_at)
     values ($1, $2, 'github/octo/repo', 7, 'SOL-1', 'https://code.example.com/octo/repo/pull/7', 'main', 'merged', $2, now())`,
    [workspace.id, id],
  )
  await update({ state: 'Planned' })
  await update({ state: 'In Progress' })
  const url = 'https://code.example.com/octo/repo/pull/7'
  assert.equal((await refusal(handOff({ url }))).violations[0]?.pointer, '/kind')
  const { data } = await handOff({ kind: 'pull_request', url })
  assert.deepEqual(data.confirmed, { repository: 'github/octo/repo', number: 7 })
  assert.equal(data.solution.state, 'In Review')
  assert.deepEqual((await solution()).handoffs[0].pull_request, {
    repository: 'github/octo/repo',
    number: 7,
    state: 'merged',
  })
})

test('of two handoffs at once with one version, one is refused with the Solution as it is', async () => {
  await update({ state: 'Planned' })
  const results = await Promise.allSettled([handOff({ version: 2 }), handOff({ version: 2, url: `${URL_OF_DESIGN}3` })])
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const refused = results.find(result => result.status === 'rejected')
  assert.ok(failsWith('conflict', /you read version 2, it is at 3/)(refused?.reason))
  assert.equal((await solution()).handoffs.length, 1)
})

const METRIC = 'Failed exports'

const metricWithPoints = async (of: Workspace = workspace): Promise<SourceId> => {
  const id = newId<SourceId>()
  await kit.database.pool.query(
    `insert into sources (id, workspace_id, kind, name, secret_hash) values ($1, $2, 'metric', $3, '\\x00')`,
    [id, of.id, METRIC],
  )
  const points = [40, 30, 3].map((value, place) => ({
    point_id: newId<MetricPointId>(),
    workspace_id: of.id,
    metric_id: id,
    value,
    occurred_at: Date.parse(place < 2 ? `2026-05-01T0${place}:00:00Z` : '2026-05-20T00:00:00Z'),
    received_at: Date.parse('2026-05-21'),
    log_partition: 0,
    log_offset: place,
    logged_at: Date.parse('2026-05-21'),
  }))
  await kit.database.database.transaction({ role: 'assay_pipeline', workspaceIds: [of.id] }, transaction =>
    storePoints(transaction, points),
  )
  return id
}

const record = (input: object = {}) =>
  decide('outcome', {
    expectation: 'Fewer than five failed exports a day.',
    observation: 'Three a day.',
    verdict: 'met',
    comment: 'Looked at together.',
    ...input,
  })

test('an Outcome is recorded of a Done Solution, with the metric points that show it, and revised by version', async () => {
  await metricWithPoints()
  assert.match((await refusal(record())).publicMessage, /SOL-1 is Backlog; an Outcome is recorded of a Done Solution/)
  await toDone()
  const cited = [
    { metric_id: 'failed EXPORTS', date: '2026-05-01' },
    { metric_id: METRIC, date: '2026-05-20T00:00:00Z' },
  ]
  const { data } = await record({ metric_points: cited })
  assert.deepEqual(
    data.outcome.points.map((point: Record<string, unknown>) => [point.metric, point.value, point.occurred_at]),
    [
      [METRIC, 30, '2026-05-01T01:00:00.000Z'],
      [METRIC, 3, '2026-05-20T00:00:00.000Z'],
    ],
  )
  const again = await refusal(record({ verdict: 'missed' }))
  assert.equal(again.code, 'conflict')
  assert.equal((again.context.current as { version: number }).version, 1)
  await record({ verdict: 'partly', version: 1 })
  assert.equal((await refusal(record({ verdict: 'missed', version: 1 }))).code, 'conflict')
  const { data: found } = await workspace.call('service_lookup', 'outcome', { id: 'stream exports' })
  assert.deepEqual([found.outcome.verdict, found.outcome.version, found.outcome.points], ['partly', 2, []])
  const { data: listed } = await workspace.call('service_lookup', 'outcome')
  assert.deepEqual([listed.count, listed.items[0].id], [1, found.outcome.id])
  const { data: decision } = await workspace.call('service_lookup', 'decision', { id: found.outcome.decision })
  assert.equal(decision.changes[0].change.outcome.from.verdict, 'met')
})

test('a point that a metric does not have, or of a metric of another workspace, is refused and nothing is recorded', async () => {
  await metricWithPoints()
  const foreign = await metricWithPoints(await kit.workspace())
  await toDone()
  const error = await refusal(record({ metric_points: [{ metric_id: METRIC, date: '2026-05-19' }] }))
  assert.equal(error.code, 'not_found')
  assert.match(error.publicMessage, /nearest are at 2026-05-20T00:00:00\.000Z/)
  for (const [point, code] of [
    [{ metric_id: foreign, date: '2026-05-01' }, 'not_found'],
    [{ metric_id: METRIC, date: 'last week' }, 'invalid_input'],
    [{ metric_id: METRIC, date: '2026-02-30' }, 'invalid_input'],
  ] as const) {
    assert.equal((await refusal(record({ metric_points: [point] }))).code, code)
  }
  await assert.rejects(
    workspace.call('service_lookup', 'outcome', { id: 'SOL-1' }),
    failsWith('not_found', /SOL-1 has no Outcome\. .*service_decide mode outcome/),
  )
})

test('a workspace may require Decisions made in the app for Done, Dropped and Outcomes', async () => {
  await toReview()
  assert.equal((await workspace.inApp('set_workspace_rules')).data.requires_app_decisions, false)
  await assert.rejects(workspace.inApp('set_workspace_rules', {}, 'member'), failsWith('forbidden'))
  await workspace.inApp('set_workspace_rules', { requires_app_decisions: true })

  for (const state of ['Done', 'Dropped']) {
    await assert.rejects(update({ state }), failsWith('forbidden', /log a Decision about SOL-1 there/))
  }
  const { data: byKey } = await workspace.call('service_decide', 'decision', { statement: 'Done.', about: ['SOL-1'] })
  const { data: elsewhere } = await workspace.inApp('log_decision', { statement: 'Exports come first.' })
  // Hanging a change on it does not make it a Decision about this Solution.
  await decide('update_solution', { title: 'Stream all exports', decision_id: elsewhere.reference })
  for (const { reference } of [byKey, elsewhere]) {
    await assert.rejects(
      decide('update_solution', { state: 'Done', decision_id: reference }),
      failsWith('forbidden', /made in the app/),
    )
  }
  const { data: inApp } = await workspace.inApp('log_decision', { statement: 'It is done.', about: ['SOL-1'] })
  const { data: done } = await decide('update_solution', { state: 'Done', decision_id: inApp.reference })
  assert.equal(done.solution.state, 'Done')
  await assert.rejects(record(), failsWith('forbidden', /Outcome/))
  await record({ decision_id: inApp.reference })
  const { decisions } = await solution()
  assert.equal(decisions[0].change.carried_out_by, 'Owner, through the key "Agent"')
})

test('people decide in the app without more, whatever the rule', async () => {
  await toReview()
  await workspace.inApp('set_workspace_rules', { requires_app_decisions: true })
  const input = { solution_id: 'SOL-1', state: 'Dropped', comment: 'Nobody needs it.' }
  assert.equal((await workspace.inApp('update_solution', input)).data.solution.state, 'Dropped')
})
