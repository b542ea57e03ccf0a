import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { QueryApi } from '../query-api.ts'
import {
  accountRequest,
  type Person,
  startTestApi,
  TEST_BASE_URL,
  TEST_PASSWORD,
  TEST_SETTINGS,
  type TestApi,
} from '../testing.ts'
import type { SignUpMode } from './sign-up-check.ts'

interface Invited {
  readonly id: string
  readonly url: string
}

const tokenOf = ({ url }: Invited): string => new URL(url).hash.slice(1)

let kit: TestApi
/**
 * Programs on the same database: `invited` is the default, with which the first account may sign up, and others need an
 * invitation.
 */
const apis = {} as Record<SignUpMode, QueryApi>
before(async () => {
  kit = await startTestApi()
  apis.open = kit.api
  for (const signUp of ['invited', 'closed'] as const) {
    apis[signUp] = await kit.replica({ settings: { ...TEST_SETTINGS, signUp } })
  }
})
after(async () => {
  await Promise.all([apis.invited.close(), apis.closed.close()])
  await kit.stop()
})

/** Whom it admits, and whether anybody has an account yet. */
const admits = async (mode: SignUpMode): Promise<unknown> => {
  const answer = await apis[mode].fetch(new Request(`${TEST_BASE_URL}/api/auth/sign-in-ways`))
  const { sign_up, has_accounts } = (await answer.json()) as Readonly<Record<string, unknown>>
  return [sign_up, has_accounts]
}

