import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import type { QueryApi } from '../query-api.ts'
import { accountRequest, startTestApi, TEST_BASE_URL, TEST_PASSWORD, TEST_SETTINGS, type TestApi } from '../testing.ts'
import { ACCOUNT_ROUTES } from './accounts-api.ts'
import { CLIENT, createBrowser, startLiar } from './sign-on/testing.ts'
import {
  BEGUN_A_MINUTE,
  createTries,
  FAILURES_A_MINUTE,
  FAILURES_AN_HOUR,
  TRIES_A_MINUTE,
  type Tried,
  type Tries,
} from './tries.ts'

/** Behind one address, all within a minute. */
const OFFICE = 206
const ADDRESS = '192.0.2.1'

const COUNTED = Object.entries(ACCOUNT_ROUTES).filter(([, { method, tries }]) => method === 'POST' || tries)
const rulesOf = (path: string) => ACCOUNT_ROUTES[path]?.tries ?? {}

const tryAt = (address: string, account: string | null, path: string): Tried => ({
  address,
  account,
  rules: rulesOf(path),
  body: {},
})

/** How many of these tries fail until one is refused. */
const triesUntilRefused = (tries: Tries, tried: (attempt: number) => Tried): number => {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    try {
      tries.begin(tried(attempt))
    } catch (error) {
      assert.ok(isAssayError(error) && error.code === 'rate_limited' && Number(error.retryAfterSeconds) > 0)
      assert.match(error.publicMessage, /^Too many tries (at this account|from this address)\. Try again in \d+ s\.$/)
      return attempt
    }
  }
  return Number.POSITIVE_INFINITY
}

describe('By every way into the accounts', () => {
  it('is counted who tries, but for what only reads', () => {
    assert.ok(COUNTED.length >= 25)
    const reads = Object.keys(ACCOUNT_ROUTES).filter(path => !COUNTED.some(([counted]) => counted === path))
    assert.deepEqual(reads.toSorted(), ['get-session', 'list-sessions', 'passkeys', 'sign-in-ways'])
  })
  for (const [path] of COUNTED) {
    it(`${path}: ${OFFICE} people of one address succeed, and who guesses there is stopped`, () => {
      const tries = createTries()
      for (let person = 0; person < OFFICE; person += 1) tries.begin(tryAt(ADDRESS, `person ${person}`, path))()
      const ofAnybody = triesUntilRefused(createTries(), attempt => tryAt(ADDRESS, `guess ${attempt}`, path))
      assert.equal(ofAnybody, rulesOf(path).begins?.({}) ? BEGUN_A_MINUTE : FAILURES_A_MINUTE)
      const nameless = triesUntilRefused(createTries(), () => tryAt(ADDRESS, null, path))
      assert.equal(nameless, ofAnybody)
      assert.equal(
        triesUntilRefused(createTries(), () => tryAt(ADDRESS, 'one account', path)),
        TRIES_A_MINUTE,
      )
    })
  }
})

describe('A guesser', () => {
  const GUESS = 'sign-in/email'

  it('with many addresses has so many failures an hour at one account, whose person still signs in where they did', () => {
    const tries = createTries()
    const own = () => tries.begin(tryAt(ADDRESS, 'victim', GUESS))
    own()()
    const guesses = triesUntilRefused(tries, attempt => tryAt(`198.51.100.${attempt}`, 'victim', GUESS))
    assert.equal(guesses, FAILURES_AN_HOUR)
    own()()
    assert.throws(() => tries.begin(tryAt('203.0.113.1', 'victim', GUESS)), /Too many tries at this account/)
  })

  it('in an office stops nobody there who has signed in from it before', () => {
    const tries = createTries()
    tries.begin(tryAt(ADDRESS, 'colleague', GUESS))()
    triesUntilRefused(tries, attempt => tryAt(ADDRESS, `guess ${attempt}`, GUESS))
    tries.begin(tryAt(ADDRESS, 'colleague', GUESS))()
    assert.throws(() => tries.begin(tryAt(ADDRESS, 'stranger', GUESS)), /Too many tries from this address/)
  })

  it('gets no further by asking for what needs no password', () => {
    for (const [path] of COUNTED.filter(([counted]) => counted !== GUESS)) {
      const tries = createTries()
      tries.begin(tryAt('203.0.113.1', 'victim', path))()
      const guesses = triesUntilRefused(tries, attempt => tryAt(`198.51.100.${attempt}`, 'victim', GUESS))
      assert.equal(guesses, FAILURES_AN_HOUR, path)
      assert.throws(() => tries.begin(tryAt('203.0.113.1', 'victim', GUESS)), /at this account/, path)
    }
  })

  it('who tries at once is counted as one who waits', () => {
    const tries = createTries()
    const under = Array.from({ length: TRIES_A_MINUTE }, () => tries.begin(tryAt(ADDRESS, 'victim', GUESS)))
    assert.throws(() => tries.begin(tryAt(ADDRESS, 'victim', GUESS)))
    for (const succeeded of under) succeeded()
    assert.throws(() => tries.begin(tryAt(ADDRESS, 'victim', GUESS)), /at this account/, 'so does a success')
  })
})

