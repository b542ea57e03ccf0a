import { reference } from '../../../schemas/domain/vocabulary.ts'
import { numberOf, type Rows, type StoryContext } from './story.ts'

interface SampleSolution {
  readonly title: string
  readonly summary: string
  readonly state: string
  /** Days since its last change of state. */
  readonly days: number
  /** Claims that it answers. */
  readonly answers: readonly string[]
}

/** Solutions by their name in the story: SOL-1 and so on. */
export const SOLUTIONS: Readonly<Record<string, SampleSolution>> = {
  signed_mails: {
    title: 'Order mails signed for the shop’s own domain',
    summary: 'Sign every order mail with the shop’s own key, and say on one page what its domain still needs.',
    state: 'Done',
    days: 236,
    answers: ['spam'],
  },
  checked_import: {
    title: 'A stock import that checks each line first',
    summary: 'Show which lines would change what, and import nothing while one of them is not understood.',
    state: 'Done',
    days: 206,
    answers: ['stock'],
  },
  second_factor: {
    title: 'Sign-in with a second factor',
    summary: 'A code from an app, which a shop can require from everybody.',
    state: 'Done',
    days: 150,
    answers: ['factor'],
  },
  list_pages: {
    title: 'The order list in pages',
    summary: 'Read a page at a time, and let the database filter.',
    state: 'Done',
    days: 40,
    answers: ['list'],
  },
  background: {
    title: 'Background exports',
    summary: 'Write exports in the background and mail a link when the file is ready.',
    state: 'In Progress',
    days: 19,
    answers: ['exports', 'hangs'],
  },
  tax: {
    title: 'Tax rules by country',
    summary: 'Keep rates and reverse charge by the country of the customer.',
    state: 'Planned',
    days: 18,
    answers: ['tax'],
  },
  dark: {
    title: 'Dark theme',
    summary: 'Follow the system, with readable greys in both.',
    state: 'In Review',
    days: 6,
    answers: ['dark'],
  },
  columns: {
    title: 'Column chooser',
    summary: 'Choose and order the columns of an export; keep the choice.',
    state: 'Done',
    days: 16,
    answers: ['columns'],
  },
  batch_labels: {
    title: 'Labels in one go',
    summary: 'One file with the labels of every open order, sorted by carrier.',
    state: 'Planned',
    days: 30,
    answers: ['labels'],
  },
  stock_hooks: {
    title: 'Webhooks for stock and orders',
    summary: 'Tell another system of each change, signed, and again when it did not answer.',
    state: 'Backlog',
    days: 60,
    answers: ['hooks'],
  },
  weekly: {
    title: 'Scheduled exports',
    summary: 'Send an export by mail on a day of the week.',
    state: 'Backlog',
    days: 12,
    answers: ['schedule', 'weekly'],
  },
  pdf: { title: 'PDF exports', summary: 'Nobody has asked for them.', state: 'Dropped', days: 25, answers: [] },
  amex: {
    title: 'Amex through the new provider',
    summary: 'Turn on American Express for the new payment provider, and watch declines by card.',
    state: 'Planned',
    days: 2,
    answers: ['amex', 'amex_402'],
  },
  sessions: {
    title: 'Sessions that last a working day',
    summary: 'Renew sessions while somebody works, across tabs.',
    state: 'Backlog',
    days: 3,
    answers: ['logged_out', 'tabs'],
  },
}

export const MARKDOWN = `# Background exports

## Goal

An export of any size finishes, and its file comes by mail.

## How

1. The page starts a job and says so.
2. A worker writes the file in pieces of 5,000 orders.
3. A link that lasts a day is mailed to whoever asked.

## Open questions

How long do we keep the file?
`

/** States in their order. */
const PATH = ['Backlog', 'Planned', 'In Progress', 'In Review', 'Done']
const DAYS_A_STATE = 6

/** Changes of its state, the last one `days` ago. */
const changesOf = ({ state, days }: SampleSolution) => {
  const path = state === 'Dropped' ? ['Backlog', 'Dropped'] : PATH.slice(0, PATH.indexOf(state) + 1)
  return path.slice(1).map((to_state, index) => ({
    from_state: path[index],
    to_state,
    days: days + DAYS_A_STATE * (path.length - 2 - index),
  }))
}

/** The last change of a Solution's state, as stored in a Decision; empty without one. */
export const lastMoveOf = (name: string) => {
  const solution = SOLUTIONS[name]
  const last = solution && changesOf(solution).at(-1)
  return last ? { state: { from: last.from_state, to: last.to_state } } : {}
}

export const solutionRows = ({ id, ago }: StoryContext): Rows => [
  [
    'solutions',
    Object.entries(SOLUTIONS).map(([name, solution]) => ({
      id: id(`solution ${name}`),
      number: numberOf(SOLUTIONS, name),
      title: solution.title,
      summary: solution.summary,
      state: solution.state,
      created_at: ago(DAYS_A_STATE + (changesOf(solution)[0]?.days ?? solution.days)),
      updated_at: ago(solution.days),
    })),
  ],
  [
    'solution_claims',
    Object.entries(SOLUTIONS).flatMap(([name, { answers }]) =>
      answers.map(claim => ({ solution_id: id(`solution ${name}`), claim_id: id(`claim ${claim}`) })),
    ),
  ],
  [
    'state_changes',
    Object.entries(SOLUTIONS).flatMap(([name, solution]) =>
      changesOf(solution).map(({ days, ...change }) => ({
        ...change,
        object_kind: 'solution',
        object_id: id(`solution ${name}`),
        changed_at: ago(days),
      })),
    ),
  ],
  [
    'handoff_proposals',
    [
      {
        solution_id: id('solution background'),
        repository: 'github:acme/shop',
        number: 41,
        title: `${reference('solution', numberOf(SOLUTIONS, 'background'))}: write exports in the background`,
        url: 'https://github.com/acme/shop/pull/41',
        branch: 'background-exports',
        state: 'opened',
        signal_id: id('signal background'),
        occurred_at: ago(19),
      },
    ],
  ],
]
