import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { base32 } from '@scure/base'
import type { Database } from '../../infra/postgres/port.ts'
import type { QueryApi } from '../query-api.ts'
import { accountRequest, type Person, startTestApi, TEST_PASSWORD, type TestApi } from '../testing.ts'
import { ACCOUNT_ROUTES, WITHOUT_SESSION } from './accounts-api.ts'

/**
 * The account library looks first who somebody is, compares a password for a tenth of a second, and writes then. Here
 * the session ends, or the password is replaced, right before its first write: by a link for a new password, an
 * administrator, or the person in another browser.
 */
let kit: TestApi
/** One whose library is disturbed. */
let api: QueryApi
/** Before the next write of the library, its next one behind the end of sessions, or the next transaction of ours. */
type Moment = 'library' | 'new session' | 'ours'
/** Runs once. */
let meanwhile: { readonly before: Moment; readonly run: () => Promise<unknown> } | null = null

/** Whether the library has ended sessions since a test began. */
let hasEndedSessions = false

const disturb = async (who: Moment): Promise<void> => {
  if (meanwhile?.before !== who) return
  const { run } = meanwhile
  meanwhile = null
  await run()
}

const WRITES = /^\s*(begin|insert|update|delete)\b/i

const disturbedPool = () => {
  const { pool } = kit.database
  return Object.assign(Object.create(pool), {
    connect: async () => {
      const client = await pool.connect()
      return {
        query: async (statement: string, values?: unknown[]) => {
          if (WRITES.test(statement)) await disturb('library')
          if (WRITES.test(statement) && hasEndedSessions) await disturb('new session')
          hasEndedSessions ||= statement.startsWith('delete from "account_sessions"')
          return client.query(statement, values)
        },
        release: (lost?: boolean) => client.release(lost),
      }
    },
  }) as typeof pool
}

before(async () => {
  kit = await startTestApi()
  await kit.signUp('Administrator')
  const { database } = kit.database
  const disturbed: Database = {
    ...database,
    transaction: async (scope, work) => {
      await disturb('ours')
      return database.transaction(scope, work)
    },
  }
  api = await kit.replica({ accountsPool: disturbedPool(), database: disturbed })
})
after(async () => {
  await api.close()
  await kit.stop()
})

const post = (through: Pick<QueryApi, 'fetch'>, path: string, body: object, cookie = ''): Promise<Response> =>
  through.fetch(accountRequest(path, body, { cookie }))

const run = (statement: string, values: readonly unknown[]) => kit.database.pool.query(statement, [...values])
const endSessionsOf = ({ email }: Person) =>
  run('delete from account_sessions where user_id = (select id from account_users where email = $1)', [email])
const replacePasswordOf = ({ email }: Person) =>
  run(
    `update account_credentials set password = password || 'x' where user_id = (select id from account_users where email = $1)`,
    [email],
  )

/** All that an account has, but when it was looked at. */
const STATE = `
  select (select jsonb_agg(to_jsonb(users) - 'updated_at') from account_users as users where id = own.id) as users,
    (select jsonb_agg(to_jsonb(each) - 'updated_at' order by each.id) from account_credentials as each where user_id = own.id) as credentials,
    (select jsonb_agg(to_jsonb(each) order by each.id) from account_two_factors as each where user_id = own.id) as factors,
    (select jsonb_agg(to_jsonb(each) order by each.id) from account_passkeys as each where user_id = own.id) as passkeys,
    (select jsonb_agg(each.id order by each.id) from account_sessions as each where user_id = own.id) as sessions
  from (select id from account_users where email = $1) as own`
const stateOf = async ({ email }: Person) => (await run(STATE, [email])).rows[0]

