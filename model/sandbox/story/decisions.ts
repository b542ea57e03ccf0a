import { MARKDOWN } from './solutions.ts'
import { numberOf, type Rows, type StoryContext } from './story.ts'

interface Told {
  readonly statement: string
  readonly days: number
  readonly about: readonly (readonly [kind: 'solution' | 'claim', name: string])[]
}

/** DEC-1 and so on. */
export const DECISIONS: Readonly<Record<string, Told>> = {
  pdf: {
    statement: 'PDF exports are dropped: nobody has asked for them.',
    days: 25,
    about: [['solution', 'pdf']],
  },
  exports: {
    statement: 'Exports come first this quarter: they bring most of the tickets.',
    days: 20,
    about: [
      ['solution', 'background'],
      ['claim', 'exports'],
    ],
  },
  columns: {
    statement: 'The column chooser did what we hoped.',
    days: 9,
    about: [['solution', 'columns']],
  },
  dark: {
    statement: 'The design of the dark theme is ready for review.',
    days: 6,
    about: [['solution', 'dark']],
  },
  amex: {
    statement: 'Amex goes ahead of the tax rules: we lose orders each day.',
    days: 2,
    about: [
      ['solution', 'amex'],
      ['claim', 'amex'],
    ],
  },
}

/** The Decisions, and what people wrote with them: a Living Document, a handoff, an Outcome. */
export const decisionRows = ({ id, ago, owner }: StoryContext): Rows => {
  const author = { author_id: owner.id, author_name: owner.name }
  return [
    [
      'decisions',
      Object.entries(DECISIONS).map(([name, { statement, days }]) => ({
        id: id(`decision ${name}`),
        number: numberOf(DECISIONS, name),
        statement,
        made_by: owner.id,
        made_by_name: owner.name,
        through: 'app',
        made_at: ago(days),
      })),
    ],
    [
      'decision_objects',
      Object.entries(DECISIONS).flatMap(([decision, { about }]) =>
        about.map(([kind, name]) => ({
          decision_id: id(`decision ${decision}`),
          object_kind: kind,
          object_id: id(`${kind} ${name}`),
          change: {},
        })),
      ),
    ],
    [
      'living_documents',
      [
        {
          ...author,
          id: id('document of background'),
          solution_id: id('solution background'),
          version: 1,
          newest: true,
          markdown: MARKDOWN,
          edit: 'replace',
          decision_id: id('decision exports'),
          written_at: ago(19.5),
        },
      ],
    ],
    [
      'handoffs',
      [
        {
          ...author,
          id: id('handoff of dark'),
          solution_id: id('solution dark'),
          kind: 'design',
          url: 'https://design.example.com/dark-theme',
          decision_id: id('decision dark'),
          handed_off_at: ago(6),
        },
      ],
    ],
    [
      'outcomes',
      [
        {
          ...author,
          id: id('outcome of columns'),
          solution_id: id('solution columns'),
          expectation: 'A third of exports leave columns out.',
          observation: 'Two in five do, and exports are a quarter smaller.',
          verdict: 'met',
          decision_id: id('decision columns'),
          recorded_at: ago(9),
          updated_at: ago(9),
        },
      ],
    ],
  ]
}
