import { DAY_MS } from '../../schemas/domain/durations.ts'
import { signalsOf, type Truth } from './truth.ts'

const insert = [
  { field: 'step', op: 'in', values: ['insert'] },
  { field: 'outcome', op: 'in', values: ['next'] },
]
const skip = [{ field: 'outcome', op: 'in', values: ['skip'] }]
const received = [{ field: 'kind', op: 'in', values: ['signal.received'] }]
const died = [{ field: 'kind', op: 'in', values: ['signal.dead_letter'] }]

const FIELDS = [
  'source',
  'channel',
  'signal_origin',
  'actor_role',
  'actor',
  'node',
  'claim',
  'account',
  'classification',
]
const DISTINCT = ['distinct_signals', 'distinct_signals_and_repeats', 'distinct_actors']
const ZONES = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Calcutta']

/** Questions about what happened, whose figures the truth has. */
const activityQuestions = (): readonly object[] => {
  const from = new Date(Date.now() - 400 * DAY_MS).toISOString()
  const time = { from }
  const week = { from: new Date(Date.now() - 20 * DAY_MS).toISOString() }
  return [
    ...[insert, skip, received, died].flatMap(filters => [
      { filters, time },
      { filters, time: week },
      { filters, time: week, clock: 'received' },
    ]),
    ...FIELDS.map(field => ({
      filters: received,
      metrics: ['count', ...DISTINCT],
      group_by: [field],
      time,
      limit: 100,
    })),
    { filters: insert, metrics: ['count', ...DISTINCT], group_by: ['classification'], time },
    { filters: received, metrics: DISTINCT, group_by: ['source', 'channel'], time },
    {
      filters: [...received, { field: 'actor', op: 'in', values: ['Person 7'] }],
      metrics: ['count', ...DISTINCT],
      time,
    },
    { filters: [...received, { field: 'actor', op: 'not_in', values: ['Person 7'] }], metrics: ['count'], time },
    { filters: [...insert, { field: 'node', op: 'in', values: ['Exports'] }], metrics: ['count', ...DISTINCT], time },
    { filters: received, metrics: ['count'], time: week, compare: true },
    ...ZONES.flatMap(time_zone =>
      ['day', 'week', 'month'].map(granularity => ({
        filters: received,
        metrics: ['count', 'distinct_signals'],
        time: { ...time, granularity, time_zone },
        limit: 100,
      })),
    ),
    { filters: received, metrics: ['count'], time: { ...time, granularity: 'month', time_zone: 'Europe/Berlin' } },
    { question: 'funnel', time },
    { question: 'funnel', time, clock: 'received' },
    { question: 'sources', time },
  ]
}

/** What changes the same line as the second version of the document, and nothing else. */
const MERGED = '# Export\n\nOne.\nFive.'

/** The first day of the month so many months ago. */
const lastMonths = (months: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 10)
}

/** What each operation is asked. One that is not here is asked with nothing. */
export const questionsOf = (truth: Truth): Readonly<Record<string, readonly object[]>> => {
  const signals = signalsOf(truth)
  const some = [...signals.filter((_, place) => place % 30 === 0)]
  const claims = [...truth.claims.values()].filter(({ mergedInto }) => mergedInto === null)
  const asked = claims.filter((one, place) => one.evidence.size !== 1 || place % 40 === 0)
  const solutions = [...truth.solutions.keys()]
  const dead = truth.said.filter(({ fate }) => fate === 'dead letter')
  const states = ['triage', 'accepted', 'dismissed']
  return {
    analyze_activity: activityQuestions(),
    list_signals: [
      {},
      ...states.map(state => ({ state, limit: 100 })),
      ...['problem', 'idea', 'question'].map(classification => ({ classification })),
      ...['webhook', 'connection'].map(channel => ({ channel })),
      { signal_origin: 'internal' },
      { actor_name: 'Person 7' },
      { account: 'Acme' },
      { order_by: 'occurrences', limit: 100 },
    ],
    lookup_triage: [{ limit: 100 }, { classification: 'idea' }],
    lookup_signal: [...some, ...dead.slice(0, 1)].map(({ id }) => ({ id })),
    list_repeats: some.map(({ id }) => ({ id })),
    lookup_claim: asked.map(({ reference: id }) => ({ id, limit: 50 })),
    analyze_claims: [{ limit: 100 }, { limit: 100, order_by: 'last_evidence_at' }],
    lookup_solution: solutions.map(id => ({ id })),
    lookup_context: solutions.map(id => ({ id })),
    explain_priority: solutions.map(solution_id => ({ solution_id })),
    lookup_node: [...truth.nodes.keys()].map(id => ({ id })),
    prepare_review: [
      ...ZONES.map(time_zone => ({ time: { from: lastMonths(2), to: lastMonths(0), time_zone } })),
      { time: { from: lastMonths(1), time_zone: 'Europe/Berlin' } },
    ],
    read_metric_points: [{ metric_id: 'A metric', time: { from: '2026-01-01' } }],
    trace_signal: [...dead, ...truth.said.filter((_, place) => place % 60 === 0)].map(({ id }) => ({ id })),
    inspect_dead_letter: dead.map(({ id }) => ({ signal_id: id })),
    list_comments: [...truth.comments.keys()].map(id => ({ id })),
    lookup_living_document: truth.outcomes.flatMap(id => [
      { id },
      { id, show: 'versions' },
      { id, show: 'changes', since_version: 1 },
    ]),
    merge_living_document: truth.outcomes.map(solution_id => ({ solution_id, version: 1, markdown: MERGED })),
    list_decisions: [{ routine: true }],
    lookup_decision: [{}, { id: 'DEC-1' }],
    lookup_outcome: [{}, ...truth.outcomes.map(id => ({ id }))],
    read_reviews: [{}, { id: truth.review }],
    read_review: [{ id: truth.review }],
    source_health: [...truth.sourceNames.values()].map(id => ({ id })),
    preview_erasure: [{ person: { address: 'person.7@example.com', name: null } }],
    preview_retention: [
      { signals_days: 30, keeps_evidence: true, activity_days: 30, dead_letters_days: 14, jobs_days: 14 },
    ],
    // No file is imported here, and themes are found when they are found.
    preview_import: [],
    preview_take_back: [],
    preview_re_anchor: [],
    list_likely_same: [],
    lookup_theme: [],
    search_themes: [{ query: 'calendar' }],
    lookup_reference: [{ query: 'CLM-3' }],
    list_merge_log: [{ kind: 'merged' }, { kind: 'refused' }],
    lookup_search: [{ query: 'broken' }, { query: 'calendar', types: ['signal'], limit: 100 }],
    lookup_group: [{}, { id: 'This quarter' }],
    orient_changes: [{ since: new Date(Date.now() - 200 * DAY_MS).toISOString() }],
    list_changes: [{ time: { from: new Date(Date.now() - 200 * DAY_MS).toISOString() } }],
  }
}
