import { numberOf, type Rows, type StoryContext } from './story.ts'

interface StorySolution {
  readonly title: string
  readonly state: string
  /** Days in the present state. */
  readonly days: number
  readonly answers?: readonly string[]
}

/** Solutions by reference. Two have the same title. */
const SOLUTIONS: Readonly<Record<string, StorySolution>> = {
  'SOL-1': { title: 'Stream large exports', state: 'Backlog', days: 50, answers: ['CLM-1'] },
  'SOL-2': { title: 'Tax rules by country', state: 'Planned', days: 20, answers: ['CLM-3'] },
  'SOL-3': { title: 'Background exports', state: 'In Progress', days: 45, answers: ['CLM-1', 'CLM-2'] },
  'SOL-4': { title: 'Dark theme', state: 'In Review', days: 10, answers: ['CLM-4'] },
  'SOL-5': { title: 'Progress bar for exports', state: 'Done', days: 12, answers: ['CLM-1'] },
  'SOL-6': { title: 'Column chooser', state: 'Done', days: 40 },
  'SOL-7': { title: 'PDF exports', state: 'Dropped', days: 25 },
  'SOL-8': { title: 'Weekly export by mail', state: 'Backlog', days: 5, answers: ['CLM-5'] },
  'SOL-9': { title: 'Faster search', state: 'Backlog', days: 30 },
  'SOL-10': { title: 'Faster search', state: 'Planned', days: 30 },
}

const MARKDOWN = `# Background exports

## Goal

An export of any size finishes, and its file comes by mail.

## Open questions

How long do we keep the file?
`

/**
 * The Solutions with the claims that they answer; a Living Document, a proposed pull request, a handoff and an Outcome.
 */
export const solutionRows = ({ id, ago, owner }: StoryContext): Rows => {
  const author = { author_id: owner.id, author_name: owner.name }
  return [
    [
      'solutions',
      Object.entries(SOLUTIONS).map(([reference, { title, state, days }]) => ({
        id: id(reference),
        number: numberOf(reference),
        title,
        summary: `${title}, as it was agreed on.`,
        state,
        created_at: ago(days + 5),
        updated_at: ago(days),
      })),
    ],
    [
      'solution_claims',
      Object.entries(SOLUTIONS).flatMap(([reference, { answers = [] }]) =>
        answers.map(claim => ({ solution_id: id(reference), claim_id: id(claim) })),
      ),
    ],
    [
      'state_changes',
      Object.entries(SOLUTIONS)
        .filter(([, { state }]) => state !== 'Backlog')
        .map(([reference, { state, days }]) => ({
          object_kind: 'solution',
          object_id: id(reference),
          from_state: 'Backlog',
          to_state: state,
          changed_at: ago(days),
        })),
    ],
    [
      'living_documents',
      [
        {
          ...author,
          id: id('document of SOL-3'),
          solution_id: id('SOL-3'),
          version: 1,
          newest: true,
          markdown: MARKDOWN,
          edit: 'replace',
          decision_id: id('DEC-1'),
          written_at: ago(44),
        },
      ],
    ],
    [
      'handoff_proposals',
      [
        {
          solution_id: id('SOL-3'),
          repository: 'github:acme/shop',
          number: 41,
          title: 'SOL-3: export in the background',
          url: 'https://github.com/acme/shop/pull/41',
          branch: 'background-exports',
          state: 'opened',
          signal_id: id('pull request 41'),
          occurred_at: ago(3),
        },
      ],
    ],
    [
      'handoffs',
      [
        {
          ...author,
          id: id('handoff of SOL-4'),
          solution_id: id('SOL-4'),
          kind: 'design',
          url: 'https://design.example.com/dark-theme',
          decision_id: id('DEC-4'),
          handed_off_at: ago(10),
        },
      ],
    ],
    [
      'outcomes',
      [
        {
          ...author,
          id: id('outcome of SOL-6'),
          solution_id: id('SOL-6'),
          expectation: 'A third of exports leave columns out.',
          observation: 'Two in five do.',
          verdict: 'met',
          decision_id: id('DEC-3'),
          recorded_at: ago(15),
          updated_at: ago(15),
        },
      ],
    ],
  ]
}
