import { createBuiltInEmbedder } from '../../../infra/models/built-in-embedder.ts'
import { storeVectors } from '../../../model/signals/store-vectors.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { derivedId, type EventId, type SignalId } from '../../../schemas/domain/ids.ts'
import type { Workspace } from '../../operations/testing.ts'
import type { ActivityKit } from '../../operations/testing-activity.ts'
import { activityRecords } from './activity.ts'
import { claimRows } from './claims.ts'
import { decisionRows } from './decisions.ts'
import { portfolioRows } from './portfolio.ts'
import { productRows } from './product.ts'
import { SIGNALS, signalRows } from './signals.ts'
import { solutionRows } from './solutions.ts'
import type { Row, Rows, StoryContext } from './story.ts'

/** The last number of each kind of reference that the story has given away. */
const COUNTERS = { signal: 16, claim: 8, solution: 10, decision: 5 }

const LETTERS = [
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
 * A workspace of its own with the whole story: its evidence, what was made of it, its sources, and two dead letters. With `activity`, also what the pipeline and
 * the sources told of it. References are the same in every workspace.
 */
export const seededWorkspace = async (kit: ActivityKit, activity: boolean): Promise<Workspace> => {
  const workspace = await kit.workspace()
  const story = storyContext(kit, workspace)
  await insertAccount(kit, story)
  const parts = [productRows, signalRows, decisionRows, claimRows, solutionRows, portfolioRows]
  for (const rowsOf of parts) await insertAll(kit, workspace, rowsOf(story))
  const counters = Object.entries(COUNTERS).map(([kind, last_number]) => ({ kind, last_number }))
  await insertAll(kit, workspace, [['reference_counters', counters]])
  await addVectors(kit, workspace)
  const { data: source } = await workspace.call('service_connect', 'create', { name: 'Help desk' })
  await kit.database.pool.query('update sources set created_at = $2 where id = $1', [source.id, story.ago(40)])
  const letters = []
  for (const letter of LETTERS) letters.push({ step: letter.step, signalId: await workspace.deadLetter(letter) })
  if (activity) await kit.record(workspace.id, ...activityRecords(story, source.id, letters))
  return workspace
}

const storyContext = ({ now }: ActivityKit, { id: workspaceId, caller }: Workspace): StoryContext => ({
  // What it identifies is said by its name.
  id: name => derivedId<EventId>('story', workspaceId, name),
  ago: days => new Date(now.getTime() - days * DAY_MS).toISOString(),
  owner: { id: caller.userId, name: caller.userName },
})

const insertAccount = async ({ database }: ActivityKit, { owner: { id, name } }: StoryContext): Promise<void> => {
  await database.pool.query('insert into account_users (id, name, email) values ($1, $2, $3)', [
    id,
    name,
    `${id}@example.com`,
  ])
}

/** One statement a table. What a table has by default needs every row of it to leave the same columns out. */
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
