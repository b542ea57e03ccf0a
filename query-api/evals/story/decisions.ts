import { numberOf, type Rows, type StoryContext } from './story.ts'

interface Told {
  readonly statement: string
  readonly days: number
  readonly about: readonly string[]
}

/** By their references, made in the app. */
const DECISIONS: Readonly<Record<string, Told>> = {
  'DEC-1': { statement: 'Exports come first this quarter.', days: 50, about: ['SOL-1', 'SOL-3', 'SOL-5'] },
  'DEC-2': { statement: 'PDF exports are dropped: nobody has asked for them.', days: 25, about: ['SOL-7'] },
  'DEC-3': { statement: 'The column chooser did what we hoped.', days: 15, about: ['SOL-6'] },
  'DEC-4': { statement: 'The design of the dark theme is ready for review.', days: 10, about: ['SOL-4'] },
  'DEC-5': { statement: 'CLM-7 is CLM-1: slow exports are those that time out.', days: 5, about: ['CLM-1', 'CLM-7'] },
}

const KINDS: Readonly<Record<string, string>> = { CLM: 'claim', SOL: 'solution' }

export const decisionRows = ({ id, ago, owner }: StoryContext): Rows => [
  [
    'decisions',
    Object.entries(DECISIONS).map(([reference, { statement, days }]) => ({
      id: id(reference),
      number: numberOf(reference),
      statement,
      made_by: owner.id,
      made_by_name: owner.name,
      through: 'app',
      made_at: ago(days),
    })),
  ],
  [
    'decision_objects',
    Object.entries(DECISIONS).flatMap(([reference, { about }]) =>
      about.map(object => ({
        decision_id: id(reference),
        object_kind: KINDS[object.slice(0, 3)],
        object_id: id(object),
        change: {},
      })),
    ),
  ],
]
