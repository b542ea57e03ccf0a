import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Person, startTestApi, TEST_BASE_URL, TEST_PASSWORD, TEST_SETTINGS, type TestApi } from '../testing.ts'

interface Invited {
  readonly id: string
  readonly url: string
}

const tokenOf = ({ url }: Invited): string => new URL(url).hash.slice(1)

/** An installation with the default: the first account may sign up, others need an invitation. */
const invitedInstallation = () => startTestApi({ settings: { ...TEST_SETTINGS, signUp: 'invited' } })

const admits = async ({ api }: Pick<TestApi, 'api'>): Promise<unknown> =>
  (await api.fetch(new Request(`${TEST_BASE_URL}/api/auth/sign-up`))).json()

const trySignUp = ({ api }: Pick<TestApi, 'api'>, email: string, rest: object = {}) =>
  api.fetch(
    new Request(`${TEST_BASE_URL}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Guest', email, password: TEST_PASSWORD, ...rest }),
    }),
  )

const accountsOf = async ({ database }: TestApi): Promise<number> =>
  (await database.pool.query('select from account_users')).rowCount ?? 0

const refusalOf = async (response: Response) => {
  assert.equal(response.status, 403)
  assert.match(response.headers.get('content-type') ?? '', /problem\+json/)
  return ((await response.json()) as { detail: string }).detail
}

describe('Sign-up by invitation', () => {
  let kit: TestApi
  let first: Person
  before(async () => {
    kit = await invitedInstallation()
  })
  after(() => kit.stop())

  const invite = (expires_in_days = 7) =>
    first.data<Invited>('invite_member', { label: 'Guest', role: 'member', expires_in_days })

  it('lets exactly one of many in who come first at the same moment, and makes them the administrator', async () => {
    assert.deepEqual(await admits(kit), { admits: 'first' })
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => trySignUp(kit, `first-${index}@example.com`)),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403, 403, 403, 403, 403])
    for (const refused of answers.filter(({ status }) => status === 403)) {
      assert.match(await refusalOf(refused), /by invitation/)
    }
    const winner = answers.findIndex(({ status }) => status === 200)
    first = await kit.signIn(`first-${winner}@example.com`)
    assert.equal(await accountsOf(kit), 1)
    assert.deepEqual(await admits(kit), { admits: 'invited' })
    const { you_administer, items } = await first.data<{ you_administer: boolean; items: object[] }>(
      'list_administrators',
    )
    assert.deepEqual([you_administer, items.length], [true, 1])
  })

  it('says the same to whoever has no invitation, whether the address has an account or not', async () => {
    const said = new Set<string>()
    for (const email of [first.email, 'nobody@example.com', 'not an address']) {
      said.add(await refusalOf(await trySignUp(kit, email)))
    }
    assert.equal(said.size, 1)
  })

  it('lets the one in who follows the link, once, and nobody else accepts it then', async () => {
    const invited = await invite()
    const invitation = tokenOf(invited)
    assert.equal((await trySignUp(kit, 'guest@example.com', { invitation })).status, 200)
    const guest = await kit.signIn('guest@example.com')
    await refusalOf(await trySignUp(kit, 'another@example.com', { invitation }))
    assert.equal((await first.call('read_invitation', { token: invitation })).status, 404)
    assert.equal((await guest.call('accept_invitation', { token: invitation })).status, 200)
    const { you_administer } = await guest.data<{ you_administer: boolean }>('list_administrators')
    assert.equal(you_administer, false)
  })

  it('lets one of two in who follow a link at the same moment', async () => {
    const invitation = tokenOf(await invite())
    const before = await accountsOf(kit)
    const answers = await Promise.all(
      ['one@example.com', 'two@example.com'].map(email => trySignUp(kit, email, { invitation })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403])
    assert.equal(await accountsOf(kit), before + 1)
  })

  it('keeps the link for another try when the sign-up itself failed', async () => {
    const invitation = tokenOf(await invite())
    const short = await trySignUp(kit, 'late@example.com', { invitation, password: 'short' })
    assert.equal(short.status, 400)
    assert.equal((await trySignUp(kit, 'late@example.com', { invitation })).status, 200)
  })

  it('says the same of a link that expired, was revoked, was used, or never was', async () => {
    const [expired, revoked, used] = [await invite(1), await invite(), await invite()]
    await kit.database.pool.query(`update invitations set expires_at = now() - interval '1 s' where id = $1`, [
      expired.id,
    ])
    await first.data('revoke_invitation', { id: revoked.id })
    assert.equal((await trySignUp(kit, 'used@example.com', { invitation: tokenOf(used) })).status, 200)
    const said = new Set<string>()
    for (const invitation of [tokenOf(expired), tokenOf(revoked), tokenOf(used), 'x'.repeat(43)]) {
      said.add(await refusalOf(await trySignUp(kit, 'x@example.com', { invitation })))
    }
    assert.equal(said.size, 1)
  })

  it('takes no field that says how somebody was let in', async () => {
    const invitation = tokenOf(await invite())
    for (const smuggled of [{ admittedBy: 'open' }, { invitationHash: 'a'.repeat(64) }, { disabledAt: null }]) {
      assert.equal((await trySignUp(kit, 'sly@example.com', { invitation, ...smuggled })).status, 422)
    }
  })

  it('is held by the database, whoever writes', async () => {
    const insert = `insert into account_users (id, name, email, admitted_by) values (gen_random_uuid(), 'A', 'a@b.example', $1)`
    await assert.rejects(kit.database.pool.query(insert, ['first']), /first account is there/)
    await assert.rejects(kit.database.pool.query(insert, ['invitation']), /invitation/)
  })
})

describe('Sign-up that is closed', () => {
  it('lets nobody in, with a link neither, and not even where there is no account', async () => {
    const kit = await startTestApi({ settings: { ...TEST_SETTINGS, signUp: 'closed' } })
    try {
      assert.deepEqual(await admits(kit), { admits: 'nobody' })
      const said = await refusalOf(await trySignUp(kit, 'a@example.com'))
      assert.match(said, /closed/)
      assert.equal(await refusalOf(await trySignUp(kit, 'a@example.com', { invitation: 'x'.repeat(43) })), said)
      assert.equal(await accountsOf(kit), 0)
    } finally {
      await kit.stop()
    }
  })
})

describe('Sign-up that is open', () => {
  it('lets everybody in who comes first at the same moment, and makes one of them the administrator', async () => {
    const kit = await startTestApi()
    try {
      assert.deepEqual(await admits(kit), { admits: 'everyone' })
      const people = await Promise.all(Array.from({ length: 4 }, () => kit.signUp()))
      const administer = await Promise.all(
        people.map(
          async person => (await person.data<{ you_administer: boolean }>('list_administrators')).you_administer,
        ),
      )
      assert.equal(administer.filter(Boolean).length, 1)
    } finally {
      await kit.stop()
    }
  })
})
