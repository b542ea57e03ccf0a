import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { QueryApi } from '../../query-api.ts'
import { type Person, startTestApi, TEST_BASE_URL, TEST_PASSWORD, TEST_SETTINGS, type TestApi } from '../../testing.ts'
import { disableAccount, verifyAddressOf } from '../operator.ts'
import { parseRules, type SignOnSettings } from './config.ts'
import { CLIENT, createBrowser, startIssuer, startLiar, type TestIssuer } from './testing.ts'

/** Who comes by single sign-on, through a real OpenID provider, and who tries to come in as somebody else by it. */
const PEOPLE = {
  ada: { email: 'Ada@example.com', email_verified: true, name: 'Ada\u202e' },
  unverified: { email: 'victim@example.com', email_verified: false, name: 'Not Ada' },
  elsewhere: { email: 'eve@example.com.evil.test', email_verified: true, name: 'Eve' },
  lead: { email: 'lead@example.com', email_verified: true, name: 'Lead', groups: ['leads', 'everybody'] },
  guest: { email: 'guest@example.com', email_verified: true, name: 'Guest' },
  late: { email: 'late@example.com', email_verified: true, name: 'Late' },
  pat: { email: 'pat@example.com', email_verified: true, name: 'Pat' },
  taken: { email: 'taken@example.com', email_verified: true, name: 'Tak' },
}
let people: Record<string, Readonly<Record<string, unknown>>> = { ...PEOPLE }

let kit: TestApi
let issuer: TestIssuer
let liar: Awaited<ReturnType<typeof startLiar>>
let administrator: Person
let api: QueryApi
let lying: QueryApi
let only: QueryApi
let workspace = ''
const settingsFor = (url: string, more: Partial<SignOnSettings> = {}) => ({
  ...TEST_SETTINGS,
  signUp: 'invited' as const,
  signOn: {
    issuer: url,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    name: 'Example',
    scopes: ['openid', 'email', 'profile'],
    groupsClaim: 'groups',
    domains: ['example.com'],
    rules: [],
    trustsAddresses: false,
    only: false,
    ...more,
  },
})

before(async () => {
  const table = new Proxy({}, { get: (_, name) => people[String(name)] })
  issuer = await startIssuer(table, TEST_BASE_URL)
  liar = await startLiar()
  kit = await startTestApi()
  administrator = await kit.signUp('Administrator')
  const { data } = (await (await administrator.call('list_workspaces')).json()) as {
    data: { items: { id: string }[] }
  }
  workspace = data.items[0]?.id ?? assert.fail('no workspace')
  const rules = parseRules(`*=${workspace}:viewer, leads=${workspace}:member`) ?? assert.fail('no rules')
  api = await kit.replica({ settings: settingsFor(issuer.url, { rules }) })
  lying = await kit.replica({ settings: settingsFor(liar.url) })
  only = await kit.replica({ settings: settingsFor(issuer.url, { only: true }) })
})
after(async () => {
  for (const each of [api, lying, only]) await each.close()
  await kit.stop()
  await issuer.stop()
  await liar.stop()
})

const browserOf = (of: QueryApi) => createBrowser(request => of.fetch(request), TEST_BASE_URL)
type Browser = ReturnType<typeof browserOf>
const meOf = async (browser: Browser) =>
  (await (await browser.go(`${TEST_BASE_URL}/api/auth/get-session`)).json()) as {
    user: { id: string; email: string; name: string }
  } | null

/** The whole way; answers where the person ends up. */
const comeAs = async (
  login: string,
  browser = browserOf(api),
  invitation?: string,
): Promise<{ browser: Browser; to: string }> => {
  const back = await browser.pass(await browser.begin('/app/board', invitation), login)
  const response = await browser.go(back)
  assert.equal(response.status, 302)
  return { browser, to: response.headers.get('location') ?? '' }
}
const log = async (...actions: string[]) =>
  (
    await administrator.data<{ items: { action: string; subject: string; detail: Record<string, unknown> }[] }>(
      'list_audit_log',
      { actions },
    )
  ).items

