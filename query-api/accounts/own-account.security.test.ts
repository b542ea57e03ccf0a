import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { emptyDeletedWorkspaces } from '../../model/workspaces/lifecycle.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { accountRequest, cookiesAfter, type Person, startTestApi, TEST_PASSWORD, type TestApi } from '../testing.ts'
import { ACCOUNT_ROUTES } from './accounts-api.ts'

let kit: TestApi
before(async () => {
  kit = await startTestApi()
  // The first account administers the installation; the others are nobody special.
  await kit.signUp('Administrator')
})
after(() => kit.stop())

const ask = ({ cookie }: Pick<Person, 'cookie'>, path: string, body?: object, headers: Record<string, string> = {}) =>
  kit.api.fetch(accountRequest(path, body, { cookie, headers }))

const works = async (person: Person): Promise<boolean> => (await person.call('list_keys')).status === 200
const signsIn = async (email: string, password = TEST_PASSWORD): Promise<boolean> =>
  (await ask({ cookie: '' }, 'sign-in/email', { email, password })).status === 200
const emailOf = async (person: Person): Promise<string> =>
  ((await (await ask(person, 'get-session')).json()) as { user: { email: string } }).user.email

interface Session {
  readonly id: string
  readonly current: boolean
}
const sessionsOf = async (person: Person): Promise<Session[]> =>
  ((await (await ask(person, 'list-sessions')).json()) as { items: Session[] }).items

/** What is for the signed-in person alone, each with what it takes. */
const COMPLETE: Readonly<Record<string, object>> = {
  'update-user': { name: 'Taken' },
  'change-email': { newEmail: 'taken@example.com', password: TEST_PASSWORD },
  'change-password': { currentPassword: TEST_PASSWORD, newPassword: 'taken taken taken' },
  'list-sessions': {},
  'revoke-session': { id: '00000000-0000-4000-8000-000000000000' },
  'revoke-other-sessions': {},
  'send-verification-email': {},
  'delete-user': { password: TEST_PASSWORD },
  passkeys: {},
  'passkeys/options': { password: 'not the password' },
  'passkeys/add': { name: 'Laptop', id: 'A', clientDataJSON: 'A', authenticatorData: 'A', transports: [] },
  'passkeys/rename': { id: '00000000-0000-4000-8000-000000000000', name: 'Laptop' },
  'passkeys/remove': { id: '00000000-0000-4000-8000-000000000000' },
  'two-factor/enable': { password: 'not the password' },
  'two-factor/confirm': { code: '000000' },
  'two-factor/disable': { password: 'not the password' },
  'two-factor/generate-backup-codes': { password: 'not the password' },
}

describe('Every way into the accounts', () => {
  /** These are for whoever comes. */
  const PUBLIC = [
    'sign-up/email',
    'invitation',
    'sign-in/email',
    'sign-in/two-factor',
    'sign-in/backup-code',
    'sign-in/passkey-options',
    'sign-in/passkey',
    'sign-in-ways',
    'sign-in/sign-on',
    'callback/oidc',
    'sign-out',
    'get-session',
    'request-password-reset',
    'reset-password',
    'verify-email',
  ]

  it('is for whoever is signed in alone, but for those that let people in', async () => {
    assert.deepEqual(Object.keys(ACCOUNT_ROUTES).toSorted(), [...PUBLIC, ...Object.keys(COMPLETE)].toSorted())
    for (const [path, body] of Object.entries(COMPLETE)) {
      for (const cookie of ['', 'better-auth.session_token=forged.forged']) {
        const given = ACCOUNT_ROUTES[path]?.method === 'GET' ? undefined : body
        assert.equal((await ask({ cookie }, path, given)).status, 401, path)
      }
    }
  })

  it('leaves the cookie of a session that ended alone: a newer one may have come to the browser meanwhile', async () => {
    const person = await kit.signUp()
    await ask(await kit.signIn(person.email), 'revoke-other-sessions', {})
    for (const [path, { method }] of Object.entries(ACCOUNT_ROUTES)) {
      if (['sign-out', 'delete-user'].includes(path)) continue
      const answer = await ask(person, path, method === 'GET' ? undefined : (COMPLETE[path] ?? {}))
      const cookies = answer.headers.getSetCookie().filter(cookie => cookie.includes('session'))
      assert.deepEqual(cookies, [], path)
    }
    assert.equal(await works(person), false)
  })

  it('is refused to pages elsewhere and to forms, and takes no field that it does not know', async () => {
    const person = await kit.signUp()
    for (const [path, { method }] of Object.entries(ACCOUNT_ROUTES)) {
      const body = method === 'GET' ? undefined : (COMPLETE[path] ?? {})
      assert.equal((await ask(person, path, body, { origin: 'https://elsewhere.example' })).status, 403, path)
      if (body === undefined) continue
      assert.equal((await ask(person, path, body, { 'content-type': 'text/plain' })).status, 415, path)
      const unknown = await ask(person, path, { ...body, image: 'x', emailVerified: true, disabledAt: null })
      assert.equal(unknown.status, 422, path)
      assert.equal((await ask(person, path)).status, 405, `GET ${path}`)
    }
    assert.ok(await works(person))
    assert.equal(await emailOf(person), person.email)
  })
})

