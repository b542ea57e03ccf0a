import { analyze, type Task } from '../task.ts'

export const analyzeTasks: readonly Task[] = [
  {
    wants: 'How much of what came in during May has become something?',
    activity: true,
    calls: [analyze('activity', { question: 'funnel', time: { from: '2026-05-01', to: '2026-06-01' } })],
    holds: [
      { answer: 1, path: 'data.items.*.group.stage', includes: 'in_solution' },
      { answer: 1, path: 'data.items.[group.stage=in_claim].metrics.count', is: 7 },
    ],
  },
  {
    wants: 'Does more come in than usual this week, and through which channel?',
    activity: true,
    calls: [analyze('activity', { question: 'trending', group_by: ['channel'], time: { from: '2026-05-25' } })],
    holds: [
      { answer: 1, path: 'data.items.0.group.channel', is: 'connection' },
      { answer: 1, path: 'data.items.0.metrics.count', is: 7 },
    ],
  },
  {
    wants: 'How many signals came in each week since April, and how many in the weeks before that?',
    activity: true,
    calls: [
      analyze('activity', {
        metrics: ['distinct_signals'],
        filters: [{ field: 'kind', op: 'in', values: ['signal.received'] }],
        time: { from: '2026-04-06', to: '2026-06-01', granularity: 'week' },
        compare: true,
      }),
    ],
    holds: [{ answer: 1, path: 'data.items.*.metrics.distinct_signals', is: [1, 1, 1, 1, 3, 7] }],
  },
  {
    wants: 'How long does feedback take until I can see it? I need it for a spreadsheet.',
    activity: true,
    calls: [analyze('activity', { question: 'latency', format: 'csv' })],
    holds: [{ answer: 1, path: 'data.csv', matches: /p95_elapsed_ms/ }],
  },
  {
    wants: 'Which sources are unwell?',
    activity: true,
    calls: [analyze('activity', { question: 'sources' })],
    holds: [{ answer: 1, path: 'data.items.[group.source=Help desk].group.refused_for', is: 'signature_differs' }],
  },
  {
    wants: 'Which problems does nothing on our board answer?',
    calls: [analyze('claims', { kinds: ['problem'], order_by: 'actors', depth: 'standard' })],
    holds: [
      { answer: 1, path: 'data.items.[reference=CLM-6].solutions', is: 0 },
      { answer: 1, path: 'data.groups.[state=emerging].unanswered', is: 2 },
    ],
  },
  {
    wants: 'What is stuck?',
    calls: [analyze('solutions', { order_by: 'stuck', limit: 3 })],
    holds: [
      { answer: 1, path: 'data.items.0.reference', is: 'SOL-3' },
      { answer: 1, path: 'data.items.0.stuck', is: true },
    ],
  },
  {
    wants:
      'Prepare the review of May, I want to see it before anybody else does. Then save it as “May”, and show me all we have.',
    activity: true,
    calls: [
      analyze('prepare_review', { time: { from: '2026-05-01', to: '2026-06-01' } }),
      analyze('review', { time: { from: '2026-05-01', to: '2026-06-01' }, title: 'May' }),
      analyze('reviews'),
    ],
    holds: [
      { answer: 1, path: 'data.text', includes: 'SOL-3' },
      { answer: 3, path: 'data.items.*.title', is: ['May'] },
    ],
  },
]
