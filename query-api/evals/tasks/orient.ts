import { decide, lookup, orient, type Task } from '../task.ts'

export const orientTasks: readonly Task[] = [
  {
    wants: 'I have just joined. What is going on in this product, and where should I start?',
    calls: [orient('snapshot')],
    holds: [
      { answer: 1, path: 'data.top_claims.0.reference', is: 'CLM-1' },
      { answer: 1, path: 'data.recommended_next_tools.*.mode', includes: 'merge_groups' },
      { answer: 1, path: 'data.solutions', atLeast: 3 },
    ],
  },
  {
    wants: 'What has changed since the 25th of May?',
    calls: [orient('changes', { since: '2026-05-25' })],
    holds: [
      { answer: 1, path: 'data.items.[kind=signals].count', is: 7 },
      { answer: 1, path: 'data.items.[kind=merges].items.0.reference', is: 'CLM-1' },
      { answer: 1, path: 'data.items.*.kind', includes: 'dead_letters' },
    ],
  },
  {
    wants: 'What have I missed? And tell me more about the first thing in the list of new claims.',
    calls: [orient('changes'), lookup('claim', { id: '{1.data.items.[kind=claims_appeared].items.0.reference}' })],
    holds: [
      { answer: 1, path: 'data.since_reason', is: 'first_look' },
      { answer: 2, path: 'data.evidence.count', atLeast: 1 },
    ],
  },
  {
    wants: 'What are we aiming for, and which claims stand behind our objectives?',
    calls: [orient('strategy')],
    holds: [
      { answer: 1, path: 'data.items.*.layer', is: ['vision', 'objective', 'bet'] },
      { answer: 1, path: 'data.items.[layer=objective].claims', is: ['CLM-1'] },
    ],
  },
  {
    wants: 'What comes after what we are working on now?',
    calls: [orient('roadmap', { horizon: 'next' })],
    holds: [{ answer: 1, path: 'data.items.*.reference', is: ['SOL-2'] }],
  },
  {
    wants: 'Is feedback still coming in from the help desk?',
    activity: true,
    calls: [orient('connections')],
    holds: [
      { answer: 1, path: 'data.items.[name=Help desk].accepted_last_day', atLeast: 1 },
      { answer: 1, path: 'data.items.[name=Help desk].refused_last_day', is: 12 },
    ],
  },
  {
    wants: 'Give SOL-9 twice the boost. Then tell me: what did you change here today, and can it still be undone?',
    calls: [
      decide('prioritize', { solution_id: 'SOL-9', priority_boost: 2, comment: 'Twice as much.' }),
      orient('my_changes'),
    ],
    holds: [
      { answer: 2, path: 'data.items.0.objects.0', is: 'SOL-9' },
      { answer: 2, path: 'data.items.0.is_undoable', is: true },
    ],
  },
]
