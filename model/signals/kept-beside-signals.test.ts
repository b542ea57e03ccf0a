import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
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