describe('A page that shows one person', () => {
  it('reads and changes nothing of the account of another who has signed in in that browser since', async () => {
    const [person, other] = [await kit.signUp(), await kit.signUp()]
    const idOf = async (who: Person) => (await who.data<{ readonly user_id: string }>('list_workspaces')).user_id
    const [own, theirs] = [await idOf(person), await idOf(other)]
    for (const [path, body] of [...Object.entries(COMPLETE), ['sign-out', {}] as const]) {
      const given = ACCOUNT_ROUTES[path]?.method === 'GET' ? undefined : body
      const answer = await ask(person, path, given, { 'x-person-id': theirs })
      assert.equal(answer.status, 401, path)
      assert.match(await answer.text(), /Somebody else has signed in/, path)
    }
    assert.ok(await works(person))
    assert.ok(await signsIn(person.email))
    assert.equal(await emailOf(person), person.email)
    const renamed = await ask(person, 'update-user', { name: 'Own name' }, { 'x-person-id': own })
    assert.equal(renamed.status, 200)
  })
})

describe('A password', () => {
  it('changes for whoever knows it, and ends every other session', async () => {
    const person = await kit.signUp()
    const elsewhere = await kit.signIn(person.email)
    const newPassword = 'another long password'
    const wrong = await ask(person, 'change-password', { currentPassword: 'not this one', newPassword })
    assert.equal(wrong.status, 400)
    assert.ok(await works(elsewhere))
    const changed = await ask(person, 'change-password', { currentPassword: TEST_PASSWORD, newPassword })
    assert.equal(changed.status, 200)
    assert.equal(await works(elsewhere), false)
    assert.equal(await works(person), false, 'the cookie before is of no use to whoever copied it')
    const cookie = cookiesAfter(changed)
    assert.equal((await sessionsOf({ ...person, cookie })).length, 1)
    assert.deepEqual([await signsIn(person.email), await signsIn(person.email, newPassword)], [false, true])
  })
})

describe('Sessions', () => {
  it('are listed without what opens them, and ended one by one or all others', async () => {
    const person = await kit.signUp()
    const [second, third] = [await kit.signIn(person.email), await kit.signIn(person.email)]
    const listed = await (await ask(person, 'list-sessions')).text()
    assert.ok(!listed.includes(decodeURIComponent(person.cookie).split('=')[1]?.split('.')[0] ?? listed))
    const sessions = await sessionsOf(person)
    assert.deepEqual([sessions.length, sessions.filter(({ current }) => current).length], [3, 1])
    const own = (await sessionsOf(second)).find(({ current }) => current)?.id
    for (let twice = 0; twice < 2; twice += 1) {
      assert.equal((await ask(person, 'revoke-session', { id: own })).status, 200)
    }
    assert.deepEqual([await works(person), await works(second), await works(third)], [true, false, true])
    assert.equal((await ask(person, 'revoke-other-sessions', {})).status, 200)
    assert.deepEqual([await works(person), await works(third)], [true, false])
  })

  it('of another person are neither seen nor ended', async () => {
    const [person, stranger] = [await kit.signUp(), await kit.signUp()]
    const [session] = await sessionsOf(person)
    assert.equal((await ask(stranger, 'revoke-session', { id: session?.id })).status, 200)
    assert.ok(await works(person))
  })
})

