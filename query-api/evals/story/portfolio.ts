import type { Rows, StoryContext } from './story.ts'

const ELEMENTS = [
  { layer: 'vision', title: 'Your data is yours' },
  { layer: 'objective', title: 'Exports that always finish' },
  { layer: 'bet', title: 'Work in the background' },
]

const ROADMAP = { now: 'SOL-3', next: 'SOL-2', later: 'SOL-8' }

/** The Strategy Stack, the roadmap, and a group of Solutions. */
export const portfolioRows = ({ id, ago }: StoryContext): Rows => [
  [
    'strategy_elements',
    ELEMENTS.map(({ layer, title }) => ({ id: id(title), layer, position: 1, title, created_at: ago(80) })),
  ],
  ['strategy_claims', [{ element_id: id('Exports that always finish'), claim_id: id('CLM-1') }]],
  ['strategy_solutions', [{ element_id: id('Work in the background'), solution_id: id('SOL-3') }]],
  [
    'roadmap_items',
    Object.entries(ROADMAP).map(([horizon, solution]) => ({ solution_id: id(solution), horizon, position: 1 })),
  ],
  ['groups', [{ id: id('group'), name: 'Export work', created_at: ago(40) }]],
  ['group_solutions', ['SOL-1', 'SOL-3'].map(solution => ({ group_id: id('group'), solution_id: id(solution) }))],
]
