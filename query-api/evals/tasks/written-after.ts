import { analyze, decide, lookup, orient, refused, support, type Task } from '../task.ts'

const MAY = { from: '2026-05-01', to: '2026-06-01' }
const STORED = [
  { field: 'step', op: 'in', values: ['insert'] },
  { field: 'outcome', op: 'in', values: ['next'] },
]

/** Wishes of product managers, written by a person who had read the tool list alone. */
export const writtenAfterTasks: readonly Task[] = [
  {
    wants: 'Who at ACME GmbH wrote to us, and what did they say?',
    calls: [lookup('signals', { account: 'ACME GmbH' })],
    holds: [
      { answer: 1, path: 'data.items.0.account', is: 'ACME GmbH' },
      { answer: 1, path: 'data.items.0.actor_name', matches: /./ },
    ],
  },
  {
    wants: 'Which of our open Solutions has the most people behind it?',
    calls: [lookup('backlog')],
    holds: [{ answer: 1, path: 'data.items.0.actors', atLeast: 1 }],
  },
  {
    wants: 'What have enterprise customers said about exports since April, month by month?',
    calls: [
      lookup('signals', {
        node_id: 'Exports',
        metadata: { plan: 'enterprise' },
        time: { from: '2026-04-01' },
        depth: 'summary',
      }),
    ],
    holds: [
      { answer: 1, path: 'data.count', is: 4 },
      { answer: 1, path: 'data.items.*.reference', is: ['SIG-11', 'SIG-8', 'SIG-6', 'SIG-5'] },
      { answer: 1, path: 'data.items.*.state', is: ['triage', 'accepted', 'accepted', 'accepted'] },
    ],
  },
  {
    wants: 'List the German feedback of ACME.',
    slip: 'The account is called otherwise.',
    calls: [
      refused(lookup('signals', { account: 'ACME', language: 'de' })),
      lookup('signals', { account: 'ACME GmbH', language: 'de' }),
    ],
    holds: [
      { answer: 2, path: 'data.count', is: 2 },
      { answer: 2, path: 'data.items.*.reference', is: ['SIG-14', 'SIG-3'] },
    ],
  },
  {
    wants: 'How many Signals about Exports happened in each month since April?',
    activity: true,
    calls: [
      analyze('activity', {
        metrics: ['distinct_signals'],
        filters: [{ field: 'node', op: 'in', values: ['Exports'] }, ...STORED],
        time: { from: '2026-04-01', to: '2026-06-01', granularity: 'month' },
      }),
      lookup('signals', { node_id: 'Exports', time: { from: '2026-04-01', to: '2026-06-01' }, depth: 'summary' }),
    ],
    holds: [
      { answer: 1, path: 'data.items.*.metrics.distinct_signals', is: [2, 5] },
      { answer: 2, path: 'data.count', is: 7 },
    ],
  },
  {
    wants: 'Accept SIG-14. Oh, undo what you just did.',
    calls: [
      decide('triage', { action: 'accept', signal_id: 'SIG-14', comment: 'It is real.' }),
      orient('my_changes', { depth: 'summary' }),
      decide('undo', { change_id: '{2.data.items.0.change_id}', comment: 'Not yet.' }),
    ],
    holds: [
      { answer: 2, path: 'data.items.0.is_undoable', is: true },
      { read: lookup('signal', { id: 'SIG-14' }), path: 'data.signal.state', is: 'triage' },
    ],
  },
  {
    wants: 'Merge “Order downloads stall before they finish” into “Large CSV exports time out”, Anna decided so.',
    calls: [
      decide('merge_claims', {
        claim_id: 'Order downloads stall before they finish',
        into_claim_id: 'Large CSV exports time out',
        comment: 'Anna decided so.',
      }),
      lookup('claim', { id: 'Large CSV exports time out' }),
    ],
    holds: [
      { answer: 1, path: 'data.merges.0.moved_signals', is: 1 },
      { answer: 2, path: 'data.evidence.count', is: 5 },
      { read: lookup('signals', { claim_id: 'CLM-1' }), path: 'data.count', is: 5 },
    ],
  },
  {
    wants: 'Which proposals should I look at first?',
    calls: [lookup('merge_groups', { depth: 'summary' })],
    holds: [
      { answer: 1, path: 'data.pairs', is: 2 },
      { answer: 1, path: 'data.items.0.survivor.reference', is: 'CLM-1' },
    ],
  },
  {
    wants: 'Accept everything about Exports that waits, it is the outage.',
    bulk: true,
    calls: [
      lookup('signals', { state: 'triage', node_id: 'Exports', depth: 'summary' }),
      decide('triage_signals', {
        action: 'accept',
        signal_ids: ['{1.data.items.0.reference}', '{1.data.items.1.reference}', '{1.data.items.2.reference}'],
        comment: 'All of it is the outage.',
      }),
    ],
    holds: [
      { answer: 1, path: 'data.count', is: 3 },
      { read: lookup('signals', { state: 'triage', node_id: 'Exports' }), path: 'data.count', is: 0 },
      { read: lookup('signals', { state: 'accepted', node_id: 'Exports' }), path: 'data.count', is: 7 },
    ],
  },
  {
    wants: 'Why is “Background exports” above “Weekly export by mail”?',
    calls: [
      lookup('explain', { solution_id: 'Background exports', depth: 'summary' }),
      lookup('explain', { solution_id: 'Weekly export by mail', depth: 'summary' }),
    ],
    holds: [
      { answer: 1, path: 'data.count', is: 5 },
      { answer: 1, path: 'data.signals', is: 6 },
      { answer: 2, path: 'data.items.*.actor_name', is: ['Ines'] },
    ],
  },
  {
    wants: 'How did the metric behind Exports go in May?',
    calls: [
      lookup('node', { id: 'Exports', depth: 'summary' }),
      lookup('metric_points', { metric_id: '{1.data.node.metrics.0.metric_id}', time: MAY }),
    ],
    holds: [
      { answer: 1, path: 'data.node.metrics.0.newest.value', is: 97 },
      { answer: 2, path: 'data.items.*.value', includes: 97 },
    ],
  },
  {
    wants: 'Is anything broken here, and since when?',
    activity: true,
    calls: [support('diagnose')],
    holds: [
      { answer: 1, path: 'data.healthy', is: false },
      { answer: 1, path: 'data.items.[finding=signature_failures].evidence', includes: '12' },
      { answer: 1, path: 'data.items.[finding=signature_failures].since', matches: /^2026-0/ },
    ],
  },
  {
    wants: 'What was decided since the 20th of May, and who did it?',
    calls: [orient('changes', { since: '2026-05-20' }), lookup('decision', { depth: 'summary' })],
    holds: [
      { answer: 1, path: 'data.items.[kind=decisions].count', is: 2 },
      { answer: 2, path: 'data.count', is: 5 },
    ],
  },
  {
    wants: 'What somebody said about Safari is not “Large CSV exports time out”. It should stand by itself.',
    slip: 'It came with a merged claim, which has to be pulled apart.',
    calls: [
      lookup('signals', { text: 'Safari', depth: 'summary' }),
      refused(
        decide('split_claim', {
          claim_id: 'Large CSV exports time out',
          signal_ids: ['{1.data.items.0.reference}'],
          title: 'Slow on Safari',
          comment: 'The browser is the cause.',
        }),
      ),
      decide('triage', { action: 'undo', claim_id: 'CLM-7', comment: 'The browser is the cause.' }),
    ],
    holds: [
      { answer: 1, path: 'data.items.*.reference', is: ['SIG-2'] },
      { read: lookup('signals', { claim_id: 'CLM-7' }), path: 'data.items.*.reference', is: ['SIG-2'] },
      { read: lookup('signals', { claim_id: 'CLM-1' }), path: 'data.count', is: 3 },
    ],
  },
  {
    wants: 'Who has said anything about Amex, and is it dealt with?',
    calls: [lookup('signals', { text: 'Amex', depth: 'standard' })],
    holds: [
      { answer: 1, path: 'data.count', is: 2 },
      { answer: 1, path: 'data.items.*.actor_name', is: ['Yusuf', 'Rosa'] },
      { answer: 1, path: 'data.items.*.state', is: ['triage', 'triage'] },
    ],
  },
  {
    wants: 'I am about to call Ines. What has she told us so far?',
    calls: [lookup('signals', { actor_name: 'Ines', depth: 'summary' })],
    holds: [
      { answer: 1, path: 'data.items.*.reference', is: ['SIG-11', 'SIG-6'] },
      { answer: 1, path: 'data.items.*.state', is: ['triage', 'accepted'] },
    ],
  },
  {
    wants: 'On how many Signals does “Large CSV exports time out” stand? The board needs one number.',
    calls: [
      lookup('claim', { id: 'Large CSV exports time out' }),
      lookup('signals', { claim_id: 'Large CSV exports time out', depth: 'summary' }),
      analyze('claims', { kinds: ['problem'], depth: 'summary' }),
    ],
    holds: [
      { answer: 1, path: 'data.evidence.count', is: 4 },
      { answer: 2, path: 'data.count', is: 4 },
      { answer: 1, path: 'data.signals', is: 5 },
      { answer: 3, path: 'data.items.[reference=CLM-1].signals', is: 5 },
    ],
  },
  {
    wants: 'Which problems with Invoices were told of in April, and what became of them?',
    calls: [
      lookup('signals', {
        node_id: 'Invoices',
        classification: 'problem',
        time: { from: '2026-04-01', to: '2026-05-01' },
        depth: 'summary',
      }),
    ],
    holds: [
      { answer: 1, path: 'data.items.*.reference', is: ['SIG-4', 'SIG-3'] },
      { answer: 1, path: 'data.items.0.claims', is: ['CLM-3'] },
      { answer: 1, path: 'data.items.0.state', is: 'accepted' },
    ],
  },
  {
    wants: 'Show me the review of May, but keep nothing. Does it count as many Signals as the list has?',
    activity: true,
    calls: [analyze('prepare_review', { time: MAY }), lookup('signals', { time: MAY, depth: 'summary' })],
    holds: [
      { answer: 1, path: 'data.text', matches: /- 11 Signals/ },
      { answer: 2, path: 'data.count', is: 11 },
    ],
  },
  {
    wants: 'How much of what happened in May was at which part of the product, and how much at none?',
    activity: true,
    calls: [
      analyze('activity', { metrics: ['distinct_signals'], group_by: ['node'], filters: STORED, time: MAY }),
      lookup('signals', { node_id: 'Payments', time: MAY, depth: 'summary' }),
    ],
    holds: [
      { answer: 1, path: 'data.items.[named.node.title=Exports].metrics.distinct_signals', is: 5 },
      { answer: 1, path: 'data.items.[named.node.title=Payments].metrics.distinct_signals', is: 2 },
      { answer: 1, path: 'data.items.[group.node=].metrics.distinct_signals', is: 2 },
      { answer: 2, path: 'data.count', is: 2 },
    ],
  },
  {
    wants:
      'Omar’s question is an opportunity, “Accountants as guests”. Put “Invite accountants” in the Backlog for it.',
    calls: [
      lookup('signals', { actor_name: 'Omar', depth: 'summary' }),
      decide('triage', {
        action: 'promote',
        signal_id: '{1.data.items.0.reference}',
        kind: 'opportunity',
        title: 'Accountants as guests',
        comment: 'We want accountants in.',
      }),
      decide('create_solution', {
        title: 'Invite accountants',
        claim_ids: ['{2.data.claim.reference}'],
        comment: 'We want accountants in.',
      }),
    ],
    holds: [
      { answer: 3, path: 'data.solution.signals', is: 1 },
      { read: lookup('backlog'), path: 'data.items.*.title', includes: 'Invite accountants' },
    ],
  },
  {
    wants: 'Put what Grace says off until the 15th of June. How many are left in Triage?',
    calls: [
      lookup('signals', { state: 'triage', actor_name: 'Grace', depth: 'summary' }),
      decide('triage_signals', {
        action: 'snooze',
        signal_ids: ['{1.data.items.0.reference}'],
        until: '2026-06-15T08:00:00Z',
        comment: 'After the release.',
      }),
      lookup('triage', { depth: 'summary' }),
    ],
    holds: [
      { answer: 3, path: 'data.count', is: 7 },
      { read: lookup('signals', { state: 'triage' }), path: 'data.count', is: 7 },
      { read: lookup('signals', { snoozed: 'only' }), path: 'data.count', is: 1 },
    ],
  },
]
