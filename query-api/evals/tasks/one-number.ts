import { analyze, decide, lookup, support, type Task } from '../task.ts'

const WHOLE = { from: '2026-01-01', to: '2026-06-02' }
const CLAIM = 'Large CSV exports time out'
const ofClaim = (claim: string) => [{ field: 'claim', op: 'in', values: [claim] }]

/** Every read of a claim gives the same current number. */
export const oneNumberTasks: readonly Task[] = [
  {
    wants: 'How did “Large CSV exports time out” grow, month by month? It should add up to what the claim says.',
    activity: true,
    calls: [
      analyze('activity', {
        metrics: ['distinct_signals_and_repeats'],
        filters: ofClaim(CLAIM),
        time: { ...WHOLE, granularity: 'month' },
      }),
      analyze('activity', { metrics: ['distinct_signals_and_repeats'], filters: ofClaim(CLAIM), time: WHOLE }),
      lookup('claim', { id: CLAIM, depth: 'summary' }),
    ],
    holds: [
      { answer: 1, path: 'data.items.*.metrics.distinct_signals_and_repeats', is: [3, 2] },
      { answer: 2, path: 'data.items.0.metrics.distinct_signals_and_repeats', is: 5 },
      { answer: 3, path: 'data.signals', is: 5 },
    ],
  },
  {
    wants:
      'Anna says “Order downloads stall before they finish” is “Large CSV exports time out”. How many Signals of this year has that then?',
    activity: true,
    calls: [
      decide('merge_claims', {
        claim_id: 'Order downloads stall before they finish',
        into_claim_id: CLAIM,
        comment: 'Anna says so.',
      }),
      analyze('activity', { metrics: ['distinct_signals_and_repeats'], filters: ofClaim(CLAIM), time: WHOLE }),
    ],
    holds: [
      { answer: 2, path: 'data.items.0.metrics.distinct_signals_and_repeats', is: 6 },
      { read: lookup('claim', { id: 'CLM-1' }), path: 'data.signals', is: 6 },
    ],
  },
  {
    wants: 'Which claims were talked about the most in May?',
    activity: true,
    calls: [
      analyze('activity', {
        metrics: ['distinct_signals'],
        group_by: ['claim'],
        time: { from: '2026-05-01', to: '2026-06-01' },
      }),
    ],
    holds: [
      { answer: 1, path: 'data.items.[named.claim.reference=CLM-1].metrics.distinct_signals', is: 2 },
      { answer: 1, path: 'data.items.[named.claim.reference=CLM-6].metrics.distinct_signals', is: 2 },
      { answer: 1, path: 'data.note', matches: /Claims are those of now/ },
    ],
  },
  {
    wants: 'What might be the same as “Large CSV exports time out”, and what was merged into it already?',
    calls: [
      lookup('proposals', { claim_id: CLAIM, depth: 'summary' }),
      lookup('merge_log', { kind: 'merged', claim_id: CLAIM, depth: 'summary' }),
    ],
    holds: [
      { answer: 1, path: 'data.count', is: 2 },
      { answer: 1, path: 'data.items.*.id', includes: 'CLM-8/CLM-1' },
      { answer: 2, path: 'data.items.*.from', is: ['CLM-7'] },
    ],
  },
  {
    wants: 'In short: what is wrong with this workspace?',
    activity: true,
    calls: [support('diagnose', { depth: 'summary' })],
    holds: [
      { answer: 1, path: 'data.healthy', is: false },
      { answer: 1, path: 'data.items.[finding=signature_failures].severity', is: 'degraded' },
    ],
  },
]
