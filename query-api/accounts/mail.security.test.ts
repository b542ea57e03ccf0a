import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Database } from '../../infra/postgres/port.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { INSTALLATION_KEY_BYTES } from '../../infra/runtime/secrets.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { createMailQueue } from '../mail/mail-queue.ts'
import { RESETS_AN_HOUR } from '../mail/mail-sender.ts'
import { type MailingTestApi, startMailingTestApi } from '../mail/testing.ts'
import type { QueryApi } from '../query-api.ts'
import { type Person, TEST_BASE_URL, TEST_PASSWORD, TEST_SETTINGS } from '../testing.ts'
import { givePassword, makeResetLink, verifyAddressOf } from './operator.ts'
import { createPasswordReset } from './password-reset.ts'

/** What is sent by mail and opens an account, with a real mail server, and who tries to come in by it. */
let kit: MailingTestApi
/** On the same database, without a mail server. */
let without: QueryApi
/** Who signed up first. */
let administrator: Person
let person: Person
let other: Person
const logLines: string[] = []
before(async () => {
  kit = await startMailingTestApi({
    logger: createLogger({ level: 'debug', program: 'test', destination: { write: line => void logLines.push(line) } }),
    settings: { ...TEST_SETTINGS, throttleSignIn: true, requireVerifiedEmail: true },
  })
  // Accounts that were there before anybody asked for verified addresses.
  without = await kit.replica({ mailer: null, settings: TEST_SETTINGS })
  const signUp = async (name: string): Promise<Person> => {
    const email = `${name.toLowerCase()}@example.com`
    await postTo(without, 'sign-up/email', { name, email, password: TEST_PASSWORD })
    return kit.signIn(email)
  }
  administrator = await signUp('Administrator')
  person = await signUp('Person')
  other = await signUp('Other')
})
after(async () => {
  await without.close()
  await kit.stop()
})
beforeEach(async () => {
  await settled()
  await kit.database.pool.query('delete from outgoing_mail')
})