/** RFC 6238. */
const digitsOf = (totpUri: string): string => {
  const secret = base32.decode(`${new URL(totpUri).searchParams.get('secret')}`.padEnd(56, '='))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const hash = createHmac('sha1', secret).update(counter).digest()
  return String((hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const OWN_PASSWORD = { password: TEST_PASSWORD }
const enable = async (person: Person) =>
  (await (await post(kit.api, 'two-factor/enable', OWN_PASSWORD, person.cookie)).json()) as { totpURI: string }
const addPasskey = async ({ email }: Person): Promise<string> => {
  const id = crypto.randomUUID()
  await run(
    `insert into account_passkeys (id, user_id, name, public_key, credential_id, counter, device_type, backed_up)
     select $1::uuid, id, 'Laptop', 'x', $1::text, 0, 'singleDevice', false from account_users where email = $2`,
    [id, email],
  )
  return id
}

interface Tried {
  readonly before?: 'ours'
  readonly body: (person: Person) => object | Promise<object>
}
/** What is written by a session, each as it would succeed. */
const TRIED: Readonly<Record<string, Tried>> = {
  'update-user': { body: () => ({ name: 'Taken' }) },
  'change-email': { body: ({ email }) => ({ ...OWN_PASSWORD, newEmail: `new-${email}` }) },
  'change-password': { body: () => ({ currentPassword: TEST_PASSWORD, newPassword: 'taken taken taken' }) },
  'delete-user': { before: 'ours', body: () => OWN_PASSWORD },
  'revoke-other-sessions': { body: ({ email }) => kit.signIn(email).then(() => ({})) },
  'two-factor/enable': { body: () => OWN_PASSWORD },
  'two-factor/confirm': { body: async person => ({ code: digitsOf((await enable(person)).totpURI) }) },
  'passkeys/rename': { before: 'ours', body: async person => ({ id: await addPasskey(person), name: 'Taken' }) },
  'passkeys/remove': { before: 'ours', body: async person => ({ id: await addPasskey(person) }) },
}
/** With a second factor that is on already, and what the mechanism of the others holds as well. */
const NOT_TRIED: Readonly<Record<string, string>> = {
  'two-factor/disable': 'as two-factor/enable',
  'two-factor/generate-backup-codes': 'as two-factor/enable',
  'passkeys/options': 'keeps a question for five minutes, which is answered by `passkeys/add`',
  'passkeys/add': 'as update-user: an insert of the library',
  'revoke-session': 'as revoke-other-sessions',
  'sign-out': 'ends the session itself',
  'verify-email': 'takes a link',
  'send-verification-email': 'writes no account',
}

describe('A session that ends before the library writes', () => {
  it('is tried in every way that writes by one', () => {
    const writing = Object.entries(ACCOUNT_ROUTES).filter(
      ([path, { method }]) => method === 'POST' && !WITHOUT_SESSION.test(path),
    )
    assert.deepEqual(
      writing.map(([path]) => path).toSorted(),
      [...Object.keys(TRIED), ...Object.keys(NOT_TRIED)].toSorted(),
    )
  })

  for (const [path, { before: who = 'library', body }] of Object.entries(TRIED)) {
    it(`writes nothing by ${path}, which is done otherwise`, async () => {
      const lost = await kit.signUp()
      const given = await body(lost)
      let left: unknown
      meanwhile = {
        before: who,
        run: async () => {
          await endSessionsOf(lost)
          left = await stateOf(lost)
        },
      }
      const refused = await post(api, path, given, lost.cookie)
      assert.equal(meanwhile, null, 'nothing was written at all')
      assert.equal(refused.status, 401, await refused.text())
      assert.deepEqual(await stateOf(lost), left)

      const kept = await kit.signUp()
      const own = await body(kept)
      const before = await stateOf(kept)
      const done = await post(api, path, own, kept.cookie)
      assert.equal(done.status, 200, await done.text())
      assert.notDeepEqual(await stateOf(kept), before)
    })
  }
})

describe('A password that is replaced before a session begins', () => {
  it('opens none', async () => {
    const person = await kit.signUp()
    const fields = { email: person.email.toUpperCase(), password: TEST_PASSWORD }
    await endSessionsOf(person)
    meanwhile = { before: 'library', run: () => replacePasswordOf(person) }
    const refused = await post(api, 'sign-in/email', fields)
    assert.equal(refused.status, 401)
    assert.match(await refused.text(), /replaced meanwhile/)
    assert.equal((await stateOf(person)).sessions, null)
  })

  it('is the last word where somebody replaces it while another one is set', async () => {
    const person = await kit.signUp()
    const fields = { currentPassword: TEST_PASSWORD, newPassword: 'taken taken taken' }
    hasEndedSessions = false
    meanwhile = { before: 'new session', run: () => replacePasswordOf(person) }
    const refused = await post(api, 'change-password', fields, person.cookie)
    assert.equal(meanwhile, null, 'sessions were not ended')
    assert.equal(refused.status, 401)
    assert.equal((await stateOf(person)).sessions, null)
  })
})
