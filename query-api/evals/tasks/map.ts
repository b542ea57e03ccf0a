import { type Call, map, type Task } from '../task.ts'

const read = (id: string): Call => map('read', { id })

export const mapTasks: readonly Task[] = [
  {
    wants: 'What belongs to Billing on our product map?',
    calls: [read('Billing')],
    holds: [
      { answer: 1, path: 'data.items.*.name', includes: 'Invoices' },
      { answer: 1, path: 'data.items.[name=Billing].subtree_signals', is: 4 },
    ],
  },
  {
    wants: 'Scheduled exports deserve a place of their own below Exports. People say “every Monday by mail”.',
    calls: [map('add_node', { name: 'Scheduled exports', parent_id: 'Exports', examples: ['every Monday by mail'] })],
    holds: [
      { answer: 1, path: 'data.path', is: ['Exports', 'Scheduled exports'] },
      { read: read('Exports / Scheduled exports'), path: 'data.items.0.examples', is: ['every Monday by mail'] },
    ],
  },
  {
    wants: 'Sign-in should be called Accounts, and invitations of guests belong there too.',
    calls: [
      read('Sign-in'),
      map('update_node', {
        id: '{1.data.items.0.id}',
        name: 'Accounts',
        description: 'Accounts, sessions, invitations of members and guests.',
        version: '{1.data.items.0.version}',
      }),
    ],
    holds: [{ read: read('Accounts'), path: 'data.items.0.description', includes: 'guests' }],
  },
  {
    wants: 'Move the Reports of Billing to Exports. There are Reports already? Then call ours Revenue first.',
    calls: [
      map('update_node', { id: 'Billing / Reports', name: 'Revenue' }),
      map('move_node', { id: 'Billing / Revenue', parent_id: 'Exports' }),
    ],
    holds: [{ read: read('Exports / Revenue'), path: 'data.items.0.path', is: ['Exports', 'Revenue'] }],
  },
  {
    wants: 'SIG-1 belongs to Sign-in, not where it is. The map should learn that.',
    calls: [map('move_signal', { signal_id: 'SIG-1', node_id: 'Sign-in' })],
    holds: [
      { answer: 1, path: 'data.signal.node.name', is: 'Sign-in' },
      { answer: 1, path: 'data.examples', is: 1 },
    ],
  },
  {
    wants: 'We no longer have Exports / Reports. Remove it from the map.',
    calls: [map('remove_node', { id: 'Exports / Reports' })],
    holds: [{ read: read('Exports'), path: 'data.items.*.name', is: ['Exports'] }],
  },
  {
    wants: 'Failed payments should be seen at Payments. Less is better, at most 100 a day.',
    calls: [
      map('bind_metric', { id: 'Payments', metric_id: 'Failed payments', direction: 'down_is_good', target: 100 }),
    ],
    holds: [
      { answer: 1, path: 'data.metrics.0.newest.value', is: 310 },
      { answer: 1, path: 'data.metrics.0.change', is: 'worse' },
      { answer: 1, path: 'data.metrics.0.on_target', is: false },
    ],
  },
  {
    wants: 'The export success rate says nothing about Exports. Unbind it.',
    calls: [map('unbind_metric', { id: 'Exports', metric_id: 'Export success rate' })],
    holds: [{ read: read('Exports'), path: 'data.items.0.metrics', is: [] }],
  },
]
