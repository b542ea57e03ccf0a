import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getMigrations } from 'better-auth/db/migration'
import { AssayError } from '../../infra/runtime/errors.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { MAX_SESSIONS } from '../../model/accounts/accounts.ts'
import { startTestApi, TEST_BASE_URL, TEST_PASSWORD, type TestApi } from '../testing.ts'
import { authOptions } from './auth-options.ts'
import { passkeyPlugin } from './passkeys.ts'

let kit: TestApi
before(async () => {
  kit = await startTestApi()
})
after(() => kit.stop())

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  kit.api.fetch(
    new Request(`${TEST_BASE_URL}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    }),
  )

test('the library finds every table and column that it needs in our migrations', async () => {
  const { pool } = kit.database
  const options = authOptions(
    {
      pool,
      baseUrl: TEST_BASE_URL,
      secrets: [{ version: 1, value: 'x'.repeat(32) }],
      trustedOrigins: [],
      sendVerification: null,
      signOn: null,
      requireVerified: false,
      log: createLogger({ level: 'silent', program: 'test' }),
      onSession: async () => {},
      onPasswordReset: async () => {},
      deleteAccount: async () => {},
    },
    await passkeyPlugin(TEST_BASE_URL),
  )
  const { toBeCreated, toBeAdded } = await getMigrations(options)
  assert.deepEqual({ toBeCreated, toBeAdded }, { toBeCreated: [], toBeAdded: [] })
})

test('signing up makes a person the owner of a first workspace', async () => {
  const person = await kit.signUp('Ümit Çelik')
  const { items } = await person.data<{ items: { name: string; role: string; current: boolean }[] }>('list_workspaces')
  assert.deepEqual(
    items.map(({ name, role, current }) => ({ name, role, current })),
    [{ name: 'Ümit Çelik workspace', role: 'owner', current: true }],
  )
})

test('an account without a workspace gets one at its next sign-in', async () => {
  const person = await kit.signUp()
  const { pool } = kit.database
  const owned = `select workspace_id from members join account_users on id = user_id where email = $1`
  const before = await pool.query(owned, [person.email])
  const id = before.rows[0].workspace_id
  await pool.query('delete from members where workspace_id = $1', [id])
  await pool.query('delete from workspaces where id = $1', [id])
  await kit.signIn(person.email)
  const healed = await pool.query(owned, [person.email])
  assert.deepEqual(healed.rows, before.rows)
})

test('two sign-ins at once of an account without a workspace make one workspace', async () => {
  const person = await kit.signUp()
  const { pool } = kit.database
  const id = (await person.data<{ items: { id: string }[] }>('list_workspaces')).items[0]?.id
  await pool.query('delete from members where workspace_id = $1', [id])
  await pool.query('delete from workspaces where id = $1', [id])
  const [first] = await Promise.all([kit.signIn(person.email), kit.signIn(person.email)])
  const { items } = await first.data<{ items: unknown[] }>('list_workspaces')
  assert.equal(items.length, 1)
})

test('a wrong password is refused, and says nothing about whether the account exists', async () => {
  const person = await kit.signUp()
  const wrong = await post('/api/auth/sign-in/email', { email: person.email, password: 'not this one' })
  const unknown = await post('/api/auth/sign-in/email', { email: 'nobody@example.com', password: 'not this one' })
  assert.equal(wrong.status, 401)
  assert.equal(unknown.status, 401)
  assert.deepEqual(await wrong.json(), await unknown.json())
})

test('signing out ends the session at once', async () => {
  const person = await kit.signUp()
  const out = await post('/api/auth/sign-out', {}, { cookie: person.cookie, origin: TEST_BASE_URL })
  assert.equal(out.status, 200)
  assert.equal((await person.call('list_keys')).status, 401)
})

test('the session cookie cannot be read by scripts and is not sent from other sites', async () => {
  const response = await post('/api/auth/sign-up/email', {
    name: 'A',
    email: 'cookie@example.com',
    password: TEST_PASSWORD,
  })
  const cookie = response.headers.getSetCookie().join(' ')
  assert.match(cookie, /HttpOnly/)
  assert.match(cookie, /SameSite=Lax/)
})

test('a page of another origin can neither sign in nor use a signed-in browser', async () => {
  const person = await kit.signUp()
  const origin = 'https://elsewhere.example'
  for (const from of [origin, 'null']) {
    const signIn = await post(
      '/api/auth/sign-in/email',
      { email: person.email, password: TEST_PASSWORD },
      { origin: from },
    )
    assert.equal(signIn.status, 403)
    assert.equal((await person.call('create_key', { label: 'stolen' }, { origin: from })).status, 403)
  }
  const form = await person.call('create_key', { label: 'stolen' }, { 'content-type': 'text/plain' })
  assert.equal(form.status, 415)
  assert.deepEqual(await person.data('list_keys'), { items: [] })
  assert.equal((await person.call('create_key', { label: 'own' }, { origin: TEST_BASE_URL })).status, 200)
})

test('nothing of the library is open but what the door lists', async () => {
  const person = await kit.signUp()
  const closed = ['sign-in/social', 'set-password', 'reset-password/x', 'forget-password', 'verify-password', 'ok']
  for (const path of [...closed, 'revoke-sessions', 'delete-user/callback', 'constructor', '__proto__', '']) {
    assert.equal((await post(`/api/auth/${path}`, {}, { cookie: person.cookie })).status, 404, path)
  }
})

test('a person sees the workspaces they belong to and no other', async () => {
  const [one, other] = [await kit.signUp(), await kit.signUp()]
  const foreign = (await other.data<{ items: { id: string }[] }>('list_workspaces')).items[0]?.id ?? ''
  const second = await one.data<{ id: string }>('create_workspace', { name: 'Second' })
  await one.data('create_key', { label: 'of the first' })

  const inSecond = await one.call('list_keys', {}, { 'x-workspace-id': second.id })
  assert.deepEqual(((await inSecond.json()) as { data: unknown }).data, { items: [] })
  for (const id of [foreign, 'not-an-id', '00000000-0000-4000-8000-000000000000']) {
    const refused = await one.call('list_keys', {}, { 'x-workspace-id': id })
    assert.equal(refused.status, 403)
    assert.match(((await refused.json()) as { detail: string }).detail, /not a member/)
  }
})

test('a request goes to the workspace that it names by id or slug, to the last one that a page was open in, or to the first', async () => {
  const person = await kit.signUp()
  const { id: second } = await person.data<{ id: string }>('create_workspace', { name: 'Second' })
  const places = (await person.data<{ items: { id: string; slug: string }[] }>('list_workspaces')).items
  const first = places.find(({ id }) => id !== second)?.id
  const slug = places.find(({ id }) => id === second)?.slug ?? ''
  assert.match(slug, /^second-[0-9a-f]{8}$/)
  const inside = async (name?: string) => {
    const answer = await person.call('list_workspaces', {}, name === undefined ? {} : { 'x-workspace-id': name })
    const { data } = (await answer.json()) as { data: { items: { id: string; current: boolean }[] } }
    return data.items.find(({ current }) => current)?.id
  }
  assert.deepEqual(await Promise.all([inside(), inside('last'), inside(slug), inside(second.toUpperCase())]), [
    first,
    first,
    second,
    second,
  ])
  const headers = { cookie: person.cookie, 'x-workspace-id': slug }
  const events = await kit.api.fetch(new Request(`${TEST_BASE_URL}/api/app/events`, { headers }))
  await events.body?.cancel()
  assert.deepEqual([await inside(), await inside('last')], [first, second])
  await kit.database.pool.query('delete from members where workspace_id = $1', [second])
  assert.equal(await inside('last'), first)
  assert.equal((await person.call('list_workspaces', {}, { 'x-workspace-id': slug })).status, 403)
})

test('an account keeps its newest sessions, however often somebody signs in', async () => {
  const person = await kit.signUp()
  const sessions = `select count(*)::int as count from account_sessions join account_users on account_users.id = user_id where email = $1`
  const count = async () => (await kit.database.pool.query(sessions, [person.email])).rows[0].count
  await kit.database.pool.query(
    `insert into account_sessions (id, user_id, token, expires_at, created_at)
     select gen_random_uuid(), id, 'token ' || email || age, now() + (age - 3) * interval '1 day', now() - age * interval '1 hour'
     from account_users, generate_series(1, 80) as age where email = $1`,
    [person.email],
  )
  assert.equal(await count(), 81)
  const newest = await kit.signIn(person.email)
  assert.equal(await count(), MAX_SESSIONS)
  for (const { call } of [person, newest]) assert.equal((await call('list_workspaces')).status, 200)
})

test('while the database lacks migrations, signing up and signing in answer 503 and why; afterwards they work', async t => {
  let behind = true
  const late = await startTestApi({
    assertMigrated: async () => {
      if (behind) throw new AssayError('unavailable', 'The database lacks the migration 0002_accounts.sql.')
    },
  })
  t.after(() => late.stop())
  await assert.rejects(late.signUp(), /answered 503: .*0002_accounts/)
  behind = false
  const person = await late.signUp()
  assert.equal((await person.call('list_workspaces')).status, 200)
})
