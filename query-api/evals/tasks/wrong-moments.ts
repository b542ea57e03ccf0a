import { capture, decide, lookup, map, refused, support, type Task } from '../task.ts'

const NO_TEST = { signal_id: 'SIG-7', claim_id: 'CLM-6', reason: 'It was no test.' }
const WARN = {
  solution_id: 'SOL-3',
  edit: 'append',
  markdown: 'We must warn the mail provider.',
  comment: 'We must warn the mail provider.',
}

/** Tasks that begin with a call that the present state does not allow. */
export const wrongMomentsTasks: readonly Task[] = [
  {
    wants: 'Add to the document of SOL-3 that we must warn the mail provider.',
    slip: 'Without having read it.',
    calls: [
      refused(decide('living_doc', WARN)),
      lookup('living_doc', { id: 'SOL-3' }),
      decide('living_doc', { ...WARN, version: '{2.data.version}' }),
    ],
    holds: [
      {
        read: lookup('living_doc', { id: 'SOL-3' }),
        path: 'data.text',
        includes: 'We must warn the mail provider.',
      },
    ],
  },
  {
    wants: 'Make a group “Export work” of SOL-8.',
    slip: 'There is one.',
    calls: [
      refused(
        decide('group', {
          action: 'create',
          name: 'Export work',
          solution_ids: ['SOL-8'],
          comment: 'They belong together.',
        }),
      ),
      decide('group', {
        action: 'add',
        group_id: 'Export work',
        solution_ids: ['SOL-8'],
        comment: 'They belong together.',
      }),
    ],
    holds: [
      {
        read: lookup('group', { id: 'Export work' }),
        path: 'data.items.*.reference',
        includes: 'SOL-8',
      },
    ],
  },
  {
    wants: 'CLM-2 is the same as CLM-1, merge them.',
    slip: 'By the claim instead of the proposal.',
    calls: [
      refused(decide('triage', { action: 'confirm_merge', claim_id: 'CLM-2' })),
      lookup('proposals'),
      decide('triage', { action: 'confirm_merge', proposal_id: '{2.data.items.[id=CLM-2/CLM-1].id}' }),
    ],
    holds: [{ read: lookup('claim', { id: 'CLM-2' }), path: 'data.reference', is: 'CLM-1' }],
  },
  {
    wants: 'SIG-7 was no test after all: it is evidence of CLM-6.',
    slip: 'A Signal that was dismissed.',
    calls: [
      refused(capture('evidence', NO_TEST)),
      decide('triage', { action: 'accept', signal_id: 'SIG-7', comment: 'It was no test.' }),
      capture('evidence', NO_TEST),
    ],
    holds: [
      {
        read: lookup('claim', { id: 'CLM-6' }),
        path: 'data.evidence.items.*.reference',
        includes: 'SIG-7',
      },
    ],
  },
  {
    wants: 'We no longer sell Billing as one thing: remove it, what is below it stays.',
    slip: 'A node with others below.',
    calls: [refused(map('remove_node', { id: 'Billing' })), map('remove_node', { id: 'Billing', children: 'move' })],
    holds: [
      { answer: 2, path: 'data.moved_children', is: 3 },
      {
        read: map('read', { id: 'Payments' }),
        path: 'data.items.0.path',
        is: ['Payments'],
      },
    ],
  },
  {
    wants: 'Send whatever died through the pipeline again.',
    slip: 'Without saying that all of it is meant.',
    calls: [
      refused(support('start_job', { job_kind: 'replay' })),
      refused(support('replay', { dry_run: true })),
      support('replay', { dry_run: true, all: true }),
      support('replay', { all: true }),
    ],
    holds: [
      { answer: 3, path: 'data.dead_letters', is: 2 },
      { read: support('jobs'), path: 'data.items.*.kind', includes: 'replay' },
    ],
  },
  {
    wants: 'Embed everything again, and once more to be sure; then tell me how far it is.',
    slip: 'It runs already.',
    calls: [
      support('start_job', { job_kind: 're_embed' }),
      refused(support('start_job', { job_kind: 're_embed' })),
      support('jobs', { job_kind: 're_embed' }),
    ],
    holds: [{ answer: 3, path: 'data.count', is: 1 }],
  },
]