const trySignUp = (mode: SignUpMode, email: string, rest: object = {}) =>
  apis[mode].fetch(
    new Request(`${TEST_BASE_URL}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Guest', email, password: TEST_PASSWORD, ...rest }),
    }),
  )

const accounts = async (): Promise<number> => (await kit.database.pool.query('select from account_users')).rowCount ?? 0

const refusalOf = async (response: Response) => {
  assert.equal(response.status, 403)
  assert.match(response.headers.get('content-type') ?? '', /problem\+json/)
  return ((await response.json()) as { detail: string }).detail
}

describe('Sign-up that is closed', () => {
  it('lets nobody in, with a link neither, and not even where there is no account', async () => {
    assert.deepEqual(await admits('closed'), ['nobody', false])
    const said = await refusalOf(await trySignUp('closed', 'a@example.com'))
    assert.match(said, /closed/)
    assert.equal(await refusalOf(await trySignUp('closed', 'a@example.com', { invitation: 'x'.repeat(43) })), said)
    assert.equal(await accounts(), 0)
  })
})

describe('Sign-up that is open', () => {
  it('lets everybody in who comes first at the same moment, and makes one of them the administrator', async () => {
    assert.deepEqual(await admits('open'), ['everyone', false])
    const people = await Promise.all(Array.from({ length: 3 }, () => kit.signUp()))
    const administer = await Promise.all(
      people.map(
        async person => (await person.data<{ is_administrator: boolean }>('list_administrators')).is_administrator,
      ),
    )
    assert.equal(administer.filter(Boolean).length, 1)
    await kit.database.pool.query('truncate account_users, administration_changes cascade')
  })
})

describe('Sign-up by invitation', () => {
  let first: Person

  const read = (token: string, { cookie }: Pick<Person, 'cookie'> = { cookie: '' }) =>
    apis.invited.fetch(accountRequest('invitation', { token }, { cookie }))
  const invite = (expires_in_days = 7) =>
    first.data<Invited>('invite_member', { label: 'Guest', role: 'member', expires_in_days })

  it('lets exactly one of many in who come first at the same moment, and makes them the administrator', async () => {
    assert.deepEqual(await admits('invited'), ['first', false])
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => trySignUp('invited', `first-${index}@example.com`)),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403, 403, 403, 403, 403])
    for (const refused of answers.filter(({ status }) => status === 403)) {
      assert.match(await refusalOf(refused), /by invitation/)
    }
    const winner = answers.findIndex(({ status }) => status === 200)
    first = await kit.signIn(`first-${winner}@example.com`)
    assert.equal(await accounts(), 1)
    assert.deepEqual(await admits('invited'), ['invited', true])
    const { is_administrator, items } = await first.data<{ is_administrator: boolean; items: object[] }>(
      'list_administrators',
    )
    assert.deepEqual([is_administrator, items.length], [true, 1])
  })

  it('says the same to whoever has no invitation, whether the address has an account or not', async () => {
    const said = new Set<string>()
    for (const email of [first.email, 'nobody@example.com', 'not an address']) {
      said.add(await refusalOf(await trySignUp('invited', email)))
    }
    assert.equal(said.size, 1)
  })

  it('lets the one in who follows the link, once, as a member of that workspace alone, and nobody else then', async () => {
    const invited = await invite()
    const invitation = tokenOf(invited)
    assert.partialDeepStrictEqual(await (await read(invitation)).json(), {
      workspace_name: 'Guest workspace',
      invited_by_name: 'Guest',
      role: 'member',
      present_role: null,
    })
    assert.equal((await trySignUp('invited', 'guest@example.com', { invitation })).status, 200)
    const guest = await kit.signIn('guest@example.com')
    await refusalOf(await trySignUp('invited', 'another@example.com', { invitation }))
    assert.equal((await read(invitation, first)).status, 404)
    assert.partialDeepStrictEqual(await (await read(invitation, guest)).json(), { present_role: 'member' })
    const { items: places } = await guest.data<{ items: { name: string; role: string }[] }>('list_workspaces')
    assert.deepEqual(
      places.map(({ name, role }) => [name, role]),
      [['Guest workspace', 'member']],
    )
    assert.equal((await guest.call('accept_invitation', { token: invitation })).status, 200)
    const { is_administrator } = await guest.data<{ is_administrator: boolean }>('list_administrators')
    assert.equal(is_administrator, false)
  })

  it('lets one of two in who follow a link at the same moment', async () => {
    const invitation = tokenOf(await invite())
    const before = await accounts()
    const answers = await Promise.all(
      ['one@example.com', 'two@example.com'].map(email => trySignUp('invited', email, { invitation })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403])
    assert.equal(await accounts(), before + 1)
  })

  it('keeps the link for another try when the sign-up itself failed', async () => {
    const invitation = tokenOf(await invite())
    const short = await trySignUp('invited', 'late@example.com', { invitation, password: 'short' })
    assert.equal(short.status, 400)
    assert.equal((await trySignUp('invited', 'late@example.com', { invitation })).status, 200)
  })

  it('says the same of a link that expired, was revoked, was used, or never was', async () => {
    const [expired, revoked, used] = [await invite(1), await invite(), await invite()]
    await kit.database.pool.query(`update invitations set expires_at = now() - interval '1 s' where id = $1`, [
      expired.id,
    ])
    await first.data('revoke_invitation', { id: revoked.id })
    assert.equal((await trySignUp('invited', 'used@example.com', { invitation: tokenOf(used) })).status, 200)
    const said = new Set<string>()
    for (const invitation of [tokenOf(expired), tokenOf(revoked), tokenOf(used), 'x'.repeat(43)]) {
      said.add(await refusalOf(await trySignUp('invited', 'x@example.com', { invitation })))
    }
    assert.equal(said.size, 1)
  })

  it('takes no field that says how somebody was let in', async () => {
    const invitation = tokenOf(await invite())
    for (const smuggled of [{ admittedBy: 'open' }, { invitationHash: 'a'.repeat(64) }, { disabledAt: null }]) {
      assert.equal((await trySignUp('invited', 'sly@example.com', { invitation, ...smuggled })).status, 422)
    }
  })

  it('is held by the database, whoever writes', async () => {
    const insert = `insert into account_users (id, name, email, admitted_by) values (gen_random_uuid(), 'A', 'a@b.example', $1)`
    await assert.rejects(kit.database.pool.query(insert, ['first']), /first account is there/)
    await assert.rejects(kit.database.pool.query(insert, ['invitation']), /invitation/)
  })
})
