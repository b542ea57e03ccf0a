import { type Call, decide, lookup, type Task } from '../task.ts'

const solution = (id: string): Call => lookup('solution', { id })

export const solutionsTasks: readonly Task[] = [
  {
    wants:
      'Customers cannot pay with Amex. We decided on Tuesday to add a second payment provider. Put it on the board.',
    calls: [
      lookup('search', { query: 'Amex payments', types: ['claim'] }),
      decide('create_solution', {
        title: 'Second payment provider',
        claim_ids: ['{1.data.items.0.reference}'],
        comment: 'On Tuesday: we add a second payment provider, since Amex payments are declined.',
      }),
    ],
    holds: [
      { read: solution('Second payment provider'), path: 'data.state', is: 'Backlog' },
      { read: solution('Second payment provider'), path: 'data.answered_claims.*.reference', is: ['CLM-6'] },
      { read: solution('Second payment provider'), path: 'data.decisions.0.via', is: 'key' },
    ],
  },
  {
    wants: 'SOL-1 is planned as of today, the team has room in July.',
    calls: [
      decide('update_solution', {
        solution_id: 'SOL-1',
        state: 'Planned',
        comment: 'Planned: the team has room in July.',
      }),
    ],
    holds: [{ read: solution('SOL-1'), path: 'data.state', is: 'Planned' }],
  },
  {
    wants: 'Give the weekly export by mail half as much weight again, a big customer waits for it.',
    calls: [
      lookup('search', { query: 'weekly export by mail', types: ['solution'] }),
      decide('update_solution', {
        solution_id: '{1.data.items.0.reference}',
        priority_boost: 1.5,
        comment: 'A big customer waits for it.',
      }),
    ],
    holds: [{ read: solution('SOL-8'), path: 'data.priority_boost', is: 1.5 }],
  },
  {
    wants: 'SOL-9 goes to the top of the Backlog, whatever the evidence says.',
    calls: [
      decide('prioritize', { solution_id: 'SOL-9', manual_rank: 1, comment: 'First, whatever the evidence says.' }),
    ],
    holds: [
      {
        read: lookup('backlog'),
        path: 'data.items.0.reference',
        is: 'SOL-9',
      },
    ],
  },
  {
    wants: 'SOL-3 would also solve CLM-8, we said in planning.',
    calls: [
      decide('update_solution', {
        solution_id: 'SOL-3',
        add_claim_ids: ['CLM-8'],
        comment: 'In planning: it solves CLM-8 as well.',
      }),
    ],
    holds: [{ read: solution('SOL-3'), path: 'data.answered_claims.*.reference', includes: 'CLM-8' }],
  },
  {
    wants: 'The pull request for SOL-3 is the right one. Hand it off for review.',
    calls: [
      lookup('solution', { id: 'SOL-3' }),
      decide('handoff', {
        solution_id: 'SOL-3',
        kind: 'pull_request',
        url: '{1.data.proposed_handoffs.0.url}',
        comment: 'The pull request is the right one.',
      }),
    ],
    holds: [
      { answer: 2, path: 'data.confirmed.number', is: 41 },
      { read: solution('SOL-3'), path: 'data.state', is: 'In Review' },
    ],
  },
  {
    wants: 'The dark theme is out. Close SOL-4.',
    calls: [decide('update_solution', { solution_id: 'SOL-4', state: 'Done', comment: 'The dark theme is out.' })],
    holds: [{ read: solution('SOL-4'), path: 'data.state', is: 'Done' }],
  },
  {
    wants: 'We wanted SOL-5 to bring the success rate of exports to 97. It did. Write that down, with the figure.',
    calls: [
      lookup('node', { id: 'Exports' }),
      decide('outcome', {
        solution_id: 'SOL-5',
        expectation: 'The success rate of exports rises to 97.',
        observation: 'It is 97.',
        verdict: 'met',
        metric_points: [
          {
            metric_id: '{1.data.node.metrics.0.metric_id}',
            date: '{1.data.node.metrics.0.newest.occurred_at}',
          },
        ],
        comment: 'The progress bar did what we wanted.',
      }),
    ],
    holds: [
      {
        read: lookup('outcome', { id: 'SOL-5' }),
        path: 'data.outcome.points.0.value',
        is: 97,
      },
    ],
  },
  {
    wants: 'The verdict on SOL-6 was too kind. It was met in part.',
    calls: [
      lookup('outcome', { id: 'SOL-6' }),
      decide('outcome', {
        solution_id: 'SOL-6',
        expectation: '{1.data.outcome.expectation}',
        observation: '{1.data.outcome.observation}',
        verdict: 'partly',
        version: '{1.data.outcome.version}',
        comment: 'The verdict was too kind.',
      }),
    ],
    holds: [
      {
        read: lookup('outcome', { id: 'SOL-6' }),
        path: 'data.outcome.verdict',
        is: 'partly',
      },
    ],
  },
  {
    wants: 'Log that we stop promising dates to customers, and hang the move of SOL-2 back to the Backlog on that.',
    calls: [
      decide('decision', { statement: 'We stop promising dates to customers.', about: ['SOL-2'] }),
      decide('update_solution', { solution_id: 'SOL-2', state: 'Backlog', decision_id: '{1.data.reference}' }),
    ],
    holds: [
      { answer: 2, path: 'data.decision.recorded', is: 'before' },
      { read: solution('SOL-2'), path: 'data.state', is: 'Backlog' },
    ],
  },
  {
    wants: 'Start a document for SOL-1: its goal is that no export fails because of its size.',
    calls: [
      decide('living_doc', {
        solution_id: 'SOL-1',
        markdown: '# Stream large exports\n\n## Goal\n\nNo export fails because of its size.\n',
        comment: 'The goal, as agreed on.',
      }),
    ],
    holds: [
      {
        read: lookup('living_doc', { id: 'SOL-1' }),
        path: 'data.text',
        includes: 'No export fails because of its size.',
      },
    ],
  },
  {
    wants:
      'The question in the document of SOL-3 is settled: files are kept for seven days. Then show me what changed.',
    calls: [
      lookup('living_doc', { id: 'SOL-3' }),
      decide('living_doc', {
        solution_id: 'SOL-3',
        section: ['Open questions'],
        markdown: '## Open questions\n\nNone: files are kept for seven days.\n',
        version: '{1.data.version}',
        comment: 'Files are kept for seven days.',
      }),
      lookup('living_doc', { id: 'SOL-3', show: 'changes' }),
    ],
    holds: [
      { answer: 2, path: 'data.version', is: 2 },
      { answer: 3, path: 'data.text', includes: 'kept for seven days' },
    ],
  },
  {
    wants: 'SOL-8 has twice the boost, we said. No, wait: put that back.',
    calls: [
      decide('update_solution', { solution_id: 'SOL-8', priority_boost: 2, comment: 'Twice the boost.' }),
      decide('undo', { change_id: '{1.meta.change_id}' }),
    ],
    holds: [
      { answer: 2, path: 'data.is_changed', is: true },
      { read: solution('SOL-8'), path: 'data.priority_boost', is: 1 },
    ],
  },
]
