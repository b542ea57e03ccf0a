import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Judge, Verdict } from '../../../infra/models/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { ownClaimId } from '../../../model/claims/clustered.ts'
import { insertSignals } from '../../../model/signals/insert-signals.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { next, retry } from '../../framework/results.ts'
import { embedder, type Finish, type Finished, finished, freshNeighbours, vectorAt } from '../testing.ts'
import { createCluster } from './cluster.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const EXPORT = 'The invoice export fails with a timeout'
const EXPORT_AGAIN = 'Exporting invoices ends in a timeout, the export fails every time'
const LOGIN = 'Login codes never reach my mailbox'

const judging = (answer: (signal: string, candidate: string) => Verdict | AssayError) => {
  const asked: string[] = []
  const judge: Judge = {
    model: 'test-judge',
    judge: async (signal, candidate) => {
      asked.push(candidate)
      const verdict = answer(signal, candidate)
      if (verdict instanceof AssayError) throw verdict
      return verdict
    },
  }
  return { judge, asked }
}
const yes = () => ({ sameRootProblem: true, reason: 'Both tell of it.' })
const no = () => ({ sameRootProblem: false, reason: 'Different roots.' })

const workspace = async (): Promise<WorkspaceId> => {
  const [id] = await db.workspaces(1)
  assert.ok(id)
  return id
}

const read = async (statement: string, workspaceId: WorkspaceId) => (await db.pool.query(statement, [workspaceId])).rows

type StoredSignal = Finished & { readonly insertion: { readonly number: number } }
type Written = readonly [text: string, finish?: Finish]

/** Signals as insert leaves them. */
const stored = async <const Rows extends readonly Written[]>(workspaceId: WorkspaceId, ...rows: Rows) => {
  const [{ n }] = await read('select count(*)::int as n from signals where workspace_id = $1', workspaceId)
  const signals: StoredSignal[] = []
  for (const [text, finish] of rows) {
    signals.push({ ...(await finished(workspaceId, text, finish)), insertion: { number: n + signals.length + 1 } })
  }
  await db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
    insertSignals(
      transaction,
      signals.map(signal => ({ signal, number: signal.insertion.number })),
    ),
  )
  // One signal came of each row, which a loop cannot tell the compiler.
  return signals as unknown as { readonly [Row in keyof Rows]: StoredSignal }
}

const cluster = (batch: readonly StoredSignal[], judge: Judge | null = null) =>
  createCluster({ database: db.database, embedder, neighbours: freshNeighbours(), judge }).run(batch)

const claims = (id: WorkspaceId) =>
  read('select id, number, kind, title, state from claims where workspace_id = $1 order by number', id)
const evidence = (id: WorkspaceId) =>
  read(
    `select claim_id, signal_id, attached_by, actor, reason from claim_evidence where workspace_id = $1
     order by (select number from signals where id = signal_id)`,
    id,
  )
const proposals = (id: WorkspaceId) =>
  read(
    'select claim_id, candidate_claim_id, state, decided_by from merge_proposals where workspace_id = $1 order by reason',
    id,
  )

test('a problem starts an emerging claim, an idea an opportunity, anything else nothing', async () => {
  const id = await workspace()
  const batch = await stored(
    id,
    [`Hi!\n${EXPORT}. We see it daily.`],
    ['Please add a dark mode', { label: 'idea' }],
    ['Where is the billing page?', { label: 'question' }],
    ['Nothing in particular', { label: 'unclassified' }],
  )
  assert.deepEqual(await cluster(batch), [next({}), next({}), next({}), next({})])
  assert.deepEqual(await claims(id), [
    { id: ownClaimId(batch[0].signal_id), number: 1, kind: 'problem', title: `${EXPORT}.`, state: 'emerging' },
    {
      id: ownClaimId(batch[1].signal_id),
      number: 2,
      kind: 'opportunity',
      title: 'Please add a dark mode',
      state: 'emerging',
    },
  ])
  assert.deepEqual(
    (await evidence(id)).map(row => [row.signal_id, row.attached_by]),
    [
      [batch[0].signal_id, 'cluster'],
      [batch[1].signal_id, 'cluster'],
    ],
  )
})

test('without a judge nothing merges: what is near waits as a proposal, what is not does not', async () => {
  const id = await workspace()
  const [first] = await stored(id, [EXPORT])
  await cluster([first])
  const [near, far] = await stored(id, [EXPORT_AGAIN], [LOGIN])
  await cluster([near, far])
  assert.equal((await claims(id)).length, 3)
  assert.deepEqual(await proposals(id), [
    {
      claim_id: ownClaimId(near.signal_id),
      candidate_claim_id: ownClaimId(first.signal_id),
      state: 'waiting',
      decided_by: null,
    },
  ])
})

