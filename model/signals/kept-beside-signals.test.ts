import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'

let db: TestDatabase
let one: WorkspaceId
let two: WorkspaceId
before(async () => {
  db = await startTestDatabase()
  const [first, second] = await db.workspaces(2)
  assert.ok(first && second)
  one = first
  two = second
})
after(() => db.stop())

let numbers = 0
const store = async (workspaceId: WorkspaceId, ...texts: readonly string[]): Promise<readonly SignalId[]> => {
  const ids = texts.map(() => newId<SignalId>())
  const before = numbers
  numbers += texts.length
  await db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
    transaction.query(
      `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at,
         received_at, classification, classification_confidence, classification_version)
       select id, $3, $4 + ordinal, 'webhook', text, '', 'customer', 'user', now(), now(), 'problem', 1, 'test'
       from unnest($1::uuid[], $2::text[]) with ordinality as added (id, text, ordinal)`,
      [ids, texts, workspaceId, before],
    ),
  )
  return ids
}
const having = (workspaceId: WorkspaceId, word: string): Promise<readonly SignalId[]> =>
  db.database.transaction({ role: 'assay_app', workspaceId }, async transaction => {
    const rows = await transaction.query<{ signal_id: SignalId }>(
      'select signal_id from signal_words where word = word_hash($1) order by number',
      [word],
    )
    return rows.map(row => row.signal_id)
  })

test('a signal is found by its words of four letters and more, the longest ten of them', async () => {
  const letters = Array.from({ length: 20 }, (_, index) => 'x'.repeat(5 + index))
  const [first, second, long] = await store(one, 'The EXPORT of an invoice', 'Exporting the invoice', letters.join(' '))
  assert.deepEqual(await having(one, 'invoice'), [first, second])
  assert.deepEqual(await having(one, 'export'), [first])
  assert.deepEqual(await having(one, 'the'), [])
  assert.deepEqual(await having(one, 'x'.repeat(24)), [long])
  assert.deepEqual(await having(one, 'x'.repeat(5)), [])
})

test('the words of a text that is changed go with it, and other changes leave them', async () => {
  const [id] = await store(one, 'Call Rosalind about the calendar')
  const update = (change: string) =>
    db.database.transaction({ role: 'assay_app', workspaceId: one }, transaction =>
      transaction.query(`update signals set ${change} where id = $1`, [id]),
    )
  await update(`state = 'accepted'`)
  assert.deepEqual(await having(one, 'rosalind'), [id])
  await update(`text = 'Call [NAME] about the calendar'`)
  assert.deepEqual(await having(one, 'rosalind'), [])
  assert.deepEqual(await having(one, 'calendar'), [id])
})

test('words of another workspace are out of sight', async () => {
  await store(two, 'The umbrella leaks')
  assert.equal((await having(two, 'umbrella')).length, 1)
  assert.deepEqual(await having(one, 'umbrella'), [])
})

test('signals are counted by state and classification as they come and change', async () => {
  const [workspaceId] = await db.workspaces(1)
  assert.ok(workspaceId)
  const asApp = <Row extends object>(statement: string, values: readonly unknown[] = []) =>
    db.database.transaction({ role: 'assay_app', workspaceId }, transaction =>
      transaction.query<Row>(statement, values),
    )
  const counts = () =>
    asApp('select state, classification, signals from signal_counts where signals > 0 order by state, classification')
  const counted = () =>
    asApp(
      'select state, classification, count(*)::integer as signals from signals group by state, classification order by state, classification',
    )
  const ids = await store(workspaceId, 'One', 'Two', 'Three')
  await store(workspaceId, 'Four')
  assert.deepEqual(await counts(), [{ state: 'triage', classification: 'problem', signals: 4 }])
  await asApp(`update signals set state = 'accepted', classification = 'idea' where id = any ($1::uuid[])`, [
    ids.slice(1),
  ])
  await asApp(`update signals set state = 'dismissed' where id = $1`, [ids[0]])
  await asApp(`update signals set text = 'One again' where id = $1`, [ids[0]])
  assert.deepEqual(await counts(), await counted())
})
