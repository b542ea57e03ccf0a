import { numberOf, type Rows, type StoryContext } from './story.ts'

interface Told {
  readonly title: string
  readonly summary: string
  readonly state: string
  /** Since when it is in its state. */
  readonly days: number
  /** The claims that it answers. */
  readonly answers: readonly string[]
}

/** By the names that the rest of the story calls them: SOL-1 and so on. */
export const SOLUTIONS: Readonly<Record<string, Told>> = {
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

export const solutionRows = ({ id, ago }: StoryContext): Rows => [
  [
    'solutions',
    Object.entries(SOLUTIONS).map(([name, { title, summary, state, days }]) => ({
      id: id(`solution ${name}`),
      number: numberOf(SOLUTIONS, name),
      title,
      summary,
      state,
      created_at: ago(days + 6),
      updated_at: ago(days),
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
    Object.entries(SOLUTIONS)
      .filter(([, { state }]) => state !== 'Backlog')
      .map(([name, { state, days }]) => ({
        object_kind: 'solution',
        object_id: id(`solution ${name}`),
        from_state: 'Backlog',
        to_state: state,
        changed_at: ago(days),
      })),
  ],
  [
    'handoff_proposals',
    [
      {
        solution_id: id('solution background'),
        repository: 'github:acme/shop',
        number: 41,
        title: 'SOL-1: write exports in the background',
        url: 'https://github.com/acme/shop/pull/41',
        branch: 'background-exports',
        state: 'opened',
        signal_id: id('signal background'),
        occurred_at: ago(19),
      },
    ],
  ],
]