describe('Single sign-on', () => {
  it('asks with a state, a nonce and PKCE', async () => {
    const { searchParams } = await browserOf(api).begin()
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok((searchParams.get(name) ?? '').length > 20, name)
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
  })

  it('makes an account and a membership for who comes first, and leads where they were going', async () => {
    const { browser, to } = await comeAs('ada')
    assert.equal(to, '/app/board')
    const me = await meOf(browser)
    assert.deepEqual([me?.user.email, me?.user.name], ['ada@example.com', 'Ada'])
    const members = await administrator.data<{ items: { name: string; role: string }[] }>('list_members')
    assert.equal(members.items.find(({ name }) => name === 'Ada')?.role, 'viewer')
    const { rows } = await kit.database.pool.query(
      `select access_token, refresh_token, id_token from account_credentials where provider_id = 'oidc'`,
    )
    assert.deepEqual(rows, [{ access_token: null, refresh_token: null, id_token: null }])
    assert.deepEqual(
      (await log('signed_up', 'signed_in')).slice(0, 2).map(({ action, subject, detail }) => [action, subject, detail]),
      [
        ['signed_in', 'Ada', { method: 'sign_on' }],
        ['signed_up', 'Ada', { method: 'sign_on' }],
      ],
    )
    // Once more: the same account.
    const again = await comeAs('ada')
    assert.equal((await meOf(again.browser))?.user.id, me?.user.id)
  })

  it('has an invited person join the workspace of the invitation, and no other', async () => {
    const { url } = await administrator.data<{ url: string }>('invite_member', { label: 'Guest', role: 'member' })
    const token = new URL(url).hash.slice(1)
    // This replica gives nobody a role by rule.
    const workspacesOf = async (login: string) => {
      const { browser } = await comeAs(login, browserOf(only), token)
      const answer = await browser.call('list_workspaces')
      const { data } = (await answer.json()) as { data: { items: { id: string; role: string }[] } }
      return data.items.map(({ id, role }) => [id, role])
    }
    assert.deepEqual(await workspacesOf('guest'), [[workspace, 'member']])
    // The link makes one account: another person has a workspace of their own.
    const own = await workspacesOf('late')
    assert.deepEqual([own.length, own[0]?.[1]], [1, 'owner'])
    assert.notEqual(own[0]?.[0], workspace)
  })

  it('gives the role of a group, and takes it back with the group', async () => {
    const roleOf = async () =>
      (await administrator.data<{ items: { name: string; role: string }[] }>('list_members')).items.find(
        ({ name }) => name === 'Lead',
      )?.role
    await comeAs('lead')
    assert.equal(await roleOf(), 'member')
    people = { ...people, lead: { ...PEOPLE.lead, groups: [] } }
    await comeAs('lead')
    assert.equal(await roleOf(), 'viewer')
    assert.deepEqual((await log('role_by_sign_on')).map(({ subject, detail }) => [subject, detail.role]).slice(0, 2), [
      ['Lead', 'viewer'],
      ['Lead', 'member'],
    ])
  })

  it('leaves the role that a person gave', async () => {
    const { browser } = await comeAs('pat')
    const me = await meOf(browser)
    await kit.database.pool.query(`update members set by_sign_on = false, role = 'owner' where user_id = $1`, [
      me?.user.id,
    ])
    await comeAs('pat')
    const { rows } = await kit.database.pool.query('select role from members where user_id = $1', [me?.user.id])
    assert.deepEqual(rows, [{ role: 'owner' }])
  })

  it('ends the session here, and says where it ends at the issuer', async () => {
    const { browser } = await comeAs('ada')
    const answer = (await (await browser.post('sign-out', {})).json()) as { url: string }
    const { pathname, searchParams } = new URL(answer.url)
    assert.deepEqual(
      [pathname, searchParams.get('post_logout_redirect_uri'), searchParams.get('client_id')],
      ['/session/end', `${TEST_BASE_URL}/sign-in`, CLIENT.id],
    )
    assert.equal(await meOf(browser), null)
  })

  it('deletes an account that has no password', async () => {
    people = { ...people, gone: { email: 'gone@example.com', email_verified: true, name: 'Gone' } }
    const { browser } = await comeAs('gone')
    assert.equal((await browser.post('delete-user', {})).status, 200)
    assert.equal(await meOf(browser), null)
  })
})

