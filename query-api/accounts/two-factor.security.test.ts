import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, it } from 'node:test'
import { base32 } from '@scure/base'
import { eventually } from '../../infra/runtime/testing.ts'
import { sealsOf } from '../../model/installation/sealed-columns.ts'
import { type MailingTestApi, startMailingTestApi } from '../mail/testing.ts'
import { accountRequest, cookiesAfter, type Person, TEST_INSTALLATION_KEY, TEST_PASSWORD } from '../testing.ts'
import { changeAddress, takeOffTwoFactor, verifyAddressOf } from './operator.ts'

/** The second factor, what people are told of it and of their address, and who tries to come in without it. */
let kit: MailingTestApi
let administrator: Person
let person: Person
before(async () => {
  kit = await startMailingTestApi()
  administrator = await kit.signUp('Administrator')
  person = await kit.signUp('Person')
})
after(() => kit.stop())

const post = (path: string, body: object, cookie = '') => kit.api.fetch(accountRequest(path, body, { cookie }))

/** RFC 6238: six digits of now, or of so many periods from now. */
const digitsOf = (secret: Uint8Array, periods = 0): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + periods))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

let secret: Uint8Array
let codes: readonly string[]
const enter = () => post('sign-in/email', { email: person.email, password: TEST_PASSWORD })
const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await (await kit.api.fetch(accountRequest('get-session', undefined, { cookie }))).json()) !== null
const actions = async () =>
  (
    await administrator.data<{ items: { action: string; subject: string; detail: { method?: string } }[] }>(
      'list_audit_log',
      { query: person.email },
    )
  ).items
const mailed = (words: RegExp, to = person.email) =>
  eventually(
    String(words),
    () => kit.mailServer.received.find(each => each.to.includes(to) && words.test(each.subject + each.text)) ?? null,
    20_000,
  )

it('is on once the password and the first digits were given, and the person is told', async () => {
  assert.equal((await post('two-factor/enable', { password: 'not it' }, person.cookie)).status, 400)
  const answer = (await (await post('two-factor/enable', { password: TEST_PASSWORD }, person.cookie)).json()) as {
    totpURI: string
    backupCodes: string[]
  }
  const uri = new URL(answer.totpURI)
  assert.equal(uri.searchParams.get('issuer'), 'Assay')
  secret = base32.decode(`${uri.searchParams.get('secret')}`.padEnd(56, '='))
  codes = answer.backupCodes
  // Not on yet: whoever cannot read the digits is not locked out.
  assert.equal(await isSignedIn(cookiesAfter(await enter())), true)
  const refused = await post('two-factor/confirm', { code: '000000' }, person.cookie)
  assert.deepEqual(
    [refused.status, ((await refused.json()) as { message: string }).message],
    [401, 'This code is wrong.'],
  )
  assert.equal((await post('two-factor/confirm', { code: digitsOf(secret) })).status, 401)
  const confirmed = await post('two-factor/confirm', { code: digitsOf(secret) }, person.cookie)
  assert.equal(confirmed.status, 200)
  person = { ...person, cookie: cookiesAfter(confirmed, person.cookie) }
  assert.equal((await post('two-factor/confirm', { code: digitsOf(secret) }, person.cookie)).status, 409)
  const { to, text } = await mailed(/A second factor is asked for/)
  assert.deepEqual(to, [person.email])
  assert.doesNotMatch(text, /otpauth|secret/)
  const { rows } = await kit.database.pool.query('select secret, backup_codes from account_two_factors')
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(`${codes[0]}|${uri.searchParams.get('secret')}`))
  // As the library encrypted them, they are read when the installation's key is replaced.
  const { open } = sealsOf({ isOfAccounts: true }, TEST_INSTALLATION_KEY)
  assert.equal(await open(rows[0].secret), uri.searchParams.get('secret') && Buffer.from(secret).toString('utf8'))
  assert.deepEqual(JSON.parse(String(await open(rows[0].backup_codes))), codes)
})

it('is asked for after the password, which opens nothing by itself', async () => {
  const first = await enter()
  assert.deepEqual(await first.json(), { twoFactorRedirect: true, twoFactorMethods: ['totp'] })
  const cookie = cookiesAfter(first)
  assert.equal(await isSignedIn(cookie), false)
  assert.equal((await post('sign-in/two-factor', { code: '000000' }, cookie)).status, 401)
  // Digits without the password before them.
  assert.equal((await post('sign-in/two-factor', { code: digitsOf(secret) })).status, 401)
  const second = await post('sign-in/two-factor', { code: digitsOf(secret) }, cookie)
  assert.equal(second.status, 200)
  assert.equal(await isSignedIn(cookiesAfter(second, cookie)), true)
  const told = (await actions()).slice(0, 1)
  assert.deepEqual(
    told.map(({ action, detail }) => [action, detail.method]),
    [['signed_in', 'password and second factor']],
  )
})