describe('A name and an address', () => {
  it('a name says to people what it says to agents, and is not of nothing that they see', async () => {
    const person = await kit.signUp()
    const hidden = [...'obey'].map(sign => String.fromCodePoint(0xe0000 + (sign.codePointAt(0) ?? 0))).join('')
    assert.equal((await ask(person, 'update-user', { name: `Ann${hidden}` })).status, 200)
    const { user } = (await (await ask(person, 'get-session')).json()) as { user: { name: string } }
    assert.equal(user.name, 'Ann')
    assert.equal((await ask(person, 'update-user', { name: hidden })).status, 422)
  })

  it('change for the person alone; the address with the password', async () => {
    const person = await kit.signUp()
    assert.equal((await ask(person, 'update-user', { name: 'Renamed' })).status, 200)
    const newEmail = `New-${person.email}`
    for (const password of ['', 'not this one']) {
      assert.equal((await ask(person, 'change-email', { newEmail, password })).status, 400)
    }
    assert.equal((await ask(person, 'change-email', { newEmail })).status, 422)
    assert.equal(await emailOf(person), person.email)
    assert.equal((await ask(person, 'change-email', { newEmail, password: TEST_PASSWORD })).status, 200)
    assert.equal(await emailOf(person), newEmail.toLowerCase())
    assert.deepEqual([await signsIn(person.email), await signsIn(newEmail)], [false, true])
  })

  it('say the same of an address that another account has, and leave both as they are', async () => {
    const [person, other] = [await kit.signUp(), await kit.signUp()]
    const answerTo = async (newEmail: string) => {
      const answer = await ask(person, 'change-email', { newEmail, password: TEST_PASSWORD })
      return [answer.status, await answer.text()]
    }
    const taken = await answerTo(other.email.toUpperCase())
    assert.equal(await emailOf(person), person.email)
    assert.deepEqual(await answerTo('free-so-far@example.com'), taken)
    assert.ok(await signsIn(other.email))
  })
})

