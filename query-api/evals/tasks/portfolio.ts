import { type Call, decide, lookup, orient, type Task } from '../task.ts'

const strategy: Call = orient('strategy')

export const portfolioTasks: readonly Task[] = [
  {
    wants: 'Add SOL-8 to “Export work”.',
    calls: [
      decide('group', {
        action: 'add',
        group_id: 'Export work',
        solution_ids: ['SOL-8'],
        comment: 'It belongs to the work on exports.',
      }),
    ],
    holds: [
      {
        read: lookup('backlog', { group_id: 'Export work' }),
        path: 'data.items.*.reference',
        includes: 'SOL-8',
      },
    ],
  },
  {
    wants: 'New objective: payments that never fail. CLM-6 belongs under it.',
    calls: [
      decide('strategy', {
        action: 'add',
        layer: 'objective',
        title: 'Payments that never fail',
        claim_ids: ['CLM-6'],
        comment: 'A new objective.',
      }),
    ],
    holds: [{ read: strategy, path: 'data.items.[title=Payments that never fail].claims', is: ['CLM-6'] }],
  },
  {
    wants: 'Show me the strategy, and link SOL-1 to our bet.',
    calls: [
      strategy,
      decide('strategy', {
        action: 'link',
        strategy_id: '{1.data.items.[layer=bet].id}',
        solution_ids: ['SOL-1'],
        version: '{1.data.items.[layer=bet].version}',
        comment: 'Streaming is part of the bet.',
      }),
    ],
    holds: [{ read: strategy, path: 'data.items.[layer=bet].solutions', includes: 'SOL-1' }],
  },
  {
    wants: 'SOL-1 comes next, before everything else there.',
    calls: [
      decide('roadmap', {
        action: 'place',
        solution_id: 'SOL-1',
        horizon: 'next',
        position: 1,
        comment: 'It comes next.',
      }),
    ],
    holds: [
      {
        read: orient('roadmap', { horizon: 'next' }),
        path: 'data.items.*.reference',
        is: ['SOL-1', 'SOL-2'],
      },
    ],
  },
  {
    wants: 'Take SOL-8 off the roadmap, nobody has time for it this year.',
    calls: [
      decide('roadmap', { action: 'remove', solution_id: 'SOL-8', comment: 'Nobody has time for it this year.' }),
    ],
    holds: [
      {
        read: orient('roadmap'),
        path: 'data.items.*.reference',
        is: ['SOL-3', 'SOL-2'],
      },
    ],
  },
]
