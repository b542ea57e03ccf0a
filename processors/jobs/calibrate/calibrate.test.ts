import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { IDENTITY } from '../../../infra/models/calibration.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { readCalibrations } from '../../../model/calibrations/calibrations.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { createDedup } from '../../steps/dedup/dedup.ts'
import { embedder, finished, freshNeighbours } from '../../steps/testing.ts'
import { addSignals, newWorkspace, runJob, runJobThroughCrash } from '../testing.ts'
import { createCalibrateJob } from './calibrate.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const MODEL = 'another-model'
const another: Embedder = { model: MODEL, limitation: null, embed: embedder.embed }
const job = (model: Embedder = another) => createCalibrateJob({ database: db.database, embedder: model })

const TEXTS = Array.from(
  { length: 80 },
  (_, index) => `Report ${index}: the export of invoices to the accounting program stops without any message at all`,
)
const filled = async (): Promise<WorkspaceId> => {
  const workspace = await newWorkspace(db)
  await addSignals(db, workspace, ...TEXTS.map(text => [text] as const))
  return workspace
}
const rows = async (workspace: WorkspaceId) => {
  const { rows } = await db.pool.query('select * from embedding_calibrations where workspace_id = $1', [workspace])
  return rows
}
const calibration = (workspaceId: WorkspaceId, model = MODEL) =>
  db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, async transaction =>
    (await readCalibrations(transaction, [{ workspaceId, model }]))({ workspaceId, model }),
  )

test('a model’s scale is fitted on pairs made of the newest signals, which then decides what is skipped', async () => {
  const workspace = await filled()
  assert.equal((await calibration(workspace)).comparesWords, false)
  const outcome = await runJob(job(), workspace)
  assert.partialDeepStrictEqual(outcome, { done: 80, failed: 0, total: 80, messages: [] })
  const [row] = await rows(workspace)
  assert.ok(row.made_pairs >= 60 && row.labelled_pairs === 0, `${row.made_pairs} pairs`)
  assert.ok(row.same_share >= 0.97 && row.copies_share >= 0.9, `${row.same_share}, ${row.copies_share}`)
  assert.partialDeepStrictEqual(await calibration(workspace), { knots: row.knots, comparesWords: true })

  const [one, repeat, other] = await Promise.all(
    ['It stops on server 7 today', 'It stops on server 7 today!', 'It stops on server 8 today'].map(written =>
      finished(workspace, written, { model: MODEL }),
    ),
  )
  assert.ok(one && repeat && other)
  await addSignals(db, workspace, [one.content.text, { model: MODEL }])
  const dedup = createDedup({ database: db.database, embedder: another, neighbours: freshNeighbours() })
  assert.deepEqual(
    (await dedup.run([repeat, other])).map(({ kind }) => kind),
    ['skip', 'next'],
  )
})

test('done again after a crash it makes the same pairs', async () => {
  const [whole, cut] = [await filled(), await filled()]
  await runJob(job(), whole)
  await runJobThroughCrash(job, cut)
  const [one, other] = [(await rows(whole))[0], (await rows(cut))[0]]
  assert.deepEqual([other.knots, other.made_pairs], [one.knots, one.made_pairs])
})

test('pairs that people marked as repeats count', async () => {
  const workspace = await filled()
  const [one, other] = await addSignals(
    db,
    workspace,
    ['Printing is slow in the office', { model: MODEL }],
    ['Printing is slow in the office, please', { model: MODEL }],
  )
  await db.pool.query(
    `insert into occurrences (id, workspace_id, signal_id, reason, similarity, channel, signal_origin, actor_role, occurred_at, received_at)
     values ($1, $2, $3, 'member', 0, 'webhook', 'customer', 'user', now(), now())`,
    [one, workspace, other],
  )
  await runJob(job(), workspace)
  assert.equal((await rows(workspace))[0].labelled_pairs, 1)
})

test('a workspace with too few texts keeps the cosine as it is, and hears why', async () => {
  const workspace = await newWorkspace(db)
  await addSignals(db, workspace, ['The export fails'])
  const outcome = await runJob(job(), workspace)
  assert.match(outcome.messages.join(), /too few/)
  const [row] = await rows(workspace)
  assert.deepEqual([row.knots, row.same_share], [IDENTITY.knots, null])
})

test('what a workspace fitted is its own, and of one model', async () => {
  const [one, two] = [await filled(), await filled()]
  await runJob(job(), one)
  assert.equal((await calibration(one)).comparesWords, true)
  assert.equal((await calibration(two)).comparesWords, false)
  assert.equal((await calibration(one, 'third')).comparesWords, false)
})