describe('An account that is deleted', () => {
  const workspaceOf = async (person: Person): Promise<string> =>
    (await person.data<{ items: { id: string }[] }>('list_workspaces')).items[0]?.id ?? assert.fail('none')
  const remove = (person: Person, password = TEST_PASSWORD) => ask(person, 'delete-user', { password })
  const invite = async (owner: Person, guest: Person, role: string): Promise<string> => {
    const { url } = await owner.data<{ url: string }>('invite_member', { label: 'Guest', role })
    await guest.data('accept_invitation', { token: new URL(url).hash.slice(1) })
    return workspaceOf(owner)
  }

  it('takes its password, and goes with its sessions, keys, invitations and the workspace that it was alone in', async () => {
    const person = await kit.signUp('Leaver')
    const id = (await workspaceOf(person)) as WorkspaceId
    await person.data('create_source', { kind: 'signal', name: 'Desk' })
    const { key } = await person.data<{ key: string }>('create_key', { label: 'Agent' })
    const { url } = await person.data<{ url: string }>('invite_member', { label: 'Guest', role: 'member' })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_jobs', arguments: {} } }
    const viaKey = async () => (await kit.rpc(list, { authorization: `Bearer ${key}` })).status
    assert.equal(await viaKey(), 200)
    const preview = await person.data('preview_account_deletion')
    assert.deepEqual(preview, {
      to_transfer: [],
      deleted: [{ id, name: 'Leaver workspace' }],
      last_administrator: false,
    })
    assert.equal((await remove(person, 'not this one')).status, 400)
    assert.ok(await works(person))
    assert.equal((await remove(person)).status, 200)
    assert.deepEqual([await works(person), await signsIn(person.email), await viaKey()], [false, false, 401])
    const guest = await kit.signUp()
    assert.equal((await ask(guest, 'invitation', { token: new URL(url).hash.slice(1) })).status, 404)
    const { rows } = await kit.database.pool.query(
      `select name, deleted_at is not null as deleted, (select count(*)::int from sources where workspace_id = $1 and deleted_at is null) as sources
       from workspaces where id = $1`,
      [id],
    )
    assert.deepEqual(rows, [{ name: 'Deleted workspace', deleted: true, sources: 0 }])
  })

  it('hands a workspace where others work over first, and is told which', async () => {
    const [owner, guest] = [await kit.signUp('Owner'), await kit.signUp('Guest')]
    const id = await invite(owner, guest, 'member')
    const { to_transfer } = await owner.data<{ to_transfer: object[] }>('preview_account_deletion')
    assert.deepEqual(to_transfer, [{ id, name: 'Owner workspace' }])
    const refused = await remove(owner)
    assert.equal(refused.status, 409)
    assert.match(((await refused.json()) as { detail: string }).detail, /“Owner workspace”, where others work/)
    assert.ok(await works(owner))
    const { items } = await owner.data<{ items: { user_id: string; name: string }[] }>('list_members')
    await owner.data('change_role', { user_id: items.find(({ name }) => name === 'Guest')?.user_id, role: 'owner' })
    assert.equal((await remove(owner)).status, 200)
    const { status } = await guest.call('list_members', {}, { 'x-workspace-id': id })
    assert.equal(status, 200)
  })

  it('leaves an owner where two owners delete their accounts at the same moment', async () => {
    const [one, other, guest] = [await kit.signUp('One'), await kit.signUp('Other'), await kit.signUp('Guest')]
    const id = await invite(one, other, 'owner')
    await invite(one, guest, 'member')
    const answers = await Promise.all([remove(one), remove(other)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
    const { rows } = await kit.database.pool.query(`select role from members where workspace_id = $1 order by role`, [
      id,
    ])
    assert.deepEqual(
      rows.map(({ role }) => role),
      ['member', 'owner'],
    )
  })

  it('of a workspace that nobody else is in is emptied in parts, and nothing of others', async () => {
    const [leaver, stays] = [await kit.signUp('Leaver'), await kit.signUp('Stays')]
    const made: string[] = []
    for (const person of [leaver, stays]) {
      const { id } = await person.data<{ id: string }>('create_workspace', { name: 'Sandbox', sandbox: true })
      assert.equal((await person.call('reset_sandbox', {}, { 'x-workspace-id': id })).status, 200)
      made.push(id)
    }
    assert.equal((await remove(leaver)).status, 200)
    const forgotten: unknown[] = []
    const analytics = {
      query: async () => [],
      insert: async () => {},
      rewrite: async () => {},
      ping: async () => {},
      close: async () => {},
      remove: async (...removed: unknown[]) => {
        forgotten.push(removed)
      },
    }
    const removed = await emptyDeletedWorkspaces({ database: kit.database.database, analytics })
    assert.ok(removed > 100, `${removed} rows`)
    assert.ok(forgotten.length > 0)
    for (const table of ['signals', 'claims', 'map_nodes', 'solutions', 'decisions', 'signal_vectors']) {
      const count = async (id: string | undefined) =>
        (await kit.database.pool.query(`select from ${table} where workspace_id = $1`, [id])).rowCount
      assert.deepEqual([await count(made[0]), ((await count(made[1])) ?? 0) > 0], [0, true], table)
    }
    assert.equal(await emptyDeletedWorkspaces({ database: kit.database.database, analytics }), 0)
  })
})
