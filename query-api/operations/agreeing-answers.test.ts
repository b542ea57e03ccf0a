import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import type { NodeId } from '../../schemas/domain/ids.ts'
import type { Operation } from './define.ts'
import { registry } from './registry.ts'
import type { Workspace } from './testing.ts'
import { type ActivityKit, startOperationsWithActivity, walked } from './testing-activity.ts'
import { sampleInput } from './testing-reach.ts'

/** Answers of every shape, as read from JSON. */
type Json = ReturnType<typeof JSON.parse>

let kit: ActivityKit
before(async () => {
  kit = await startOperationsWithActivity()
  // After the rows of the database, which are inserted now.
  kit.now = new Date(Date.now() + DAY_MS / 24)
})
after(() => kit.stop())

const daysAgo = (days: number): Date => new Date(kit.now.getTime() - days * DAY_MS)

describe('Imported history', () => {
  /** Two years old, and received now. */
  const HISTORY_DAYS = 730
  let workspace: Workspace
  let old: Awaited<ReturnType<Workspace['claim']>>
  let recent: typeof old
  let oldNode: string

  before(async () => {
    workspace = await kit.workspace()
    const nodeOf = async (name: string) => (await workspace.call('service_map', 'add_node', { name })).data.id as NodeId
    const nodes = { old: await nodeOf('Faxes'), recent: await nodeOf('Exports') }
    oldNode = nodes.old
    const signals = { old: [], recent: [] } as Record<keyof typeof nodes, Awaited<ReturnType<Workspace['signal']>>[]>
    // What is recent is stored first: numbers and the times of insertion say the opposite of what happened.
    for (const [when, at] of [
      ['recent', daysAgo(1)],
      ['old', daysAgo(HISTORY_DAYS)],
    ] as const) {
      for (const place of [1, 2]) {
        const text = `The ${when} one, ${place}.`
        const said = {
          text,
          nodeId: nodes[when],
          actorKey: `${when} ${place}`,
          occurredAt: at,
          receivedAt: daysAgo(0.1),
        }
        const signal = await workspace.signal(said)
        signals[when].push(signal)
        const of = { source: 'desk', channel: 'webhook', node_id: nodes[when], happened_at: at.getTime() }
        await kit.record(workspace.id, ...walked(signal.id, 'insert', 'next', of))
      }
    }
    // Enough for a rise, and for a past to compare it with.
    const many = { step: 'insert', outcome: 'next', times: 40, node_id: nodes.old }
    await kit.record(
      workspace.id,
      { ...many, happened_at: daysAgo(HISTORY_DAYS).getTime() },
      { step: 'insert', outcome: 'next', occurred_at: daysAgo(30).getTime(), node_id: nodes.recent },
    )
    recent = await workspace.claim('Exports hang', signals.recent)
    old = await workspace.claim('Faxes hang', signals.old)
    for (const claim of [old, recent]) {
      const made = { title: `Mend ${claim.reference}`, claim_ids: [claim.id], comment: 'Agreed.' }
      await workspace.call('service_decide', 'create_solution', made)
    }
  })

  const activity = async (input: object): Promise<Json> =>
    (await workspace.call('service_analyze', 'activity', input)).data
  const references = (items: Json): string[] => items.map((item: Json) => item.reference ?? item.signal)
  const LISTED = ['SIG-2', 'SIG-1', 'SIG-4', 'SIG-3']
  const lastWeek = () => ({ from: daysAgo(7).toISOString() })

  it('is counted when it happened; by the clock of receipt when it came; and the answer says which', async () => {
    const filters = [{ field: 'step', op: 'in', values: ['insert'] }]
    for (const [clock, expected] of [
      [undefined, 2],
      ['occurred', 2],
      ['received', 44],
    ]) {
      const of = clock === undefined ? {} : { clock }
      const counted = await activity({ filters, time: lastWeek(), ...of })
      assert.deepEqual([counted.clock, counted.items[0].metrics.count], [clock ?? 'occurred', expected])
      const longer = await activity({ filters, time: { from: daysAgo(20).toISOString() }, ...of })
      assert.deepEqual([longer.rollup, longer.items[0].metrics.count], ['day', expected])
      const funnel = await activity({ question: 'funnel', time: lastWeek(), ...of })
      const inClaim = funnel.items.find((item: Json) => item.group.stage === 'in_claim')
      assert.deepEqual([funnel.clock, inClaim.metrics.count], [clock ?? 'occurred', clock === 'received' ? 4 : 2])
    }
    const whole = await activity({ filters, group_by: ['node'], time: { from: daysAgo(1000).toISOString() } })
    assert.equal(whole.items.find((item: Json) => item.group.node === oldNode).metrics.count, 42)
    assert.equal((await activity({ question: 'latency' })).clock, 'received')
  })

  it('does not rise', async () => {
    const rising = async (clock: string) => (await activity({ question: 'trending', clock, time: lastWeek() })).items
    assert.deepEqual(await rising('occurred'), [])
    assert.deepEqual(
      (await rising('received')).map((item: Json) => item.group.node),
      [oldNode],
    )
    const of = { time: lastWeek(), depth: 'full' }
    const { text, figures } = (await workspace.call('service_analyze', 'prepare_review', of)).data
    assert.match(text, /2 Signals without repeats, by when they happened \(before 0\)/)
    assert.deepEqual([figures.signals.count, figures.signals.clock], [2, 'occurred'])
    assert.deepEqual(references(figures.claims.rising), [recent.reference])
  })

  it('stands where it happened in every list', async () => {
    assert.deepEqual(references((await workspace.call('service_lookup', 'triage')).data.items), LISTED)
    assert.deepEqual(references((await workspace.inApp('list_signals')).data.items), LISTED)
    const { data: snapshot } = await workspace.call('service_orient', 'snapshot')
    assert.deepEqual(references(snapshot.recent_signals), LISTED)
    assert.deepEqual(references(snapshot.top_claims), [recent.reference, old.reference])
    assert.deepEqual(references(snapshot.solutions), ['SOL-2', 'SOL-1'])
    const board = await workspace.call('service_lookup', 'backlog')
    assert.deepEqual(references(board.data.items), ['SOL-2', 'SOL-1'])
    const claims = await workspace.call('service_analyze', 'claims', { order_by: 'last_evidence_at' })
    assert.deepEqual(
      claims.data.items.map(({ reference, last_evidence_at }: Json) => [reference, last_evidence_at]),
      [
        [recent.reference, daysAgo(1).toISOString()],
        [old.reference, daysAgo(HISTORY_DAYS).toISOString()],
      ],
    )
    const first = await workspace.inApp('list_signals', { limit: 3 })
    const next = await workspace.inApp('list_signals', { limit: 3, cursor: first.meta.next_cursor })
    assert.deepEqual([...references(first.data.items), ...references(next.data.items)], LISTED)
  })

  it('is told as history among what changed, and listed by its own time', async () => {
    const { items } = (await workspace.call('service_orient', 'changes', { since: daysAgo(7).toISOString() })).data
    const counts = Object.fromEntries(items.map(({ kind, count }: Json) => [kind, count]))
    assert.deepEqual([counts.signals, counts.older_signals], [2, 2])
    const found = async (input: object) => references((await workspace.inApp('list_signals', input)).data.items)
    assert.deepEqual(await found({ time: lastWeek() }), ['SIG-2', 'SIG-1'])
    assert.deepEqual(await found({ time: { to: daysAgo(365).toISOString() } }), ['SIG-4', 'SIG-3'])
    assert.deepEqual(await found({ time: lastWeek(), clock: 'received' }), LISTED)
  })
})

