import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { startTestDatabase, type TestDatabase } from './testing.ts'

/** The step of the migration that moves rows; its columns are there in a database of today. */
const MOVES = /^do \$\$.*?^\$\$;$/ms.exec(
  readFileSync(new URL('../../schemas/postgres/0059_cuts.sql', import.meta.url), 'utf8'),
)?.[0]

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const OLD = [
  { channel: 'email', metadata: { thread: 'a', quoted: 'Which export?\nThe CSV.' } },
  { channel: 'email', metadata: { quoted: '' } },
  { channel: 'email', metadata: { thread: 'b' } },
  // A sender's own field of that name is no part of a mail.
  { channel: 'webhook', metadata: { quoted: 'price' } },
]

const store = async (workspaceId: WorkspaceId): Promise<void> => {
  const ids = OLD.map(() => newId<SignalId>())
  await db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, async transaction => {
    await transaction.query(
      `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at,
         received_at, classification, classification_confidence, classification_version, metadata)
       select id, $2, ordinal, channel, 'It fails.', '', 'customer', 'user', now(), now(), 'problem', 1, 'test', metadata
       from unnest($1::uuid[], $3::text[], $4::jsonb[]) with ordinality as added (id, channel, metadata, ordinal)`,
      [ids, workspaceId, OLD.map(({ channel }) => channel), OLD.map(({ metadata }) => JSON.stringify(metadata))],
    )
    await transaction.query(
      `insert into occurrences (workspace_id, signal_id, id, reason, similarity, signal_origin, actor_role, channel, text,
         occurred_at, received_at, metadata)
       select $2, $1, gen_random_uuid(), 'same_text', 1, 'customer', 'user', channel, 'It fails.', now(), now(), metadata
       from unnest($3::text[], $4::jsonb[]) as added (channel, metadata)`,
      [ids[0], workspaceId, OLD.map(({ channel }) => channel), OLD.map(({ metadata }) => JSON.stringify(metadata))],
    )
  })
}

test('what a mail quoted is moved out of its metadata, in each workspace, and nothing else is', async () => {
  assert.ok(MOVES)
  const workspaces = await db.workspaces(2)
  for (const workspaceId of workspaces) await store(workspaceId)
  await db.pool.query(MOVES)
  for (const workspaceId of workspaces) {
    for (const table of ['signals', 'occurrences']) {
      const { rows } = await db.pool.query(
        `select channel, metadata, cut_quoted from ${table} where workspace_id = $1 order by channel, metadata::text`,
        [workspaceId],
      )
      assert.deepEqual(
        rows.map(({ channel, metadata, cut_quoted: quoted }) => [channel, metadata, quoted]),
        [
          ['email', { thread: 'a' }, 'Which export?\nThe CSV.'],
          ['email', { thread: 'b' }, null],
          ['email', {}, null],
          ['webhook', { quoted: 'price' }, null],
        ],
        table,
      )
    }
  }
})
