import { analyze, type Call, capture, connect, decide, lookup, map, refused, type Task } from '../task.ts'

const outcome: Call = lookup('outcome', { id: 'SOL-5' })

const CALMER = {
  solution_id: 'SOL-5',
  expectation: 'People are calmer.',
  observation: 'They are.',
  verdict: 'met',
  comment: 'As we hoped.',
}

/** Tasks that begin with a wrong mode, field or name. */
export const wrongNamesTasks: readonly Task[] = [
  {
    wants: 'Show me CLM-3.',
    slip: 'A mode that sounds like it.',
    calls: [refused(lookup('get_claim', { id: 'CLM-3' })), lookup('claim', { id: 'CLM-3' })],
    holds: [{ answer: 2, path: 'data.reference', is: 'CLM-3' }],
  },
  {
    wants: 'The progress bar, SOL-5, has calmed people down, as we hoped.',
    slip: 'A primitive’s name as mode.',
    calls: [refused(decide('record_outcome', CALMER)), decide('outcome', CALMER)],
    holds: [{ read: outcome, path: 'data.outcome.verdict', is: 'met' }],
  },
  {
    wants: 'Which claims have the most evidence?',
    slip: 'A mode of another tool.',
    calls: [refused(lookup('claims', {})), analyze('claims', {})],
    holds: [{ answer: 2, path: 'data.count', atLeast: 5 }],
  },
  {
    wants: 'Find what people say about taxes.',
    slip: 'A mode as the name of a tool.',
    calls: [refused({ tool: 'search', input: { query: 'tax' } }), lookup('search', { query: 'tax' })],
    holds: [{ answer: 2, path: 'data.count', atLeast: 1 }],
  },
  {
    wants: 'What is behind CLM-3?',
    slip: 'Read as a Signal.',
    calls: [
      refused(lookup('signal', { id: 'CLM-3' })),
      lookup('reference', { query: 'CLM-3' }),
      lookup('claim', { id: 'CLM-3' }),
    ],
    holds: [{ answer: 3, path: 'data.reference', is: 'CLM-3' }],
  },
  {
    wants: 'Create a source for our GitHub repository.',
    slip: 'What only people may create.',
    calls: [
      refused(connect('create_source', { kind: 'code_host', code_host: 'github', name: 'GitHub' })),
      connect('find', { query: 'github' }),
    ],
    holds: [{ answer: 2, path: 'data.message', includes: 'A person creates this in the app' }],
  },
  {
    wants: 'Connect our Zendesk.',
    slip: 'A kind of source where connections are made.',
    calls: [refused(connect('create', { kind: 'email', name: 'Zendesk' })), connect('find', { query: 'zendesk' })],
    holds: [{ answer: 2, path: 'data.count', atLeast: 1 }],
  },
  {
    wants: 'How many signals came each week?',
    slip: 'A length of time as a field.',
    activity: true,
    calls: [
      refused(analyze('activity', { group_by: ['week'] })),
      analyze('activity', { time: { granularity: 'week' } }),
    ],
    holds: [{ answer: 2, path: 'data.count', atLeast: 1 }],
  },
  {
    wants: 'Rank SOL-9 first, the board asked for it.',
    slip: 'A field of another mode.',
    calls: [
      refused(decide('update_solution', { solution_id: 'SOL-9', manual_rank: 1, comment: 'The board asked for it.' })),
      decide('prioritize', { solution_id: 'SOL-9', manual_rank: 1, comment: 'The board asked for it.' }),
    ],
    holds: [{ answer: 2, path: 'data.solution.manual_rank', is: 1 }],
  },
  {
    wants: 'Find the claim about taxes.',
    slip: 'Searching in a mode that reads.',
    calls: [
      refused(lookup('claim', { query: 'wrong tax' })),
      lookup('search', { query: 'wrong tax', types: ['claim'] }),
    ],
    holds: [{ answer: 2, path: 'data.items.0.reference', is: 'CLM-3' }],
  },
  {
    wants: 'What does CLM-6 need?',
    slip: 'A reference of another kind.',
    calls: [refused(lookup('solution', { id: 'CLM-6' })), lookup('claim', { id: 'CLM-6' })],
    holds: [{ answer: 2, path: 'data.title', is: 'Amex payments are declined' }],
  },
  {
    wants: 'Whoever looks into SIG-14 should know: Amex told us of an outage. Keep it where it helps.',
    slip: 'Not for Signals.',
    calls: [
      refused(capture('knowledge', { id: 'SIG-14', text: 'Amex told us of an outage.' })),
      lookup('signal', { id: 'SIG-14' }),
      capture('knowledge', { id: '{2.data.signal.claims.0.reference}', text: 'Amex told us of an outage.' }),
    ],
    holds: [
      {
        read: lookup('claim', { id: 'CLM-6' }),
        path: 'data.notes.*.text',
        is: ['Amex told us of an outage.'],
      },
    ],
  },
  {
    wants: 'What do we know about Reports, those under Exports?',
    slip: 'A name that fits several.',
    calls: [
      refused(lookup('node', { id: 'Reports' })),
      lookup('node', { id: '{1.candidates.[name=Exports / Reports].id}' }),
    ],
    holds: [{ answer: 2, path: 'data.node.path', is: ['Exports', 'Reports'] }],
  },
  {
    wants: 'Show the metric about payments that failed at Payments, less is better.',
    slip: 'A name that fits nothing exactly.',
    calls: [
      refused(map('bind_metric', { id: 'Payments', metric_id: 'Payments failed', direction: 'down_is_good' })),
      map('bind_metric', { id: 'Payments', metric_id: '{1.candidates.0.id}', direction: 'down_is_good' }),
    ],
    holds: [{ answer: 2, path: 'data.metrics.*.name', is: ['Failed payments'] }],
  },
  {
    wants: 'Read SOL-2 to me, and call it “Taxes by country”: legal wants that.',
    slip: 'The field of a read in a write.',
    calls: [
      lookup('solution', { id: 'SOL-2' }),
      refused(decide('update_solution', { id: 'SOL-2', title: 'Taxes by country', comment: 'Legal wants that.' })),
      decide('update_solution', { solution_id: 'SOL-2', title: 'Taxes by country', comment: 'Legal wants that.' }),
    ],
    holds: [{ read: lookup('solution', { id: 'SOL-2' }), path: 'data.title', is: 'Taxes by country' }],
  },
  {
    wants: 'Add CSV below Exports to the map.',
    slip: 'A field that is named otherwise.',
    calls: [
      refused(map('add_node', { name: 'CSV', parent: 'Exports' })),
      map('add_node', { name: 'CSV', parent_id: 'Exports' }),
    ],
    holds: [{ answer: 2, path: 'data.path', is: ['Exports', 'CSV'] }],
  },
  {
    wants: 'Our own support team says that the sync is slow. Capture that as internal.',
    slip: 'A field that is named otherwise.',
    calls: [
      refused(capture('signal', { text: 'The sync is slow.', origin: 'internal' })),
      capture('signal', { text: 'The sync is slow.', signal_origin: 'internal' }),
    ],
    holds: [{ answer: 2, path: 'data.ok', is: true }],
  },
  {
    wants: 'Which channels does the funnel lose most on? The funnel itself will do.',
    slip: 'A field that a question does not take.',
    activity: true,
    calls: [
      refused(analyze('activity', { question: 'funnel', group_by: ['channel'] })),
      analyze('activity', { question: 'funnel' }),
    ],
    holds: [{ answer: 2, path: 'data.items', atLeast: 6 }],
  },
]
