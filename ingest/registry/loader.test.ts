import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { createSealer } from '../../infra/runtime/secrets.ts'
import { newId, type SourceId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { createSourceLoader } from './loader.ts'

describe('sources out of Postgres', () => {
  const sealer = createSealer(new Uint8Array(32).fill(7))
  const unreadable: SourceId[] = []
  let test: TestDatabase
  let workspace: WorkspaceId
  let behind = false
  let loader: ReturnType<typeof createSourceLoader>

  before(async () => {
    test = await startTestDatabase()
    const [made] = await test.workspaces(1)
    assert.ok(made)
    workspace = made
    const { database } = test
    loader = createSourceLoader({
      database,
      assertMigrated: async () => {
        if (behind) throw new AssayError('unavailable', 'The database lacks migrations.')
      },
      unseal: sealer.unseal,
      onUnreadable: id => unreadable.push(id),
    })
  })
  after(() => test.stop())

  const insert = async (sealed: Uint8Array, kind = 'signal', codeHost: string | null = null): Promise<SourceId> => {
    const id = newId<SourceId>()
    await test.pool.query(
      'insert into sources (id, workspace_id, kind, name, code_host, sealed_secret) values ($1, $2, $3, $4, $5, $6)',
      [id, workspace, kind, 'Test', codeHost, sealed],
    )
    return id
  }

  it('are not loaded from a database that lacks migrations, which is what the edge then says', async () => {
    behind = true
    await assert.rejects(loader.all(), /lacks migrations/)
    behind = false
  })

  it('come with whose they are and their secret in plaintext, deletions as such, and damage alone', async () => {
    const signal = await insert(sealer.seal('the-secret'))
    const github = await insert(sealer.seal('another'), 'code_host', 'github')
    const damaged = await insert(Buffer.from('damaged'), 'code_host', 'github')

    const all = new Map((await loader.all()).map(state => [state.id, state]))
    assert.equal(all.size, 3)
    const source = all.get(signal)?.source
    assert.equal(source?.workspaceId, workspace)
    assert.match(source?.tenantId ?? '', /^[0-9a-f-]{36}$/)
    assert.deepEqual(source?.secrets, [{ value: 'the-secret', until: null }])
    assert.equal(all.get(github)?.source?.codeHost, 'github')
    assert.deepEqual(all.get(damaged)?.source?.secrets, [])
    assert.equal(source?.paused, false)
    await test.pool.query('update sources set paused_at = now() where id = $1', [github])
    assert.equal((await loader.find([github]))[0]?.source?.paused, true)
    assert.deepEqual(unreadable, [damaged])

    const seen = new Map([...all].map(([id, { changedAt }]) => [id, changedAt]))
    const isNews = (id: SourceId, changedAt: number) => (seen.get(id) ?? 0) < changedAt
    await test.pool.query('update sources set deleted_at = now(), changed_at = now() where id = $1', [signal])
    await test.pool.query(`update sources set changed_at = now() - interval '1 hour' where id = $1`, [damaged])
    seen.set(damaged, 0).set(github, Date.now())
    const changes = await loader.changedWithin(60_000, isNews)
    assert.deepEqual(
      changes.map(state => [state.id, state.source]),
      [[signal, null]],
    )
    assert.ok(!(await loader.all()).some(state => state.id === signal))
    assert.deepEqual(
      (await loader.find([github, newId<SourceId>()])).map(state => state.id),
      [github],
    )
  })
})
