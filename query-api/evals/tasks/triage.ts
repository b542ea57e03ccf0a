import { type Call, decide, lookup, type Task } from '../task.ts'

const claim = (id: string): Call => lookup('claim', { id })
const signal = (id: string): Call => lookup('signal', { id })

export const triageTasks: readonly Task[] = [
  {
    wants: 'SIG-5 counts a repeat that is about 60,000 orders. That is another thing.',
    calls: [
      lookup('repeats', { id: 'SIG-5' }),
      decide('triage', {
        action: 'not_a_repeat',
        signal_id: '{1.data.items.0.id}',
        comment: 'It is about 60,000 orders.',
      }),
    ],
    holds: [{ answer: 2, path: 'data.repeat.original', is: 'SIG-5' }],
  },
  {
    wants: 'Take SIG-14 seriously.',
    calls: [decide('triage', { action: 'accept', signal_id: 'SIG-14' })],
    holds: [{ read: signal('SIG-14'), path: 'data.signal.state', is: 'accepted' }],
  },
  {
    wants: 'Throw the advertisement out that waits in Triage.',
    calls: [
      lookup('triage', { classification: 'unclassified' }),
      decide('triage', {
        action: 'dismiss',
        signal_id: '{1.data.items.[text=Cheap watches, best prices, click here.].reference}',
        comment: 'It is an advertisement.',
      }),
    ],
    holds: [{ read: signal('SIG-13'), path: 'data.signal.state', is: 'dismissed' }],
  },
  {
    wants: 'SIG-16 is not unclassified. People who are logged out have a problem!',
    calls: [decide('triage', { action: 'reclassify', signal_id: 'SIG-16', classification: 'problem' })],
    holds: [
      { answer: 1, path: 'data.claim.is_new', is: true },
      { read: signal('SIG-16'), path: 'data.signal.classification', is: 'problem' },
    ],
  },
  {
    wants: 'SIG-12 is more than a question: make an opportunity “Accountants as guests” of it.',
    calls: [
      decide('triage', { action: 'promote', signal_id: 'SIG-12', kind: 'opportunity', title: 'Accountants as guests' }),
    ],
    holds: [
      { read: claim('Accountants as guests'), path: 'data.kind', is: 'opportunity' },
      { read: claim('Accountants as guests'), path: 'data.evidence.items.*.reference', is: ['SIG-12'] },
    ],
  },
  {
    wants: 'Everything that may be the same as CLM-1 is the same. Merge it, CLM-1 stays.',
    calls: [
      lookup('merge_groups'),
      decide('triage', {
        action: 'confirm_merge',
        proposal_ids: '{1.data.items.[survivor.reference=CLM-1].pairs.*.id}',
        survivor_id: 'CLM-1',
        comment: 'All of these are the timeout of large exports.',
      }),
    ],
    holds: [
      { read: claim('CLM-2'), path: 'data.reference', is: 'CLM-1' },
      { read: claim('CLM-8'), path: 'data.reference', is: 'CLM-1' },
      { read: claim('CLM-1'), path: 'data.evidence.count', is: 6 },
    ],
  },
  {
    wants: 'CLM-8 is something else than CLM-1. Do not ask me again.',
    calls: [
      lookup('proposals'),
      decide('triage', {
        action: 'refuse_merge',
        proposal_id: '{1.data.items.[id=CLM-8/CLM-1].id}',
        comment: 'An empty file is not a timeout.',
      }),
    ],
    holds: [
      { read: claim('CLM-8'), path: 'data.kept_apart.*.claim', is: ['CLM-1'] },
      { read: lookup('proposals'), path: 'data.count', is: 1 },
    ],
  },
  {
    wants: 'It was wrong to merge CLM-7. Pull it out again.',
    calls: [decide('triage', { action: 'undo', claim_id: 'CLM-7', comment: 'Slow is not broken.' })],
    holds: [
      { read: claim('CLM-7'), path: 'data.reference', is: 'CLM-7' },
      { read: claim('CLM-7'), path: 'data.evidence.items.*.reference', is: ['SIG-2'] },
    ],
  },
  {
    wants: 'Dismiss SIG-14. No, sorry, that was the wrong one. Take it back and dismiss SIG-13.',
    calls: [
      decide('triage', { action: 'dismiss', signal_id: 'SIG-14' }),
      decide('triage', { action: 'undo', decision_id: '{1.data.decision.reference}' }),
      decide('triage', { action: 'dismiss', signal_id: 'SIG-13' }),
    ],
    holds: [
      { read: signal('SIG-14'), path: 'data.signal.state', is: 'triage' },
      { read: signal('SIG-13'), path: 'data.signal.state', is: 'dismissed' },
    ],
  },
]