describe('A number', () => {
  /** Figures of a period, or of a part: they are called alike and mean less. */
  const OF_A_PART = /rising|falling|\.period|previous|^lookup_node\.claims\.items\.\d+\.signals$/

  interface Seen {
    readonly value: number
    readonly where: string
  }

  /** Every number that an answer says of a thing that it names, by both. */
  const numbersIn = (answer: Json, where: string, seen: Map<string, Seen[]>): void => {
    if (typeof answer !== 'object' || answer === null) return
    const name = answer.reference ?? answer.node_id ?? answer.id
    for (const [field, value] of Object.entries<Json>(answer)) {
      const place = `${where}.${field}`
      if (typeof value === 'object') numbersIn(value, place, seen)
      if (typeof value !== 'number' || typeof name !== 'string' || !SHARED.test(field) || OF_A_PART.test(place))
        continue
      seen.set(`${name} ${field}`, [...(seen.get(`${name} ${field}`) ?? []), { value, where: place }])
    }
  }
  const SHARED = /signals|actors|claims|occurrences|evidence_priority|solutions|repeats/

  it('is the same in every answer that says it', async () => {
    const workspace = await kit.workspace()
    const call = async (name: string, input: object): Promise<Json> => (await workspace.run(name, input)).data
    const comment = 'Agreed.'
    const parent = await call('add_map_node', { name: 'Data' })
    const node = await call('add_map_node', { name: 'Exports', parent_id: parent.id })
    const other = await call('add_map_node', { name: 'Imports' })
    const signals = []
    for (let place = 0; place < 8; place += 1) {
      const at = place % 2 === 0 ? daysAgo(1) : daysAgo(400)
      const said = { text: `Exports hang, ${place}.`, nodeId: node.id as NodeId, actorKey: `actor ${place % 3}` }
      const signal = await workspace.signal({ ...said, occurredAt: at, receivedAt: daysAgo(0.1) })
      signals.push(signal)
      // No step tells the claim, and the node is another one by now.
      const of = { happened_at: at.getTime(), node_id: node.id }
      await kit.record(workspace.id, ...walked(signal.id, 'insert', 'next', of))
    }
    const [one, two, three, four, ...rest] = signals
    assert.ok(one && two && three && four)
    for (const repeat of [
      await workspace.occurrence(one.id, { actorKey: 'actor 9', occurredAt: daysAgo(0.1) }),
      await workspace.occurrence(three.id, { occurredAt: daysAgo(0.1) }),
    ])
      await kit.record(workspace.id, ...walked(repeat, 'dedup', 'skip', { node_id: node.id }))
    const claims = [
      await workspace.claim('Exports hang', [one, two]),
      await workspace.claim('The export never ends', [three]),
      await workspace.claim('Exports are slow', [four, ...rest]),
    ] as const
    const [survivor, merged, apart] = claims
    const confirm = async (claim: typeof survivor) => {
      const proposal_id = await workspace.proposal(claim, survivor)
      await call('triage', { action: 'confirm_merge', proposal_id, survivor_id: survivor.reference, comment })
      return proposal_id
    }
    await confirm(merged)
    await call('triage', { action: 'undo', proposal_id: await confirm(apart), comment })
    await call('triage', { action: 'dismiss', signal_id: two.id, comment })
    await call('triage', { action: 'accept', signal_id: one.id, comment })
    await call('move_signal', { signal_id: one.id, node_id: other.id })
    await call('move_map_node', { id: node.id, parent_id: other.id })
    const { solution } = await call('create_solution', { title: 'Stream', claim_ids: [survivor.id, apart.id], comment })
    await call('change_group', { action: 'create', name: 'All', solution_ids: [solution.id], comment })
    const strategy = {
      action: 'add',
      layer: 'vision',
      title: 'Fast',
      claim_ids: [apart.id],
      solution_ids: [solution.id],
    }
    await call('change_strategy', { ...strategy, comment })
    await call('change_roadmap', { action: 'place', solution_id: solution.id, horizon: 'now', comment })
    await workspace.proposal(await workspace.claim('Exports wait'), survivor)
    const [twin, another] = [
      await workspace.signal({ text: 'Twin.', receivedAt: daysAgo(0.1) }),
      await workspace.signal({ text: 'Another.' }),
    ]
    await kit.record(workspace.id, ...walked(twin.id, 'insert', 'next'))
    const repeats = { action: 'duplicate', original_signal_id: one.id, comment }
    await call('triage_signals', { ...repeats, signals: [{ signal_id: twin.id, version: 1 }] })
    await call('triage_signals', {
      action: 'snooze',
      signals: [{ signal_id: another.id, version: 1 }],
      until: daysAgo(-3).toISOString(),
    })
    await workspace.deadLetter({ step: 'embed', sealed: false, message: 'It failed.' })

    const seen = new Map<string, Seen[]>()
    const own = { solutions: solution.id, signals: one.id, map_nodes: node.id, claims: survivor.id }
    const answers = async (operation: Operation, input: object) => {
      const fields = operation.input.properties
      const whole = { ...('depth' in fields && { depth: 'full' }), ...('limit' in fields && { limit: 100 }) }
      const { data } = await workspace.run(operation, { ...sampleInput(operation, own), ...whole, ...input })
      numbersIn(JSON.parse(JSON.stringify(data)), operation.name, seen)
    }
    const asked: readonly (readonly [string, object])[] = [
      ...claims.flatMap(({ id }) => [['lookup_claim', { id }] as const]),
      ...[parent, node, other].flatMap(({ id }) => [['lookup_node', { id }] as const, ['read_map', { id }] as const]),
      ...[
        'analyze_claims',
        'analyze_solutions',
        'orient_snapshot',
        'lookup_backlog',
        'orient_strategy',
        'orient_roadmap',
      ].map(name => [name, {}] as const),
      ...['lookup_solution', 'lookup_context'].map(name => [name, { id: solution.id }] as const),
      ...['triage', 'accepted', 'dismissed'].map(state => ['list_signals', { state }] as const),
      ...['triage', 'accepted', 'dismissed'].map(state => ['lookup_triage', { state }] as const),
      ...['prepare_review', 'list_merge_groups', 'read_map', 'outline_map', 'lookup_proposals', 'orient_changes'].map(
        name => [name, {}] as const,
      ),
      ['explain_priority', { solution_id: solution.id }],
      ['lookup_search', { query: 'exports' }],
      ['lookup_signal', { id: one.id }],
      ['lookup_group', { id: 'All' }],
    ]
    for (const [name, input] of asked) {
      const operation = registry.get(name)
      assert.ok(operation, name)
      await answers(operation, input)
    }
    const shared = [...seen].filter(([, places]) => new Set(places.map(({ where }) => where.split('.')[0])).size > 1)
    const differing = shared.filter(([, places]) => new Set(places.map(({ value }) => value)).size > 1)
    assert.deepEqual(Object.fromEntries(differing), {})
    assert.ok(shared.length >= 20, JSON.stringify(shared.map(([name]) => name)))

    const { counts } = await call('orient_snapshot', {})
    const waiting = await call('count_waiting', {})
    const count = async (name: string, input: object = {}): Promise<number> => (await call(name, input)).count
    const listed = async (input: object): Promise<number> => {
      const all = ['triage', 'accepted', 'dismissed'].map(state =>
        count('list_signals', { state, snoozed: 'shown', ...input }),
      )
      return (await Promise.all(all)).reduce((sum, of) => sum + of, 0)
    }
    const ofNode = await call('lookup_node', { id: other.id })
    const ofLeaf = await call('lookup_node', { id: node.id })
    const ofClaim = await call('lookup_claim', { id: survivor.id })
    const time = { from: daysAgo(7).toISOString(), to: kit.now.toISOString() }
    const { figures } = await call('prepare_review', { time, depth: 'full' })
    const changes = await call('orient_changes', { since: time.from })
    const changed = (kind: string): number => changes.items.find((item: Json) => item.kind === kind)?.count ?? 0
    const { items: log } = await call('list_merge_log', { kind: 'merged' })
    const inForce = log.filter((entry: Json) => entry.kind === 'merge' && entry.undone_at === null)
    const counted = async (field: string, value: string, metric: string): Promise<number> => {
      const whole = { metrics: [metric], time: { from: daysAgo(1000).toISOString() } }
      const of = { field, op: 'in', values: [value] }
      const { items: all } = await call('analyze_activity', { ...whole, filters: [of] })
      const { items: groups } = await call('analyze_activity', { ...whole, group_by: [field] })
      const group = groups.find((item: Json) => item.group[field] === value)
      assert.equal(group?.metrics[metric], all[0].metrics[metric])
      return all[0].metrics[metric]
    }
    const meanings: Readonly<Record<string, readonly number[]>> = {
      triage: [
        counts.signals_in_triage,
        waiting.signals,
        await count('lookup_triage'),
        await count('list_signals', { state: 'triage' }),
      ],
      problems: [
        counts.triage_by_classification.problem,
        await count('lookup_triage', { classification: 'problem' }),
        await count('list_signals', { state: 'triage', classification: 'problem' }),
      ],
      signals: [counts.signals, await listed({}), await count('list_signals')],
      claims: [counts.claims, await count('analyze_claims')],
      solutions: [counts.solutions, await count('analyze_solutions'), await count('lookup_backlog')],
      proposals: [
        counts.waiting_proposals,
        waiting.proposals,
        await count('lookup_proposals'),
        (await call('list_merge_groups', {})).pairs,
      ],
      nodes: [counts.map_nodes, await count('read_map')],
      'dead letters': [counts.waiting_dead_letters, waiting.dead_letters, await count('inspect_pipeline')],
      'of a node and below it': [
        ofNode.node.subtree_signals,
        ofNode.signals.count,
        await listed({ node_id: other.id }),
      ],
      'evidence of a claim': [ofClaim.evidence.count, await listed({ claim_id: survivor.id })],
      'signals of a claim, with repeats': [
        ofClaim.signals,
        await counted('claim', survivor.id, 'distinct_signals_and_repeats'),
      ],
      'stored signals at a node': [ofLeaf.node.signals, await counted('node', node.id, 'distinct_signals')],
      'signals of a week': [figures.signals.count, changed('signals'), await listed({ time })],
      merges: [figures.claims.merged, changed('merges'), inForce.length],
    }
    for (const [meaning, values] of Object.entries(meanings))
      assert.equal(new Set(values).size, 1, `${meaning}: ${values}`)
  })
})