describe('Through the door', () => {
  let kit: TestApi
  let throttled: QueryApi
  let issuer: Awaited<ReturnType<typeof startLiar>>
  before(async () => {
    kit = await startTestApi()
    issuer = await startLiar()
    const signOn = {
      issuer: issuer.url,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      name: 'Example',
      scopes: ['openid', 'email', 'profile'],
      groupsClaim: 'groups',
      domains: ['example.com'],
      rules: [],
      trustsAddresses: false,
      only: false,
    }
    throttled = await kit.replica({ settings: { ...TEST_SETTINGS, throttleSignIn: true, signOn } })
  })
  after(async () => {
    await throttled.close()
    await kit.stop()
    await issuer.stop()
  })

  const attempt = (address: string, path: string, body: object): Promise<Response> =>
    throttled.fetch(
      accountRequest(path, body, { headers: { [CLIENT_ADDRESS_HEADER]: address, 'x-forwarded-for': '10.9.8.7' } }),
    )
  const guess = async (address: string, email: string, password = 'guess after guess') =>
    (await attempt(address, 'sign-in/email', { email, password })).status

  it(`${OFFICE} people come by single sign-on from one address`, async () => {
    const statuses: string[] = []
    for (let person = 0; person < OFFICE; person += 1) {
      const browser = createBrowser(request => {
        request.headers.set(CLIENT_ADDRESS_HEADER, ADDRESS)
        return throttled.fetch(request)
      }, TEST_BASE_URL)
      const begun = await browser.begin()
      const nonce = begun.searchParams.get('nonce')
      issuer.say({ sub: `person-${person}`, email: `office-${person}@example.com`, name: 'Person', nonce })
      const back = `${TEST_BASE_URL}/api/auth/callback/oidc?code=x&state=${begun.searchParams.get('state')}`
      const { status, headers } = await browser.go(back)
      statuses.push(`${status} ${headers.get('location')}`)
    }
    assert.deepEqual(new Set(statuses), new Set(['302 /app']))
  })

  it('a guesser at one account is refused with when to go on, while others of the office sign in', async () => {
    const victim = await kit.signUp()
    const colleague = await kit.signUp()
    for (let tries = 0; tries < TRIES_A_MINUTE; tries += 1) assert.equal(await guess(ADDRESS, victim.email), 401)
    const refused = await attempt(ADDRESS, 'sign-in/email', {
      email: victim.email.toUpperCase(),
      password: TEST_PASSWORD,
    })
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal(await guess(ADDRESS, colleague.email, TEST_PASSWORD), 200)
    assert.equal(await guess('192.0.2.2', victim.email), 401, 'the address is what the server saw')
  })

  it('who shows no account is counted by address alone', async () => {
    const PROOF = { id: 'A', clientDataJSON: 'A', authenticatorData: 'A', signature: 'A' }
    for (const [path, body, limit] of [
      ['sign-in/passkey', PROOF, FAILURES_A_MINUTE],
      ['sign-in/passkey-options', {}, BEGUN_A_MINUTE],
    ] as const) {
      let tries = 0
      while ((await attempt('192.0.2.3', path, body)).status !== 429 && tries <= limit) tries += 1
      assert.equal(tries, limit, path)
    }
  })
})
