import { type Call, decide, lookup, type Task } from '../task.ts'

const claim = (id: string): Call => lookup('claim', { id })
const signal = (id: string): Call => lookup('signal', { id })

/** Work of members in the app, and of agents for them. */
export const verbTasks: readonly Task[] = [
  {
    wants: 'The two about Amex, SIG-14 and SIG-15, are real. Accept both at once.',
    calls: [
      decide('triage_signals', { action: 'accept', signal_ids: ['SIG-14', 'SIG-15'], comment: 'Both are real.' }),
    ],
    holds: [
      { answer: 1, path: 'data.signals.*.state', is: ['accepted', 'accepted'] },
      { read: signal('SIG-15'), path: 'data.signal.state', is: 'accepted' },
    ],
  },
  {
    wants: 'Put everything of Ana and Piotr that waits aside until three more say it.',
    calls: [
      lookup('signals', { state: 'triage', text: 'Ana' }),
      lookup('signals', { state: 'triage', text: 'Piotr' }),
      decide('triage_signals', {
        action: 'snooze',
        signal_ids: ['{1.data.items.0.reference}', '{2.data.items.0.reference}'],
        more_signals: 3,
      }),
    ],
    holds: [
      { answer: 3, path: 'data.signals.*.reference', is: ['SIG-9', 'SIG-10'] },
      { read: lookup('signals', { snoozed: 'only' }), path: 'data.count', is: 2 },
    ],
  },
  {
    wants: 'Call THM-1 “Large exports” and keep it in front. SIG-10 has nothing to do with it.',
    calls: [
      decide('update_theme', {
        theme_id: 'THM-1',
        name: 'Large exports',
        standing: 'pinned',
        refused_signal_ids: ['SIG-10'],
      }),
    ],
    holds: [
      { answer: 1, path: 'data.theme.standing', is: 'pinned' },
      {
        read: lookup('theme', { id: 'Large exports' }),
        path: 'data.items.*.reference',
        is: ['SIG-6', 'SIG-5', 'SIG-8', 'SIG-9'],
      },
    ],
  },
  {
    wants: 'CLM-3 is answered, and it should be called “Wrong tax on foreign invoices”.',
    calls: [
      decide('update_claim', {
        claim_id: 'CLM-3',
        state: 'addressed',
        title: 'Wrong tax on foreign invoices',
        comment: 'The tax rules are out.',
      }),
    ],
    holds: [{ read: claim('CLM-3'), path: 'data.state', is: 'addressed' }],
  },
  {
    wants: 'In CLM-6, what Yusuf says (SIG-15) is another problem. Split it off.',
    calls: [
      decide('split_claim', {
        claim_id: 'CLM-6',
        signal_ids: ['SIG-15'],
        title: 'Shoppers cannot pay',
        comment: 'Those are shoppers.',
      }),
    ],
    holds: [
      { answer: 1, path: 'data.moved_signals', is: 1 },
      { read: claim('Shoppers cannot pay'), path: 'data.evidence.items.*.reference', is: ['SIG-15'] },
    ],
  },
  {
    wants: 'Nobody proposed it, but CLM-5 is the same as CLM-1. Merge it into that.',
    calls: [
      decide('merge_claims', { claim_id: 'CLM-5', into_claim_id: 'CLM-1', comment: 'A schedule avoids the timeout.' }),
    ],
    holds: [{ read: claim('CLM-5'), path: 'data.reference', is: 'CLM-1' }],
  },
  {
    wants: 'Which claims may be the same? Merge all that belong to the first of them.',
    calls: [
      lookup('merge_groups', { depth: 'summary' }),
      decide('triage', {
        action: 'confirm_merge',
        proposal_ids: ['{1.data.items.0.pairs.0.id}', '{1.data.items.0.pairs.1.id}'],
        comment: 'All are the timeout of large exports.',
      }),
    ],
    holds: [
      { answer: 1, path: 'data.items.0.survivor.reference', is: 'CLM-1' },
      { read: claim('CLM-8'), path: 'data.reference', is: 'CLM-1' },
      { read: lookup('merge_groups'), path: 'data.count', is: 0 },
    ],
  },
  {
    wants: 'What did we merge so far, and who said so?',
    calls: [lookup('merge_log', { kind: 'merged' })],
    holds: [
      { answer: 1, path: 'data.items.*.from', is: ['CLM-7'] },
      { answer: 1, path: 'data.items.0.reason', includes: 'Slow exports' },
    ],
  },
  {
    wants: 'Show me more pairs that may be the same, the less likely ones too.',
    calls: [decide('show_less_likely')],
    holds: [{ answer: 1, path: 'data.bar.set_aside', is: 0 }],
  },
  {
    wants: 'SOL-9 first, then SOL-8, on the board.',
    calls: [
      decide('rank_solutions', { solution_ids: ['SOL-9', 'SOL-8'], manual_rank: 1, comment: 'Search before mail.' }),
    ],
    holds: [{ read: lookup('backlog'), path: 'data.items.*.reference', is: ['SOL-9', 'SOL-8', 'SOL-1'] }],
  },
  {
    wants: 'Who is behind the place of SOL-1 on the board, all of them?',
    calls: [lookup('explain', { solution_id: 'SOL-1' })],
    holds: [
      { answer: 1, path: 'data.count', atLeast: 3 },
      { answer: 1, path: 'data.items.*.actor_name', includes: 'Tomas' },
    ],
  },
  {
    wants: 'How did “Export success rate” develop since its beginning?',
    calls: [lookup('metric_points', { metric_id: 'Export success rate' })],
    holds: [{ answer: 1, path: 'data.items.*.value', is: [91, 93, 97] }],
  },
]
