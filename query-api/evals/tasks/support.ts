import { type Call, support, type Task } from '../task.ts'

const deadLetters: Call = support('pipeline')

export const supportTasks: readonly Task[] = [
  {
    wants: 'Something is off, I miss feedback from the help desk. What is wrong?',
    activity: true,
    calls: [
      support('diagnose'),
      support('source', { id: '{1.data.items.[finding=signature_failures].next.arguments.id}' }),
    ],
    holds: [
      { answer: 1, path: 'data.items.[finding=signature_failures].next.mode', is: 'source' },
      { answer: 2, path: 'data.step.message', includes: 'signature_differs' },
    ],
  },
  {
    wants: 'What did the pipeline do with SIG-14?',
    activity: true,
    calls: [support('signal', { id: 'SIG-14' })],
    holds: [
      { answer: 1, path: 'data.status', is: 'inserted' },
      { answer: 1, path: 'data.steps.*.step', includes: 'cluster' },
    ],
  },
  {
    wants: 'Something died at embed. Look at it, and if it can go through again, send it.',
    activity: true,
    calls: [
      deadLetters,
      support('dead_letter', { signal_id: '{1.data.items.[step=embed].signal_id}' }),
      support('replay', { step: 'embed', dry_run: true }),
      support('replay', { step: 'embed' }),
    ],
    holds: [
      { answer: 2, path: 'data.dead_letter.error_class', is: 'ModelAway' },
      { answer: 3, path: 'data.job_id', is: null },
      { answer: 4, path: 'data.dead_letters', is: 1 },
      { read: support('jobs'), path: 'data.items.*.kind', includes: 'replay' },
    ],
  },
  {
    wants: 'What died at validate can go: the sender has corrected its program and sent everything again.',
    calls: [
      support('discard', {
        step: 'validate',
        reason: 'The sender has corrected its program and sent everything again.',
      }),
    ],
    holds: [{ read: deadLetters, path: 'data.items.*.step', is: ['embed'] }],
  },
  {
    wants: 'Sort all feedback into the map again. Stop it if it has not begun.',
    calls: [
      support('start_job', { job_kind: 're_anchor' }),
      support('jobs', { job_kind: 're_anchor' }),
      support('cancel_job', { id: '{1.data.id}' }),
    ],
    holds: [
      { answer: 2, path: 'data.items.0.state', is: 'running' },
      { answer: 3, path: 'data.state', is: 'cancelled' },
    ],
  },
  {
    wants: 'What happened at the help desk’s address today, and what should I do about it?',
    activity: true,
    calls: [support('source', { id: 'Help desk' })],
    holds: [
      { answer: 1, path: 'data.recent.*.reason', includes: 'signature_differs' },
      { answer: 1, path: 'data.step.next.tool', is: 'service_connect' },
    ],
  },
  {
    wants: 'Prove to me that no feedback was lost.',
    activity: true,
    calls: [support('ledger')],
    holds: [
      { answer: 1, path: 'data.verdict', is: 'in_progress' },
      { answer: 1, path: 'data.without_receipt', is: 0 },
      { answer: 1, path: 'data.in_progress', is: 1 },
    ],
  },
]
