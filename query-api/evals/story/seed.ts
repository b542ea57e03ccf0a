import { createBuiltInEmbedder } from '../../../infra/models/built-in-embedder.ts'
import { storeVectors } from '../../../model/signals/store-signals.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { derivedId, type EventId, type SignalId } from '../../../schemas/domain/ids.ts'
import type { Workspace } from '../../operations/testing.ts'
import type { ActivityKit } from '../../operations/testing-activity.ts'
import { activityRecords } from './activity.ts'
import { claimRows } from './claims.ts'

import { productRows } from './product.ts'
import { SIGNALS, signalRows } from './signals.ts'
import { solutionRows } from './solutions.ts'
import { numberOf, type Row, type Rows, type StoryContext } from './story.ts'

interface StoryDecision {
  readonly statement: string
  readonly days: number
  readonly about: readonly string[]
}

/** Decisions by reference, made in the app. */
const DECISIONS: Readonly<Record<string, StoryDecision>> = {
  'DEC-1': { statement: 'Exports come first this quarter.', days: 50, about: ['SOL-1', 'SOL-3', 'SOL-5'] },
  'DEC-2': { statement: 'PDF exports are dropped: nobody has asked for them.', days: 25, about: ['SOL-7'] },
  'DEC-3': { statement: 'The column chooser did what we hoped.', days: 15, about: ['SOL-6'] },
  'DEC-4': { statement: 'The design of the dark theme is ready for review.', days: 10, about: ['SOL-4'] },
  'DEC-5': { statement: 'CLM-7 is CLM-1: slow exports are those that time out.', days: 5, about: ['CLM-1', 'CLM-7'] },
}

const KINDS: Readonly<Record<string, string>> = { CLM: 'claim', SOL: 'solution' }

const decisionRows = ({ id, ago, owner }: StoryContext): Rows => [
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

const ELEMENTS = [
  { layer: 'vision', title: 'Your data is yours' },
  { layer: 'objective', title: 'Exports that always finish' },
  { layer: 'bet', title: 'Work in the background' },
]

const ROADMAP = { now: 'SOL-3', next: 'SOL-2', later: 'SOL-8' }

/** Each theme's summary is its sentence alone. */
const themeRows = ({ id, ago }: StoryContext): Rows => [
  ['themes', [{ id: id('THM-1'), number: 1, name: 'export, orders, times', found_at: ago(6), changed_at: ago(1) }]],
  [
    'theme_members',
    ['SIG-6', 'SIG-5', 'SIG-8', 'SIG-9', 'SIG-10'].map((reference, place) => ({
      theme_id: id('THM-1'),
      signal_id: id(reference),
      likeness: 6 - place * 0.8,
      language: 'en',
      quote_start: 0,
      quote_length: 200,
    })),
  ],
]

/** The Strategy Stack, the roadmap, and a group of Solutions. */
const portfolioRows = ({ id, ago }: StoryContext): Rows => [
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

/** The highest number of each kind of reference in the story. */
const COUNTERS = { signal: 16, claim: 8, solution: 10, decision: 5, theme: 1 }

const DEAD_LETTERS = [
  {
    step: 'embed',
    sealed: false,
    message: 'The model is away.',
    fault: 'transient',
    errorClass: 'ModelAway',
    topic: 'signals.embed',
  },
  { step: 'validate', sealed: true, message: '/text is required.' },
] as const

const embedder = createBuiltInEmbedder()
const vectors = embedder.embed(SIGNALS.map(([, text]) => text))

/**
 * A new workspace with the whole story: evidence, its results, sources, and two dead letters. With `activity`, also the
 * activity of the pipeline and the sources. References are the same in every workspace.
 */
export const seededWorkspace = async (kit: ActivityKit, activity: boolean): Promise<Workspace> => {
  const workspace = await kit.workspace()
  const story = storyContext(kit, workspace)
  const parts = [productRows, signalRows, decisionRows, claimRows, solutionRows, portfolioRows, themeRows]
  for (const rowsOf of parts) await insertAll(kit, workspace, rowsOf(story))
  const counters = Object.entries(COUNTERS).map(([kind, last_number]) => ({ kind, last_number }))
  await insertAll(kit, workspace, [['reference_counters', counters]])
  await addVectors(kit, workspace)
  const { data: source } = await workspace.call('service_connect', 'create', { name: 'Help desk' })
  await kit.database.pool.query('update sources set created_at = $2 where id = $1', [source.id, story.ago(40)])
  const deadLetters = []
  for (const letter of DEAD_LETTERS)
    deadLetters.push({ step: letter.step, signalId: await workspace.deadLetter(letter) })
  if (activity) await kit.record(workspace.id, ...activityRecords(story, source.id, deadLetters))
  return workspace
}

const storyContext = ({ now }: ActivityKit, { id: workspaceId, caller }: Workspace): StoryContext => ({
  // The derived id is stable for each name.
  id: name => derivedId<EventId>('story', workspaceId, name),
  ago: days => new Date(now.getTime() - days * DAY_MS).toISOString(),
  owner: { id: caller.userId, name: caller.userName },
})

/** One statement a table. Columns with a default are left out of all rows of a table or of none. */
const insertAll = async ({ database }: ActivityKit, { id }: Workspace, tables: Rows): Promise<void> => {
  for (const [table, rows] of tables) {
    const withWorkspace: Row[] = rows.map(row => ({ workspace_id: id, ...row }))
    const columns = Object.keys(withWorkspace[0] ?? {}).join(', ')
    await database.pool.query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(withWorkspace)],
    )
  }
}

const addVectors = async ({ database }: ActivityKit, { id: workspaceId }: Workspace): Promise<void> => {
  const embedded = await vectors
  const stored = SIGNALS.flatMap(([reference], index) => {
    const vector = embedded[index]
    const signalId = derivedId<SignalId>('story', workspaceId, reference)
    return vector === undefined ? [] : [{ signalId, workspaceId, model: embedder.model, vector }]
  })
  await database.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
    storeVectors(transaction, stored),
  )
}
