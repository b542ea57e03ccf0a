import { analyze, decide, lookup, orient, refused, type Task } from '../task.ts'

const PROMOTED = {
  action: 'promote',
  signal_ids: ['SIG-10', 'SIG-9'],
  kind: 'problem',
  title: 'Downloads of orders stay empty',
  comment: 'One problem, says Anna.',
}

/**
 * Answers that misled agents in a trial of a running installation: numbers for less than the question, and refusals
 * without a next step.
 */
export const trialTasks: readonly Task[] = [
  {
    wants: 'What is said again and again, and how much of all that came in is that?',
    calls: [lookup('signals', { order_by: 'occurrences' }), lookup('signals', { limit: 1 })],
    holds: [
      { answer: 1, path: 'data.count', is: 1 },
      { answer: 1, path: 'data.items.0.reference', is: 'SIG-5' },
      { answer: 1, path: 'meta.note', matches: /Only Signals that were repeated are listed and counted/ },
      { answer: 2, path: 'data.count', is: 16 },
    ],
  },
  {
    wants: 'What SIG-9 (CLM-2) and SIG-10 (CLM-8) say is one problem, says Anna. Make it one.',
    slip: 'Each is evidence of a claim already.',
    calls: [
      refused(decide('triage_signals', PROMOTED)),
      decide('merge_claims', { claim_id: 'CLM-2', into_claim_id: 'CLM-8', comment: 'One problem, says Anna.' }),
    ],
    holds: [{ read: lookup('claim', { id: 'CLM-8', depth: 'summary' }), path: 'data.signals', is: 2 }],
  },
  {
    wants: 'Is what the first look shows all that is open?',
    calls: [orient('snapshot'), analyze('claims', { states: ['emerging', 'established'] })],
    holds: [
      { answer: 1, path: 'data.counts.open_claims', is: 7 },
      { answer: 1, path: 'data.counts.open_solutions', is: 7 },
      { answer: 2, path: 'data.count', is: 7 },
    ],
  },
]