test('identical vectors merge nothing when the judge says no, and the refusal is remembered', async () => {
  const id = await workspace()
  const [first, second] = await stored(id, [EXPORT, { vector: vectorAt(1) }], [EXPORT_AGAIN, { vector: vectorAt(1) }])
  const { judge, asked } = judging(no)
  await cluster([first], judge)
  await cluster([second], judge)
  assert.deepEqual(asked, [EXPORT])
  assert.equal((await claims(id)).length, 2)
  assert.deepEqual(
    (await proposals(id)).map(row => [row.state, row.decided_by]),
    [['refused', 'test-judge']],
  )
})

test('a judge’s yes attaches the signal to the candidate’s claim, with its reason', async () => {
  const id = await workspace()
  const [first, second] = await stored(id, [EXPORT], [EXPORT_AGAIN])
  const { judge } = judging(yes)
  await cluster([first], judge)
  await cluster([second], judge)
  assert.equal((await claims(id)).length, 1)
  assert.deepEqual((await evidence(id))[1], {
    claim_id: ownClaimId(first.signal_id),
    signal_id: second.signal_id,
    attached_by: 'judge',
    actor: 'test-judge',
    reason: 'Both tell of it.',
  })
  assert.deepEqual(await proposals(id), [])
})

test('signals of one batch find each other, in their order', async () => {
  const id = await workspace()
  const batch = await stored(id, [EXPORT], [LOGIN], [EXPORT_AGAIN])
  await cluster(
    batch,
    judging((signal, candidate) => (signal === EXPORT_AGAIN && candidate === EXPORT ? yes() : no())).judge,
  )
  assert.deepEqual(
    (await evidence(id)).map(row => row.claim_id),
    [ownClaimId(batch[0].signal_id), ownClaimId(batch[1].signal_id), ownClaimId(batch[0].signal_id)],
  )
})

test('a redelivery changes nothing and asks nobody', async () => {
  const id = await workspace()
  const batch = await stored(id, [EXPORT], [EXPORT_AGAIN], [LOGIN])
  await cluster(batch, judging(no).judge)
  const before = [await claims(id), await evidence(id), await proposals(id)]
  const { judge, asked } = judging(yes)
  await cluster([...batch, ...batch], judge)
  assert.deepEqual([await claims(id), await evidence(id), await proposals(id)], before)
  assert.deepEqual(asked, [])
})

test('a judge that is away stops the batch with nothing written, one that stumbles sends back the signal alone', async () => {
  const id = await workspace()
  const [first] = await stored(id, [EXPORT])
  await cluster([first])
  const [near, far] = await stored(id, [EXPORT_AGAIN], ['Payment by card is declined', { vector: vectorAt(1) }])
  await assert.rejects(cluster([near, far], judging(() => new AssayError('unavailable', 'Away.')).judge), {
    code: 'unavailable',
  })
  assert.equal((await claims(id)).length, 1)
  const stumbling = judging(signal => (signal === EXPORT_AGAIN ? new AssayError('timeout', 'Too slow.') : no()))
  assert.deepEqual(await cluster([near, far], stumbling.judge), [retry('Too slow.'), next({})])
  assert.equal((await claims(id)).length, 2)
})

test('a malformed verdict is no yes: the pair waits as a proposal', async () => {
  const id = await workspace()
  const [first, second] = await stored(id, [EXPORT], [EXPORT_AGAIN])
  await cluster([first])
  await cluster([second], judging(() => new AssayError('internal', 'No usable verdict.')).judge)
  assert.deepEqual(
    (await proposals(id)).map(row => row.state),
    ['waiting'],
  )
})

test('a claim that was merged takes no evidence any more: its survivor does', async () => {
  const id = await workspace()
  const [first, survivor] = await stored(id, [EXPORT], [LOGIN])
  await cluster([first, survivor])
  const [second] = await stored(id, [EXPORT_AGAIN])
  const merged = ownClaimId(first.signal_id)
  // Merged while the judge thinks: the candidate was found before, the evidence comes after.
  const judge: Judge = {
    model: 'test-judge',
    judge: async () => {
      await db.pool.query('update claims set merged_into = $2 where id = $1', [merged, ownClaimId(survivor.signal_id)])
      return yes()
    },
  }
  await cluster([second], judge)
  assert.equal((await evidence(id)).at(-1)?.claim_id, ownClaimId(survivor.signal_id))
})

test('neither another workspace, another kind nor a dismissed claim gives candidates', async () => {
  const [one, two] = await db.workspaces(2)
  assert.ok(one && two)
  const elsewhere = await stored(two, [EXPORT])
  const here = await stored(one, [EXPORT, { label: 'idea' }], [`${EXPORT} too`, { vector: vectorAt(0, 9) }])
  await cluster(elsewhere)
  await cluster(here)
  await db.pool.query(`update claims set state = 'dismissed' where workspace_id = $1 and kind = 'problem'`, [one])
  const { judge, asked } = judging(yes)
  await cluster(await stored(one, [EXPORT_AGAIN]), judge)
  assert.deepEqual(asked, [])
})
