import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Database } from '../../../infra/postgres/port.ts'
import { createDatabaseForTests, type TestDatabase, testDatabaseOn } from '../../../infra/postgres/testing.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { describeWithStack } from '../../../infra/stack/testing.ts'
import { type KeyId, newId, type UserId, type WorkspaceId } from '../../../schemas/domain/ids.ts'

/** What ends a right, as whichever operation does it. `$1` is the workspace, `$2` the person. */
const ENDINGS: Readonly<Record<string, { readonly sql: string; readonly through: 'key' | 'session' }>> = {
  'is removed': { sql: 'delete from members where workspace_id = $1 and user_id = $2', through: 'session' },
  'is made a viewer': {
    sql: `update members set role = 'viewer' where workspace_id = $1 and user_id = $2`,
    through: 'key',
  },
  'loses the key': { sql: 'delete from mcp_keys where workspace_id = $1 and owner_id = $2', through: 'key' },
  'loses the session': {
    sql: `delete from account_sessions where user_id = $2 and $1::uuid is not null`,
    through: 'session',
  },
}

const PERSON = `
  with person as (
    insert into account_users (id, name, email) values ($2::uuid, 'Leaving', $2::text || '@example.com') returning id
  ), session as (
    insert into account_sessions (id, user_id, token, expires_at)
    select $3::uuid, id, $3::text, now() + interval '1 day' from person
  ), member as (
    insert into members (workspace_id, user_id, role) select $1::uuid, id, 'owner' from person returning user_id
  )
  insert into mcp_keys (id, workspace_id, owner_id, label, hash, last_four, scope)
  select $4::uuid, $1::uuid, user_id, 'Agent', sha256(convert_to($4::text, 'utf8')), 'abcd', 'workspace' from member`

const WAITING = `
  select count(*)::int as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`

await describeWithStack(['postgres'], stack => {
  let stored: TestDatabase | undefined
  after(async () => {
    await stored?.stop()
    await stack.stop()
  })

  const waiting = async ({ pool }: TestDatabase): Promise<number> =>
    (await pool.query<{ count: number }>(WAITING)).rows[0]?.count ?? 0

  /** A write under the right of a person, which goes on until it is released. */
  const write = (database: Database, ids: Ids, through: 'key' | 'session') => {
    const released = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const standing = {
      workspaceId: ids.workspace,
      userId: ids.user,
      role: 'member' as const,
      administers: false,
      proof: through === 'key' ? { keyId: ids.key } : { sessionId: ids.session },
      holds: 'own' as const,
    }
    const scope = { role: 'assay_app' as const, workspaceId: ids.workspace, standing }
    const ended = database.transaction(scope, async () => {
      begun.resolve()
      await released.promise
    })
    return { ended, begun: begun.promise, release: released.resolve }
  }

  describe('Whoever writes without a pause', () => {
    for (const [ending, { sql, through }] of Object.entries(ENDINGS))
      it(`${ending} after the writes that run, and before those that begin later`, async () => {
        stored ??= testDatabaseOn(await createDatabaseForTests(stack.urls.DATABASE_URL ?? ''))
        const { database, pool } = stored
        const db = stored
        const [workspace] = await db.workspaces(1)
        assert.ok(workspace)
        const ids: Ids = { workspace, user: newId<UserId>(), session: newId(), key: newId<KeyId>() }
        await pool.query(PERSON, [workspace, ids.user, ids.session, ids.key])
        const first = write(database, ids, through)
        await first.begun
        const removal = pool.query(sql, [workspace, ids.user])
        await eventually('the wait for the write that runs', async () => (await waiting(db)) === 1)
        const next = write(database, ids, through)
        next.release()
        const refused = next.ended.then(
          () => null,
          error => (isAssayError(error) ? error.code : error),
        )
        await eventually('the wait of the write that begins later', async () => (await waiting(db)) === 2)
        first.release()
        await Promise.all([first.ended, removal])
        assert.ok(['unauthorized', 'forbidden'].includes(String(await refused)), String(await refused))
      })
  })
})

interface Ids {
  readonly workspace: WorkspaceId
  readonly user: UserId
  readonly session: string
  readonly key: KeyId
}
