import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { IDENTITY } from '../../../infra/models/calibration.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { readCalibrations } from '../../../model/calibrations/calibrations.ts'
import { readLabelledPairs } from '../../../model/calibrations/pairs.ts'
import { type ClaimId, newId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
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
    ['server 7 today', 'server 7 today.', 'server 8 today'].map(where =>
      finished(workspace, `The export of invoices to the accounting program stops on ${where}`, { model: MODEL }),
    ),
  )
  assert.ok(one && repeat && other)
  await addSignals(db, workspace, [one.content.text, { model: MODEL }])
  const dedup = createDedup({
    database: db.database,
    embedder: another,
    neighbours: freshNeighbours(),
    actorKey: address => address,
  })
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

test('repeats that people took out count, and pairs of claims that they merged or keep apart, wherever these are merged into since', async () => {
  const workspace = await filled()
  const saying = (text: string) => [text, { model: MODEL }] as const
  const ids = await addSignals(
    db,
    workspace,
    ...['Printing is slow', 'Login is slow', 'Saving is slow'].flatMap(text => [
      saying(text),
      saying(`${text}, please`),
    ]),
    saying('Something else'),
  )
  const claims = ids.map(() => newId<ClaimId>())
  await db.pool.query(
    `insert into claims (id, workspace_id, number, kind, title)
     select id, $1, number, 'problem', 'A claim' from unnest($2::uuid[]) with ordinality as made (id, number)`,
    [workspace, claims],
  )
  const [, , , , fifth, , last] = claims
  // The fifth claim, which is kept apart from the sixth, was merged into the last.
  await db.pool.query('update claims set merged_into = $2 where id = $1', [fifth, last])
  await db.pool.query(
    `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, origins)
     select $1, case when claim = $4 then $5 else claim end, signal, 'cluster', 'test', 'It started it.',
       case when claim = $4 then array[claim] else '{}' end
     from unnest($2::uuid[], $3::uuid[]) as made (claim, signal)`,
    [workspace, claims, ids, fifth, last],
  )
  await db.pool.query(
    `insert into taken_out_repeats (id, workspace_id, original_id, replay, taken_out_at) values ($2, $1, $3, 1, now())`,
    [workspace, ids[1], ids[0]],
  )
  for (const [place, state] of [
    [2, 'confirmed'],
    [4, 'refused'],
  ] as const) {
    await db.pool.query(
      `insert into merge_proposals (id, workspace_id, claim_id, candidate_claim_id, score, reason, state, decided_at, decided_by, decided_reason)
       values ($1, $2, $3, $4, 0, 'Alike.', $5, now(), 'Ann', 'Said so.')`,
      [newId(), workspace, claims[place + 1], claims[place], state],
    )
  }
  const pairs = await db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspace] }, transaction =>
    readLabelledPairs(transaction, { workspaceId: workspace, model: MODEL }),
  )
  assert.deepEqual(pairs.map(({ same, left }) => [left.slice(0, 5), same]).toSorted(), [
    ['Login', true],
    ['Print', false],
    ['Savin', false],
  ])
  await runJob(job(), workspace)
  assert.equal((await rows(workspace))[0].labelled_pairs, 3)
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
