import { lookup, type Task } from '../task.ts'

export const lookupTasks: readonly Task[] = [
  {
    wants: 'What is CLM-3 about, in a few lines?',
    calls: [lookup('claim', { id: 'CLM-3', depth: 'summary' })],
    holds: [
      { answer: 1, path: 'data.title', is: 'Invoices show the wrong tax' },
      { answer: 1, path: 'data.answering_solutions.*.reference', is: ['SOL-2'] },
    ],
  },
  {
    wants: 'My notes say CLM-7. What became of it?',
    calls: [lookup('claim', { id: 'CLM-7' })],
    holds: [
      { answer: 1, path: 'data.reference', is: 'CLM-1' },
      { answer: 1, path: 'data.merged_references', is: ['CLM-7'] },
    ],
  },
  {
    wants: 'Who said that big exports time out? I want to read all of it.',
    calls: [
      lookup('search', { query: 'big exports time out', types: ['claim'] }),
      lookup('claim', { id: '{1.data.items.0.reference}', depth: 'full' }),
    ],
    holds: [
      { answer: 2, path: 'data.reference', is: 'CLM-1' },
      { answer: 2, path: 'data.evidence.items.*.actor_name', includes: 'Tomas' },
    ],
  },
  {
    wants: 'What exactly does SIG-5 say, and has it come in more than once?',
    calls: [lookup('signal', { id: 'SIG-5' })],
    holds: [
      { answer: 1, path: 'data.signal.text', includes: '40,000 orders' },
      { answer: 1, path: 'data.signal.occurrences', is: 1 },
    ],
  },
  {
    wants: 'In which words was what CLM-1 stands on repeated, and by whom?',
    calls: [lookup('repeats', { id: 'CLM-1' })],
    holds: [
      { answer: 1, path: 'data.count', is: 1 },
      { answer: 1, path: 'data.items.0.text', includes: '60,000 orders' },
      { answer: 1, path: 'data.items.0.actor_name', is: 'Jordan' },
    ],
  },
  {
    wants: 'Have customers asked for anything about accountants that nobody has looked at yet?',
    calls: [
      lookup('search', {
        query: 'accountant',
        types: ['signal'],
        filters: [{ field: 'state', op: 'in', values: ['triage'] }],
      }),
    ],
    holds: [{ answer: 1, path: 'data.items.0.reference', is: 'SIG-12' }],
  },
  {
    wants: 'Which questions wait in Triage?',
    calls: [lookup('triage', { classification: 'question' })],
    holds: [{ answer: 1, path: 'data.items.*.reference', is: ['SIG-12'] }],
  },
  {
    wants: 'What does “Faster search” mean on our board: one thing or several?',
    calls: [lookup('reference', { query: 'Faster search' })],
    holds: [{ answer: 1, path: 'data.items.*.reference', is: ['SOL-9', 'SOL-10'] }],
  },
  {
    wants: 'I design SOL-3 from tomorrow. Brief me.',
    calls: [lookup('context', { id: 'SOL-3' })],
    holds: [
      { answer: 1, path: 'data.claims.items.*.reference', includes: 'CLM-1' },
      { answer: 1, path: 'data.living_doc.text', includes: 'An export of any size finishes' },
      { answer: 1, path: 'data.metrics.items.*.name', includes: 'Export success rate' },
    ],
  },
  {
    wants: 'Why is SOL-1 at the top of the Backlog? Whose voice counts how much?',
    calls: [lookup('backlog', { depth: 'full', limit: 1 })],
    holds: [
      { answer: 1, path: 'data.items.0.reference', is: 'SOL-1' },
      { answer: 1, path: 'data.items.0.explanation.terms', atLeast: 4 },
    ],
  },
  {
    wants: 'How far is SOL-4, and what may happen to it next?',
    calls: [lookup('solution', { id: 'SOL-4' })],
    holds: [
      { answer: 1, path: 'data.state', is: 'In Review' },
      { answer: 1, path: 'data.transitions.*.to', includes: 'Done' },
      { answer: 1, path: 'data.handoffs.0.url', is: 'https://design.example.com/dark-theme' },
    ],
  },
  {
    wants: 'Why did we start SOL-3? Who decided that, and about what else?',
    calls: [lookup('decision', { about: 'SOL-3' }), lookup('decision', { id: '{1.data.items.0.reference}' })],
    holds: [
      { answer: 1, path: 'data.items.0.text', is: 'Exports come first this quarter.' },
      { answer: 2, path: 'data.changes', atLeast: 3 },
    ],
  },
  {
    wants: 'Which of our bets paid off so far?',
    calls: [lookup('outcome')],
    holds: [
      { answer: 1, path: 'data.items.0.solution', is: 'SOL-6' },
      { answer: 1, path: 'data.items.0.verdict', is: 'met' },
    ],
  },
  {
    wants: 'What are the open questions of “Background exports”?',
    calls: [lookup('living_doc', { id: 'Background exports', section: ['Open questions'] })],
    holds: [{ answer: 1, path: 'data.text', includes: 'How long do we keep the file?' }],
  },
  {
    wants: 'What do customers say about Payments these days?',
    calls: [lookup('node', { id: 'Payments' })],
    holds: [
      { answer: 1, path: 'data.signals.items.*.reference', includes: 'SIG-15' },
      { answer: 1, path: 'data.claims.items.*.reference', is: ['CLM-6'] },
    ],
  },
  {
    wants: 'Give me an outline of the product.',
    calls: [lookup('map', { depth: 'summary' })],
    holds: [{ answer: 1, path: 'data.items.*.path', includes: ['Billing', 'Payments'] }],
  },
  {
    wants: 'What is in “Export work”, in the order in which we would do it?',
    calls: [lookup('group', { id: 'Export work' })],
    holds: [{ answer: 1, path: 'data.items.*.reference', is: ['SOL-3', 'SOL-1'] }],
  },
  {
    wants: 'What do most customers write about, whatever they call it, and is anything planned for it?',
    calls: [lookup('themes', { depth: 'summary' })],
    holds: [
      { answer: 1, path: 'data.items.0.reference', is: 'THM-1' },
      { answer: 1, path: 'data.items.0.signals', is: 5 },
      { answer: 1, path: 'data.items.0.solutions', atLeast: 1 },
    ],
  },
  {
    wants: 'Which signals are in THM-1, and of which are we not sure?',
    calls: [lookup('theme', { id: 'THM-1' })],
    holds: [
      { answer: 1, path: 'data.items.*.reference', is: ['SIG-6', 'SIG-5', 'SIG-8', 'SIG-9', 'SIG-10'] },
      { answer: 1, path: 'data.items.4.is_doubtful', is: true },
    ],
  },
]