describe('Single sign-on lets nobody in', () => {
  const isRefused = async (login: string, code: string) => {
    const { browser, to } = await comeAs(login)
    assert.equal(to, `/sign-in?error=${code}`)
    assert.equal(await meOf(browser), null)
  }

  it('whose address is not verified, or of another domain', async () => {
    await isRefused('unverified', 'ADDRESS_NOT_VERIFIED')
    await isRefused('elsewhere', 'ADDRESS_NOT_ALLOWED')
    const { rows } = await kit.database.pool.query(
      `select email from account_users where email like '%evil%' or email like 'victim%'`,
    )
    assert.deepEqual(rows, [])
    assert.equal((await log('sign_in_failed'))[0]?.detail.reason, 'ADDRESS_NOT_ALLOWED')
  })

  it('to an account that was made before with their address, unless it is verified there too', async () => {
    // Somebody was quicker, and waits for the one whose address it is.
    const quicker = browserOf(kit.api)
    const fields = { name: 'Quicker', email: 'taken@example.com', password: TEST_PASSWORD }
    assert.equal((await quicker.post('sign-up/email', fields)).status, 200)
    await isRefused('taken', 'account_not_linked')
    await verifyAddressOf(kit.database.database, 'taken@example.com')
    const { browser } = await comeAs('taken')
    assert.equal((await meOf(browser))?.user.name, 'Quicker')
    assert.equal((await log('sign_on_linked'))[0]?.subject, 'Quicker')
  })

  it('whose account is disabled', async () => {
    people = { ...people, off: { email: 'off@example.com', email_verified: true, name: 'Off' } }
    await comeAs('off')
    await disableAccount(kit.database.database, 'off@example.com')
    await isRefused('off', 'ACCOUNT_DISABLED')
  })

  it('with a code of another browser, a state that is none, or an answer that was used', async () => {
    const mine = browserOf(api)
    const back = await mine.pass(await mine.begin(), 'ada')
    const theirs = browserOf(api)
    await theirs.begin()
    const stolen = await theirs.go(back)
    assert.match(stolen.headers.get('location') ?? '', /\/sign-in\?error=/)
    assert.equal(await meOf(theirs), null)

    const fresh = browserOf(api)
    const own = await fresh.pass(await fresh.begin(), 'ada')
    const changed = own.replace(/state=[^&]+/, 'state=anything')
    assert.match((await fresh.go(changed)).headers.get('location') ?? '', /\/sign-in\?error=/)
    assert.equal(await meOf(fresh), null)

    const used = browserOf(api)
    const once = await used.pass(await used.begin(), 'ada')
    assert.equal((await used.go(once)).headers.get('location'), '/app')
    await used.post('sign-out', {})
    assert.match((await used.go(once)).headers.get('location') ?? '', /\/sign-in\?error=/)
    assert.equal(await meOf(used), null)
  })

  it('with a token for somebody else, of somebody else, without the nonce, too old or without an address', async () => {
    const comeBack = async (claims: (nonce: string) => object) => {
      const browser = browserOf(lying)
      const { searchParams } = await browser.begin()
      liar.say({ ...claims(searchParams.get('nonce') ?? '') })
      const state = searchParams.get('state')
      const response = await browser.go(`${TEST_BASE_URL}/api/auth/callback/oidc?code=x&state=${state}`)
      return { to: response.headers.get('location'), isIn: (await meOf(browser)) !== null }
    }
    const good = { email: 'made@example.com', name: 'Made' }
    const wrong: Readonly<Record<string, (nonce: string) => object>> = {
      'another audience': nonce => ({ ...good, nonce, aud: 'another' }),
      'another issuer': nonce => ({ ...good, nonce, iss: 'https://issuer.example' }),
      'no nonce': () => good,
      'another nonce': () => ({ ...good, nonce: 'another' }),
      'out of date': nonce => ({ ...good, nonce, exp: 1000 }),
      'no address': nonce => ({ nonce }),
      'an address that is not verified': nonce => ({ ...good, nonce, email_verified: 'no' }),
    }
    for (const [what, claims] of Object.entries(wrong)) {
      const { to, isIn } = await comeBack(claims)
      assert.match(to ?? '', /^\/sign-in\?error=/, what)
      assert.equal(isIn, false, what)
    }
    // So it was these, and nothing else.
    assert.deepEqual(await comeBack(nonce => ({ ...good, nonce })), { to: '/app', isIn: true })
  })

  it('to a page elsewhere', async () => {
    const browser = browserOf(api)
    const back = await browser.pass(await browser.begin('https://evil.test/app'), 'ada')
    assert.equal((await browser.go(back)).headers.get('location'), '/app')
  })
})

describe('Where single sign-on is the only way in', () => {
  it('no password and no passkey leads in, makes an account or gets a new one', async () => {
    const browser = browserOf(only)
    const ways = (await (await browser.go(`${TEST_BASE_URL}/api/auth/sign-in-ways`)).json()) as object
    assert.partialDeepStrictEqual(ways, { password: false, passkey: false, sign_on: 'Example', own: null })
    const { email } = administrator
    for (const [path, body] of Object.entries({
      'sign-in/email': { email, password: TEST_PASSWORD },
      'sign-up/email': { name: 'New', email: 'new@example.com', password: TEST_PASSWORD },
      'sign-in/passkey-options': {},
      'passkeys/options': { password: TEST_PASSWORD },
      'request-password-reset': { email },
      'reset-password': { token: 'x', newPassword: TEST_PASSWORD },
    })) {
      const answer = await browser.post(path, body)
      assert.equal(answer.status, 403, path)
      assert.match(await answer.text(), /with Example here/)
    }
    assert.equal((await comeAs('ada', browserOf(only))).to, '/app/board')
  })
})

describe('An issuer that is away', () => {
  it('is said in one sentence that leaks nothing, and everybody else signs in', async () => {
    const gone = await startLiar()
    await gone.stop()
    const lone = await kit.replica({ settings: settingsFor(gone.url) })
    try {
      const browser = browserOf(lone)
      const answer = await browser.post('sign-in/sign-on', {})
      assert.equal(answer.status, 503)
      const text = await answer.text()
      assert.match(text, /single sign-on does not answer/)
      assert.doesNotMatch(text, /127\.0\.0\.1|ECONNREFUSED|secret/)
      const signIn = await browser.post('sign-in/email', { email: administrator.email, password: TEST_PASSWORD })
      assert.equal(signIn.status, 200)
    } finally {
      await lone.close()
    }
  })
})
