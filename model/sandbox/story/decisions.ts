import { lastMoveOf, MARKDOWN } from './solutions.ts'
import { numberOf, type Rows, type StoryContext } from './story.ts'

interface SampleDecision {
  readonly statement: string
  readonly days: number
  readonly about: readonly (readonly [kind: 'solution' | 'claim', name: string])[]
}

/** DEC-1 and so on. */
export const DECISIONS: Readonly<Record<string, SampleDecision>> = {
  dutch_mails: {
    statement: 'The Dutch customers say the same about our mails.',
    days: 270,
    about: [['claim', 'spam']],
  },
  mails: {
    statement: 'Signed mails did what we hoped.',
    days: 200,
    about: [['solution', 'signed_mails']],
  },
  import: {
    statement: 'Checking each line was not enough: units and bundles are still counted wrong.',
    days: 110,
    about: [
      ['solution', 'checked_import'],
      ['claim', 'stock'],
    ],
  },
  factor: {
    statement: 'The second factor is used, and the auditors are content.',
    days: 105,
    about: [['solution', 'second_factor']],
  },
  labels: {
    statement: 'Labels in one go come next: it costs our best customers hours a week.',
    days: 30,
    about: [
      ['solution', 'batch_labels'],
      ['claim', 'labels'],
    ],
  },
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
  list: {
    statement: 'The list is fast again, but for filters by country.',
    days: 12,
    about: [['solution', 'list_pages']],
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
  apart: {
    statement: 'Two faults of one page: one is the layout, the other the place that it opens at.',
    days: 0.7,
    about: [['claim', 'mobile']],
  },
}

/** Outcomes, each with its Decision. */
const OUTCOMES = [
  {
    solution: 'signed_mails',
    decision: 'mails',
    expectation: 'Nobody writes about order mails in spam any more.',
    observation: 'Nobody has for five weeks.',
    verdict: 'met',
  },
  {
    solution: 'checked_import',
    decision: 'import',
    expectation: 'Stock differences fall below ten a week.',
    observation: 'They halved, to about thirty: lines with two units and bundles are still counted wrong.',
    verdict: 'missed',
  },
  {
    solution: 'second_factor',
    decision: 'factor',
    expectation: 'Half of the teams require it within three months.',
    observation: 'Four in five accounts of teams use it.',
    verdict: 'met',
  },
  {
    solution: 'list_pages',
    decision: 'list',
    expectation: 'The list opens in a second with 100,000 orders.',
    observation: 'It does. Filtering by country still takes five.',
    verdict: 'partly',
  },
  {
    solution: 'columns',
    decision: 'columns',
    expectation: 'A third of exports leave columns out.',
    observation: 'Two in five do, and exports are a quarter smaller.',
    verdict: 'met',
  },
] as const

/** The change of a Decision: a Solution's move, or none for an outcome or a claim. */
const changeOf = (decision: string, kind: string, name: string) =>
  kind === 'claim' || OUTCOMES.some(outcome => outcome.decision === decision) ? {} : lastMoveOf(name)

/** The Decisions with a Living Document, a handoff and Outcomes. */
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
          change: changeOf(decision, kind, name),
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
      OUTCOMES.map(({ decision, solution, ...outcome }) => ({
        ...author,
        ...outcome,
        id: id(`outcome of ${solution}`),
        solution_id: id(`solution ${solution}`),
        decision_id: id(`decision ${decision}`),
        recorded_at: ago(DECISIONS[decision]?.days ?? 0),
        updated_at: ago(DECISIONS[decision]?.days ?? 0),
      })),
    ],
  ]
}