let clients = 0
const postTo = (api: QueryApi, path: string, body: object, headers: Record<string, string> = {}) => {
  clients += 1
  return api.fetch(
    new Request(`${TEST_BASE_URL}/api/${path.startsWith('app/') ? path : `auth/${path}`}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', [CLIENT_ADDRESS_HEADER]: `192.0.2.${clients}`, ...headers },
    }),
  )
}
const post = (path: string, body: object, headers?: Record<string, string>) => postTo(kit.api, path, body, headers)
const ask = (email: string, headers?: Record<string, string>) => post('request-password-reset', { email }, headers)
const use = (token: string, newPassword: string) => post('reset-password', { token, newPassword })
const signsIn = async ({ email }: Pick<Person, 'email'>, password: string) =>
  (await post('sign-in/email', { email, password })).status === 200
const works = async ({ call }: Person) => (await call('list_keys')).status === 200

const query = async (sql: string) => (await kit.database.pool.query(sql)).rows
const settled = () =>
  eventually(
    'every mail is sent',
    async () => (await query('select from outgoing_mail where ended is null')).length === 0,
  )
const tryAgainNow = () => query('update outgoing_mail set not_before = now() where ended is null')
const mailsTo = ({ email }: Pick<Person, 'email'>, subject: RegExp) =>
  kit.mailServer.received.filter(mail => mail.to.includes(email) && subject.test(mail.subject))
const RESET = /^Choose a new password/
const CONFIRM = /^Confirm your address/
const INVITED = /invites you/
const linkIn = (text: string): URL => new URL(/https?:\S+/.exec(text)?.[0] ?? assert.fail(`no link in ${text}`))
const tokenIn = (text: string): string => linkIn(text).hash.slice(1)
/** Of the mail that comes of it. */
const tokenAfter = async (to: Pick<Person, 'email'>, subject: RegExp, work: () => Promise<Response>) => {
  // Of one kind one mail waits for an address; the last one counts as waiting until its sending is noted.
  await settled()
  const before = mailsTo(to, subject).length
  assert.equal((await work()).status, 200)
  await eventually('the mail is there', async () => mailsTo(to, subject).length > before)
  return tokenIn(mailsTo(to, subject).at(-1)?.text ?? '')
}
const askedToken = (who: Person) => tokenAfter(who, RESET, () => ask(who.email))

describe('A forgotten password', () => {
  it('is replaced by a link that comes by mail, works once, and ends every session and every other link', async () => {
    const [first, second] = [await askedToken(person), await askedToken(person)]
    const { text = '' } = mailsTo(person, RESET)[0] ?? {}
    assert.match(text, /asked for a new password for your account at assay\.test\./)
    assert.match(text, /It was not you\? Do nothing/)
    assert.equal(text.match(/https?:/g)?.length, 1, 'one link')
    assert.equal((await use(second, 'short')).status, 400)
    assert.ok(await works(person))
    assert.equal((await use(second, 'a new long password')).status, 200)
    assert.equal(await works(person), false, 'whoever was signed in is not any more')
    assert.equal(await signsIn(person, TEST_PASSWORD), false)
    for (const used of [second, first]) {
      const again = await use(used, 'taken over by another')
      assert.deepEqual([again.status, ((await again.json()) as { code: string }).code], [400, 'INVALID_TOKEN'])
    }
    assert.ok(await signsIn(person, 'a new long password'))
    await settled()
    assert.equal(mailsTo(person, /was changed/).length, 1)
    const recorded = await query(
      `select subject as account_name, by_name from audit_log where action = 'password_reset'`,
    )
    assert.deepEqual(recorded, [{ account_name: 'Person', by_name: 'Person' }])
  })

  it('has a link that ends after an hour, and is stored as a hash', async () => {
    const token = await askedToken(other)
    const rows = await query(`select *, (expires_at - created_at)::text as lasts from account_verifications`)
    assert.ok(!JSON.stringify(rows).includes(token))
    assert.equal(rows[0].lasts, '01:00:00')
    for (const guess of [rows[0].identifier, `reset-password:${token}`, '', '%', token.slice(1)])
      assert.equal((await use(guess, 'a new long password')).status, 400)
    await query(`update account_verifications set expires_at = now() - interval '1 second'`)
    assert.equal((await use(token, 'a new long password')).status, 400)
    assert.ok(await works(other))
  })

  it('says and does the same for an address that nobody has, for a disabled account, and for who asks again', async t => {
    await query(`update account_users set disabled_at = now() where name = 'Person'`)
    t.after(() => query('update account_users set disabled_at = null'))
    const { database } = kit.database
    const statements: string[] = []
    const recording: Database = {
      ...database,
      transaction: (options, work) =>
        database.transaction(options, transaction =>
          work({
            ...transaction,
            query: (sql, parameters) => {
              statements.push(sql)
              return transaction.query(sql, parameters)
            },
          }),
        ),
    }
    const mail = { ...createMailQueue(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7)), wake: () => {} }
    const { request } = createPasswordReset({ database: recording, mail })
    const answers: string[] = []
    for (const email of [other.email, 'nobody@example.com', person.email, ` ${other.email.toUpperCase()}`]) {
      statements.length = 0
      await request(email)
      const done = statements.join(';')
      const answer = await ask(email)
      answers.push(`${answer.status} ${await answer.text()} ${done}`)
      await settled()
    }
    const [said = '', ...others] = new Set(answers)
    assert.deepEqual(others, [])
    assert.match(said, /^200 \{"status":true\}[\s\S]*insert into outgoing_mail/)
    assert.deepEqual([mailsTo({ email: 'nobody@example.com' }, /./), mailsTo(person, RESET).length], [[], 2])
  })

  it('leads to the service’s own address, whatever a request says of its host', async () => {
    const hostile = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' }
    await tokenAfter(other, RESET, () => ask(other.email, hostile))
    const { origin, pathname } = linkIn(mailsTo(other, RESET).at(-1)?.text ?? '')
    assert.equal(`${origin}${pathname}`, `${TEST_BASE_URL}/reset-password`)
    assert.equal((await ask(other.email, { origin: 'https://evil.example' })).status, 403)
    const more = await post('request-password-reset', { email: other.email, redirectTo: 'https://evil.example' })
    assert.equal(more.status, 422)
  })

  it('floods nobody: an address asks so often a minute, and a person gets so many in an hour', async () => {
    const before = mailsTo(other, RESET).length
    for (let round = 0; round < RESETS_AN_HOUR + 2; round += 1) {
      await ask(other.email)
      await settled()
    }
    assert.equal(mailsTo(other, RESET).length - before, RESETS_AN_HOUR)
    const askFrom = (address: string) => ask('nobody@example.com', { [CLIENT_ADDRESS_HEADER]: address })
    let status = 200
    for (let tries = 0; tries < 60 && status === 200; tries += 1) status = (await askFrom('198.51.100.7')).status
    assert.equal(status, 429)
    assert.equal((await askFrom('198.51.100.8')).status, 200, 'from elsewhere')
  })

  it('waits sealed while the mail server is away, is told of, and is sent once when it is back, by one of two programs', async () => {
    const before = mailsTo(other, RESET).length
    const replica = await kit.replica()
    const mail = async () => {
      const { items } = await other.data<{ items: { name: string }[] }>('inspect_dependencies')
      return items.find(({ name }) => name === 'mail')
    }
    const failed = (tries: number) =>
      eventually(
        'a try has failed',
        async () =>
          (
            await query(
              `select from outgoing_mail where reason is not null and leased_until is null and tries >= ${tries}`,
            )
          ).length > 0,
      )
    try {
      kit.mailServer.refuse(451)
      await ask(other.email)
      await failed(1)
      await tryAgainNow()
      await ask('nobody@example.com')
      await failed(2)
      assert.partialDeepStrictEqual(await mail(), { state: 'away', reason: 'The mail server refuses mail now (451).' })
      const stored = (await query('select * from outgoing_mail')).map(
        row => `${JSON.stringify(row)}${String(row.sealed)}`,
      )
      assert.ok(!stored.join().includes(other.email))
      kit.mailServer.refuse(null)
      await tryAgainNow()
      await Promise.all([ask('nobody@example.com'), postTo(replica, 'request-password-reset', { email: other.email })])
      await settled()
    } finally {
      kit.mailServer.refuse(null)
      await replica.close()
    }
    assert.equal(mailsTo(other, RESET).length - before, 1)
    assert.partialDeepStrictEqual(await mail(), { state: 'answers' })
  })
})

describe('An address', () => {
  const isVerified = async (email: string): Promise<boolean | undefined> =>
    (await query('select email, email_verified from account_users')).find(row => row.email === email)?.email_verified

  it('lets a new account in once it is verified, by the link that was sent to it and by no other', async () => {
    const fields = { email: 'strict@example.com', password: TEST_PASSWORD }
    const signUp = () => post('sign-up/email', { ...fields, name: 'Strict' })
    const token = await tokenAfter(fields, CONFIRM, signUp)
    const taken = await signUp()
    assert.deepEqual([taken.status, taken.headers.getSetCookie()], [200, []], 'the same of an address that is taken')
    const refused = await post('sign-in/email', fields)
    assert.deepEqual([refused.status, /ADDRESS_NOT_VERIFIED/.test(await refused.text())], [403, true])
    for (const forged of ['x', `${token.slice(0, -4)}AAAA`, token.split('.').slice(0, 2).join('.')])
      assert.equal((await post('verify-email', { token: forged })).status, 401)
    const verified = await post('verify-email', { token })
    assert.deepEqual([verified.status, verified.headers.getSetCookie()], [200, []], 'nobody is signed in by it')
    assert.ok(await signsIn(fields, TEST_PASSWORD))
    assert.ok(await works(other), 'who was there before is let in as before')
    await verifyAddressOf(kit.database.database, other.email)
    assert.equal(await isVerified(other.email), true)
  })

  it('that is changed holds once its link is opened by whoever is signed in to the account', async () => {
    const newEmail = 'changed@example.com'
    const as = (who: Person) => ({ cookie: who.cookie, origin: TEST_BASE_URL })
    const change = { newEmail, password: TEST_PASSWORD }
    const token = await tokenAfter({ email: newEmail }, CONFIRM, () => post('change-email', change, as(other)))
    const stranger = await post('verify-email', { token })
    assert.deepEqual([stranger.status, stranger.headers.getSetCookie()], [401, []], 'a mistyped address gives nothing')
    assert.equal((await post('verify-email', { token }, as(administrator))).status, 401)
    assert.equal(await isVerified(newEmail), undefined)
    assert.equal((await post('verify-email', { token }, as(other))).status, 200)
    assert.deepEqual([await isVerified(newEmail), await isVerified(other.email)], [true, undefined])
    assert.equal((await post('verify-email', { token }, as(other))).status, 401, 'once')
  })
})

describe('An invitation by mail', () => {
  const invite = (email: string) => administrator.call('invite_member', { label: 'Guest', role: 'viewer', email })

  it('arrives with its one link, and nothing that its owner’s words would add to it', async () => {
    const name = 'Eve\r\nBcc: a@evil.example https://evil.example/win'
    await query(`update account_users set name = '${name}' where name = 'Administrator'`)
    const guest = { email: 'guest@example.com' }
    const token = await tokenAfter(guest, INVITED, () => invite(guest.email))
    const read = await post('invitation', { token }, { cookie: other.cookie, origin: TEST_BASE_URL })
    assert.equal(read.status, 200)
    const mail = mailsTo(guest, INVITED)[0] ?? assert.fail('no mail')
    assert.deepEqual([mail.to, /^Bcc:/im.test(mail.raw)], [[guest.email], false])
    assert.doesNotMatch(mail.text, /evil\.example/)
    assert.equal(mail.text.match(/https?:/g)?.length, 1)
    assert.match(mail.text, /as a viewer: you read\./)
    for (const email of ['a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com', 'nobody'])
      assert.equal((await invite(email)).status, 422, email)
  })

  it('goes to an address so often a day, and is not sent once it is revoked', async () => {
    kit.mailServer.refuse(451)
    const { data } = (await (await invite('revoked@example.com')).json()) as { data: { id: string } }
    const failing = 'select from outgoing_mail where ended is null and failing_since is not null'
    await eventually('its first try has failed', async () => (await query(failing)).length === 1)
    await administrator.data('revoke_invitation', { id: data.id })
    kit.mailServer.refuse(null)
    await tryAgainNow()
    const statuses: number[] = []
    for (let round = 0; round < 4; round += 1) statuses.push((await invite('often@example.com')).status)
    assert.deepEqual(statuses, [200, 200, 200, 429])
    await settled()
    const sent = ['revoked@example.com', 'often@example.com'].map(email => mailsTo({ email }, INVITED).length)
    assert.deepEqual(sent, [0, 3])
  })
})

describe('A link that an administrator makes', () => {
  it('is mailed where mail is sent, shown where none is, recorded, and never made by others or for another administrator', async () => {
    const make = (api: QueryApi, by: Person, email: string) =>
      postTo(api, 'app/make_reset_link', { email }, { cookie: by.cookie })
    assert.equal((await make(without, other, person.email)).status, 403)
    assert.equal((await make(without, administrator, administrator.email)).status, 409)
    await tokenAfter(person, RESET, () => make(kit.api, administrator, person.email))
    const shown = await make(without, administrator, person.email)
    const { data } = (await shown.json()) as { data: { url: string } }
    assert.equal((await use(new URL(data.url).hash.slice(1), 'from the administrator')).status, 200)
    await administrator.data('make_administrator', { email: 'changed@example.com' })
    const refused = await make(without, administrator, 'changed@example.com')
    assert.deepEqual([refused.status, /assay account reset-link/.test(await refused.text())], [403, true])
    const made = await query(`select subject as account_name from audit_log where action = 'reset_link_made'`)
    assert.deepEqual(made, [{ account_name: 'Person' }, { account_name: 'Person' }])
  })

  it('is made at the command line too, and a password is given there', async () => {
    const { database } = kit.database
    const link = await makeResetLink(database, person.email, TEST_BASE_URL)
    await assert.rejects(givePassword(database, person.email, 'short'), /8 to 128 characters/)
    await givePassword(database, person.email, 'given by the operator')
    assert.ok(await signsIn(person, 'given by the operator'))
    assert.equal((await use(new URL(link).hash.slice(1), 'too late for that')).status, 400)
  })

  it('is what somebody without mail is told to ask for', async () => {
    const ways = await without.fetch(new Request(`${TEST_BASE_URL}/api/auth/sign-in-ways`))
    assert.equal(((await ways.json()) as { password_reset: string }).password_reset, 'administrator')
    const refused = await postTo(without, 'request-password-reset', { email: person.email })
    assert.deepEqual([refused.status, /Ask an administrator/.test(await refused.text())], [409, true])
  })
})

it('Nothing of it puts an address or a token into the log', () => {
  const tokens = kit.mailServer.received.flatMap(({ text }) => /#(\S+)/.exec(text)?.[1] ?? [])
  assert.ok(tokens.length > 5 && logLines.length > 0)
  const log = logLines.join('')
  for (const secret of [...tokens, 'example.com']) assert.ok(!log.includes(secret), secret)
})
