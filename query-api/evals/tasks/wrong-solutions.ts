import { type Call, decide, lookup, refused, type Task } from '../task.ts'

const solution = (id: string): Call => lookup('solution', { id })

const MISSED = {
  solution_id: 'SOL-4',
  expectation: 'People use the dark theme.',
  observation: 'Nobody does.',
  verdict: 'missed',
  comment: 'It is out, and nobody uses it.',
}

/** Tasks that begin with a change that the Solution's present state does not allow. */
export const wrongSolutionsTasks: readonly Task[] = [
  {
    wants: 'We are building SOL-1 now.',
    slip: 'A move over a state.',
    calls: [
      refused(decide('update_solution', { solution_id: 'SOL-1', state: 'In Progress', comment: 'We build it now.' })),
      decide('update_solution', { solution_id: 'SOL-1', state: 'Planned', comment: 'We build it now.' }),
      decide('update_solution', { solution_id: 'SOL-1', state: 'In Progress', comment: 'We build it now.' }),
    ],
    holds: [{ read: solution('SOL-1'), path: 'data.state', is: 'In Progress' }],
  },
  {
    wants: 'SOL-3 goes into review, its design is at https://design.example.com/exports.',
    slip: 'A move that a handoff makes.',
    calls: [
      refused(
        decide('update_solution', {
          solution_id: 'SOL-3',
          state: 'In Review',
          comment: 'The design is ready for review.',
        }),
      ),
      decide('handoff', {
        solution_id: 'SOL-3',
        kind: 'design',
        url: 'https://design.example.com/exports',
        comment: 'The design is ready for review.',
      }),
    ],
    holds: [{ read: solution('SOL-3'), path: 'data.state', is: 'In Review' }],
  },
  {
    wants: 'SOL-4 is out, and nobody uses the dark theme. Record that.',
    slip: 'An Outcome before Done.',
    calls: [
      refused(decide('outcome', MISSED)),
      decide('update_solution', { solution_id: 'SOL-4', state: 'Done', comment: 'It is out.' }),
      decide('outcome', MISSED),
    ],
    holds: [{ read: lookup('outcome', { id: 'SOL-4' }), path: 'data.outcome.verdict', is: 'missed' }],
  },
  {
    wants: 'Read SOL-8, boost it to 2, then rename it to “Monday export”, all as we decided.',
    slip: 'A version that is stale by then.',
    calls: [
      solution('SOL-8'),
      decide('prioritize', {
        solution_id: 'SOL-8',
        priority_boost: 2,
        version: '{1.data.version}',
        comment: 'As decided.',
      }),
      refused(
        decide('update_solution', {
          solution_id: 'SOL-8',
          title: 'Monday export',
          version: '{1.data.version}',
          comment: 'As decided.',
        }),
      ),
      decide('update_solution', {
        solution_id: 'SOL-8',
        title: 'Monday export',
        version: '{3.current.version}',
        comment: 'As decided.',
      }),
    ],
    holds: [
      { read: solution('SOL-8'), path: 'data.title', is: 'Monday export' },
      { read: solution('SOL-8'), path: 'data.priority_boost', is: 2 },
    ],
  },
  {
    wants: 'Give SOL-8 a boost of 3: sales has promised it.',
    slip: 'Without saying who decided.',
    calls: [
      refused(decide('update_solution', { solution_id: 'SOL-8', priority_boost: 3 })),
      decide('update_solution', { solution_id: 'SOL-8', priority_boost: 3, comment: 'Sales has promised it.' }),
    ],
    holds: [{ read: solution('SOL-8'), path: 'data.decisions.0.statement', is: 'Sales has promised it.' }],
  },
  {
    wants: 'SOL-5 made exports feel faster, as it should.',
    slip: 'A required field is missing.',
    calls: [
      refused(
        decide('outcome', {
          solution_id: 'SOL-5',
          observation: 'Exports feel faster.',
          verdict: 'met',
          comment: 'As it should.',
        }),
      ),
      decide('outcome', {
        solution_id: 'SOL-5',
        expectation: 'Exports feel faster.',
        observation: 'Exports feel faster.',
        verdict: 'met',
        comment: 'As it should.',
      }),
    ],
    holds: [{ answer: 2, path: 'data.outcome.solution.reference', is: 'SOL-5' }],
  },
  {
    wants: 'What came of SOL-5? Nothing written? Then write that it is too early to tell.',
    slip: 'There is none.',
    calls: [
      refused(lookup('outcome', { id: 'SOL-5' })),
      decide('outcome', {
        solution_id: 'SOL-5',
        expectation: 'Nobody wrote one down.',
        observation: 'It is too early to tell.',
        verdict: 'unclear',
        comment: 'It is too early to tell.',
      }),
    ],
    holds: [{ answer: 2, path: 'data.outcome.verdict', is: 'unclear' }],
  },
]
