import type { Rows, StoryContext } from './story.ts'

const ELEMENTS = [
  { layer: 'vision', position: 1, title: 'Every shop keeps its own books in order' },
  { layer: 'objective', position: 1, title: 'Exports that always finish' },
  { layer: 'objective', position: 2, title: 'No order is lost at checkout' },
  { layer: 'objective', position: 3, title: 'A parcel leaves in a minute' },
  { layer: 'bet', position: 1, title: 'Long work runs in the background' },
] as const

const ROADMAP = [
  ['now', 1, 'background'],
  ['now', 2, 'amex'],
  ['next', 1, 'batch_labels'],
  ['next', 2, 'tax'],
  ['later', 1, 'weekly'],
  ['later', 2, 'stock_hooks'],
] as const

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Export work': ['background', 'columns', 'weekly'],
  Checkout: ['amex', 'sessions'],
  'Done this year': ['signed_mails', 'checked_import', 'second_factor', 'list_pages', 'columns'],
}

/** The Strategy Stack, the roadmap, and groups of Solutions. */
export const portfolioRows = ({ id, ago }: StoryContext): Rows => [
  ['strategy_elements', ELEMENTS.map(element => ({ ...element, id: id(element.title), created_at: ago(300) }))],
  [
    'strategy_claims',
    [
      { element_id: id('Exports that always finish'), claim_id: id('claim exports') },
      { element_id: id('A parcel leaves in a minute'), claim_id: id('claim labels') },
      { element_id: id('No order is lost at checkout'), claim_id: id('claim amex') },
    ],
  ],
  [
    'strategy_solutions',
    [{ element_id: id('Long work runs in the background'), solution_id: id('solution background') }],
  ],
  [
    'roadmap_items',
    ROADMAP.map(([horizon, position, name]) => ({ solution_id: id(`solution ${name}`), horizon, position })),
  ],
  ['groups', Object.keys(GROUPS).map(name => ({ id: id(`group ${name}`), name, created_at: ago(30) }))],
  [
    'group_solutions',
    Object.entries(GROUPS).flatMap(([group, names]) =>
      names.map(name => ({ group_id: id(`group ${group}`), solution_id: id(`solution ${name}`) })),
    ),
  ],
]