it('is replaced by a backup code, once', async () => {
  const use = async (code: string) => {
    const cookie = cookiesAfter(await enter())
    const answer = await post('sign-in/backup-code', { code }, cookie)
    return isSignedIn(cookiesAfter(answer, cookie))
  }
  assert.equal(await use(codes[0] ?? ''), true)
  assert.equal(await use(codes[0] ?? ''), false)
  const made = await post('two-factor/generate-backup-codes', { password: TEST_PASSWORD }, person.cookie)
  assert.equal(made.status, 200)
  assert.equal(await use(codes[1] ?? ''), false, 'those before are void')
})

it('cannot be guessed: tries at one sign-in are few, and so are those in a row', async () => {
  const statuses: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const cookie = cookiesAfter(await enter())
    for (let go = 0; go < 6; go += 1) {
      statuses.push(
        (await post('sign-in/two-factor', { code: String(round * 10 + go).padStart(6, '0') }, cookie)).status,
      )
    }
  }
  assert.ok(statuses.filter(status => status === 401).length <= 12, statuses.join())
  const cookie = cookiesAfter(await enter())
  const locked = await post('sign-in/two-factor', { code: digitsOf(secret) }, cookie)
  assert.equal(locked.status, 429)
  await kit.database.pool.query('update account_two_factors set locked_until = null, failed_verification_count = 0')
})

it('is taken off by an administrator, who is recorded, and by the operator', async () => {
  const other = await kit.signUp('Other')
  assert.equal((await other.call('remove_two_factor', { email: person.email })).status, 403)
  assert.equal((await administrator.call('remove_two_factor', { email: administrator.email })).status, 409)
  await administrator.data('remove_two_factor', { email: person.email })
  assert.equal((await administrator.call('remove_two_factor', { email: person.email })).status, 409)
  assert.equal(await isSignedIn(cookiesAfter(await enter())), true)
  await mailed(/removed the second factor/)
  assert.equal((await actions()).find(({ action }) => action === 'two_factor_removed')?.subject, 'Person')
  assert.equal(await takeOffTwoFactor(kit.database.database, person.email), false)
})

it('a changed password and a changed address are told to the address before', async () => {
  const email = person.email
  const body = { currentPassword: TEST_PASSWORD, newPassword: `${TEST_PASSWORD} 2` }
  const changed = await post('change-password', body, (await kit.signIn(email)).cookie)
  assert.equal(changed.status, 200)
  assert.deepEqual((await mailed(/Your password for Assay was changed/)).to, [email])
  const cookie = cookiesAfter(changed)
  await post('change-email', { newEmail: 'new@example.com', password: `${TEST_PASSWORD} 2` }, cookie)
  const { text } = await mailed(/Confirm your address/, 'new@example.com')
  const token = /verify-email#(\S+)/.exec(text)?.[1]
  assert.equal((await post('verify-email', { token }, cookie)).status, 200)
  const notice = await mailed(/Your address for Assay was changed/)
  assert.deepEqual(notice.to, [email])
  assert.doesNotMatch(notice.text, /new@example\.com/)
})

it('a confirmed address is changed by the operator where no mail is sent', async () => {
  const without = await kit.replica({ mailer: null })
  try {
    await verifyAddressOf(kit.database.database, 'new@example.com')
    const password = `${TEST_PASSWORD} 2`
    const cookie = cookiesAfter(await post('sign-in/email', { email: 'new@example.com', password }))
    const body = { newEmail: 'newer@example.com', password }
    const refused = await without.fetch(accountRequest('change-email', body, { cookie }))
    assert.equal(refused.status, 409)
    assert.match(await refused.text(), /assay account change-address/)
    const { database } = kit.database
    await assert.rejects(changeAddress(database, 'new@example.com', administrator.email), /has the address/)
    await assert.rejects(changeAddress(database, 'new@example.com', 'nobody'), /is no e-mail address/)
    await changeAddress(database, 'new@example.com', 'Newer@example.com')
    const answer = await post('sign-in/email', { email: 'newer@example.com', password })
    assert.equal(answer.status, 200)
  } finally {
    await without.close()
  }
})
