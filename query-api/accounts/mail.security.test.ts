import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parseSmtpUrl } from '../../infra/mail/config.ts'
import { createSmtpMailer } from '../../infra/mail/smtp-mailer.ts'
import { startTestMailServer, type TestMailServer } from '../../infra/mail/testing.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { RESETS_AN_HOUR } from '../mail/write-mail.ts'
import { type Person, startTestApi, TEST_BASE_URL, TEST_PASSWORD, TEST_SETTINGS, type TestApi } from '../testing.ts'
import { givePassword, makeResetLink } from './operator.ts'

/** The way back for a forgotten password, with a real mail server, and who tries to come in by it. */
let mailServer: TestMailServer
let kit: TestApi
/** Who signed up first. */
let administrator: Person
const logLines: string[] = []
before(async () => {
  mailServer = await startTestMailServer()
  const server = parseSmtpUrl(mailServer.url) ?? assert.fail('no server')
  kit = await startTestApi({
    mailer: createSmtpMailer({ server, from: { name: 'Assay', address: 'assay@example.com' } }),
    logger: createLogger({ level: 'debug', program: 'test', destination: { write: line => void logLines.push(line) } }),
    settings: { ...TEST_SETTINGS, throttleSignIn: true },
  })
  administrator = await kit.signUp('Administrator')
})
after(async () => {
  await kit.stop()
  await mailServer.stop()
})

let client = 0
const post = (path: string, body: object, headers: Record<string, string> = {}) => {
  client += 1
  return kit.api.fetch(
    new Request(`${TEST_BASE_URL}/api/auth/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', [CLIENT_ADDRESS_HEADER]: `192.0.2.${client}`, ...headers },
    }),
  )
}
const ask = (email: string, headers?: Record<string, string>) => post('request-password-reset', { email }, headers)
const use = (token: string, newPassword: string) => post('reset-password', { token, newPassword })
const signsIn = async (email: string, password: string) =>
  (await post('sign-in/email', { email, password })).status === 200
const works = async (person: Person) => (await person.call('list_keys')).status === 200

const waiting = async (): Promise<number> =>
  (await kit.database.pool.query('select from outgoing_mail where ended is null')).rowCount ?? 0
const settled = () => eventually('every mail is sent', async () => (await waiting()) === 0)
const mailsTo = (email: string, subject = /new password/) =>
  mailServer.received.filter(mail => mail.to.includes(email) && subject.test(mail.subject))
const linkIn = (text: string): URL => new URL(/https?:\S+/.exec(text)?.[0] ?? assert.fail(`no link in ${text}`))
const tokenFor = async (person: Person): Promise<string> => {
  const before = mailsTo(person.email).length
  assert.equal((await ask(person.email)).status, 200)
  await eventually('the mail is there', async () => mailsTo(person.email).length > before)
  return linkIn(mailsTo(person.email).at(-1)?.text ?? '').hash.slice(1)
}

describe('A forgotten password', () => {
  it('is replaced by a link that comes by mail, works once, and ends every session and every other link', async () => {
    const person = await kit.signUp()
    const [first, second] = [await tokenFor(person), await tokenFor(person)]
    const mail = mailsTo(person.email)[0] ?? assert.fail('no mail')
    assert.match(mail.text, /asked for a new password for your account at assay\.test\./)
    assert.match(mail.text, /It was not you\? Do nothing/)
    assert.equal(mail.text.match(/https?:/g)?.length, 1, 'one link')
    assert.equal((await use(second, 'short')).status, 400)
    assert.ok(await works(person))
    assert.equal((await use(second, 'a new long password')).status, 200)
    assert.equal(await works(person), false, 'whoever was signed in is not any more')
    assert.deepEqual(
      [await signsIn(person.email, TEST_PASSWORD), await signsIn(person.email, 'a new long password')],
      [false, true],
    )
    for (const used of [second, first]) {
      const again = await use(used, 'taken over by another')
      assert.equal(again.status, 400)
      assert.equal(((await again.json()) as { code: string }).code, 'INVALID_TOKEN')
    }
    await settled()
    assert.equal(mailsTo(person.email, /was changed/).length, 1)
    const { rows } = await kit.database.pool.query(
      `select account_name, by_name from administration_changes where change = 'password_reset'`,
    )
    assert.deepEqual(rows, [{ account_name: 'Owner', by_name: 'Owner' }])
  })

  it('has a link that ends after an hour, and is stored as a hash', async () => {
    const person = await kit.signUp()
    const token = await tokenFor(person)
    const { rows } = await kit.database.pool.query('select *, expires_at - now() as left from account_verifications')
    assert.equal(rows.length, 1)
    assert.ok(!JSON.stringify(rows).includes(token))
    assert.ok(rows[0].left.minutes === 59, JSON.stringify(rows[0].left))
    for (const guess of [rows[0].identifier, `reset-password:${token}`, '', '%', token.slice(1)])
      assert.equal((await use(guess, 'a new long password')).status, 400)
    await kit.database.pool.query(`update account_verifications set expires_at = now() - interval '1 second'`)
    assert.equal((await use(token, 'a new long password')).status, 400)
    assert.ok(await signsIn(person.email, TEST_PASSWORD))
  })

  it('says the same of an address that nobody has, of a disabled account, and of somebody who asks again', async () => {
    const [person, disabled] = [await kit.signUp(), await kit.signUp()]
    await kit.database.pool.query('update account_users set disabled_at = now() where email = $1', [disabled.email])
    const answers = new Set<string>()
    for (const email of [
      person.email,
      'nobody@example.com',
      disabled.email,
      person.email,
      ` ${person.email.toUpperCase()}`,
    ]) {
      const answer = await ask(email)
      answers.add(`${answer.status} ${await answer.text()}`)
    }
    assert.deepEqual([...answers], ['200 {"status":true}'])
    await settled()
    assert.deepEqual([mailsTo('nobody@example.com').length, mailsTo(disabled.email).length], [0, 0])
  })

  it('asks the database the same for an address that somebody has and one that nobody has', async () => {
    const person = await kit.signUp()
    await settled()
    const statements = async (email: string): Promise<readonly string[]> => {
      const { pool } = kit.database
      const asked: string[] = []
      const connect = pool.connect.bind(pool)
      // What is asked until the answer; the mail is written behind it.
      pool.connect = (async () => {
        const connection = await connect()
        const query = connection.query.bind(connection)
        return new Proxy(connection, {
          get: (target, name) =>
            name === 'query'
              ? (...parameters: readonly unknown[]) => {
                  asked.push(
                    String((parameters[0] as { text?: string }).text ?? parameters[0])
                      .trim()
                      .slice(0, 40),
                  )
                  return (query as (...all: readonly unknown[]) => unknown)(...parameters)
                }
              : Reflect.get(target, name, target),
        })
      }) as never
      try {
        await ask(email)
      } finally {
        pool.connect = connect
      }
      await settled()
      return asked
    }
    const known = await statements(person.email)
    assert.ok(
      known.some(each => each.startsWith('insert into outgoing_mail')),
      known.join('\n'),
    )
    assert.deepEqual(await statements('nobody@example.com'), known)
  })

  it('leads to the service’s own address, whatever a request says of its host', async () => {
    const person = await kit.signUp()
    const hostile = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' }
    assert.equal((await ask(person.email, hostile)).status, 200)
    await settled()
    const link = linkIn(mailsTo(person.email)[0]?.text ?? '')
    assert.equal(`${link.origin}${link.pathname}`, `${TEST_BASE_URL}/reset-password`)
    assert.equal((await ask(person.email, { origin: 'https://evil.example' })).status, 403)
    const more = await post('request-password-reset', { email: person.email, redirectTo: 'https://evil.example' })
    assert.equal(more.status, 422)
  })

  it('floods nobody: an address asks so often a minute, and a person gets so many in an hour', async () => {
    const person = await kit.signUp()
    for (let round = 0; round < RESETS_AN_HOUR + 3; round += 1) {
      await ask(person.email)
      await settled()
    }
    assert.equal(mailsTo(person.email).length, RESETS_AN_HOUR)
    const statuses: number[] = []
    for (let round = 0; round < 12; round += 1) {
      statuses.push((await ask('nobody@example.com', { [CLIENT_ADDRESS_HEADER]: '198.51.100.7' })).status)
    }
    assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429])
  })

  it('is sent once by programs side by side, and by the next one where one dies with it', async () => {
    const person = await kit.signUp()
    const other = await kit.replica()
    try {
      for (let round = 0; round < 5; round += 1) await ask(person.email)
      await settled()
      assert.equal(mailsTo(person.email).length, 1, 'the one that waits is enough')
    } finally {
      await other.close()
    }
  })

  it('waits while the mail server is away, sealed, and is sent when it is back', async () => {
    const person = await kit.signUp()
    mailServer.refuse(451)
    await ask(person.email)
    await eventually('a try has failed', async () => {
      const { rows } = await kit.database.pool.query('select reason from outgoing_mail where ended is null')
      return rows[0]?.reason === 'The mail server refuses mail now (451).'
    })
    const { rows } = await kit.database.pool.query('select * from outgoing_mail')
    const stored = rows.map(row => `${JSON.stringify({ ...row, sealed: null })}${String(row.sealed)}`).join()
    assert.ok(!stored.includes(person.email))
    mailServer.refuse(null)
    await kit.database.pool.query('update outgoing_mail set not_before = now() where ended is null')
    await ask('nobody@example.com')
    await settled()
    assert.equal(mailsTo(person.email).length, 1)
  })

  it('puts no address and no token into the log', async () => {
    const tokens = mailServer.received.flatMap(({ text }) => /#(\S+)/.exec(text)?.[1] ?? [])
    assert.ok(tokens.length > 5 && logLines.length > 0)
    const log = logLines.join('')
    for (const secret of [...tokens, 'example.com']) assert.ok(!log.includes(secret), secret)
  })
})

describe('Without a mail server', () => {
  it('somebody who forgot their password is told whom to ask', async t => {
    const without = await kit.replica({ mailer: null })
    t.after(() => without.close())
    const by = await without.fetch(new Request(`${TEST_BASE_URL}/api/auth/password-reset`))
    assert.deepEqual(await by.json(), { by: 'administrator' })
    const request = new Request(`${TEST_BASE_URL}/api/auth/request-password-reset`, {
      method: 'POST',
      body: JSON.stringify({ email: 'a@example.com' }),
      headers: { 'content-type': 'application/json' },
    })
    const refused = await without.fetch(request)
    assert.equal(refused.status, 409)
    assert.match(await refused.text(), /sends no mail\. Ask an administrator/)
  })
})

const linkTo = async (email: string, subject: RegExp): Promise<string> => {
  await eventually('the mail is there', async () => mailsTo(email, subject).length > 0)
  return linkIn(mailsTo(email, subject).at(-1)?.text ?? '').hash.slice(1)
}
const isVerified = async (email: string): Promise<boolean> =>
  (await kit.database.pool.query('select email_verified from account_users where email = $1', [email])).rows[0]
    ?.email_verified

describe('An address', () => {
  const CONFIRM = /Confirm your address/

  it('is verified by the link that comes after the sign-up, and by no other', async () => {
    const person = await kit.signUp()
    const token = await linkTo(person.email, CONFIRM)
    for (const forged of ['x', `${token.slice(0, -4)}AAAA`, token.split('.').slice(0, 2).join('.')])
      assert.equal((await post('verify-email', { token: forged })).status, 401)
    assert.equal(await isVerified(person.email), false)
    const verified = await post('verify-email', { token })
    assert.equal(verified.status, 200)
    assert.deepEqual(verified.headers.getSetCookie(), [], 'nobody is signed in by it')
    assert.equal(await isVerified(person.email), true)
  })

  it('that is changed holds once its link is opened by whoever is signed in to the account', async () => {
    const person = await kit.signUp()
    const newEmail = `new-${person.email}`
    const cookie = { cookie: person.cookie, origin: TEST_BASE_URL }
    assert.equal((await post('change-email', { newEmail, password: TEST_PASSWORD }, cookie)).status, 200)
    const token = await linkTo(newEmail, CONFIRM)
    assert.ok(await signsIn(person.email, TEST_PASSWORD))
    const stranger = await post('verify-email', { token })
    assert.equal(stranger.status, 401, 'a mistyped address gives its owner nothing')
    assert.deepEqual(stranger.headers.getSetCookie(), [])
    const other = await kit.signUp()
    assert.equal((await post('verify-email', { token }, { cookie: other.cookie, origin: TEST_BASE_URL })).status, 401)
    assert.equal(await isVerified(newEmail), undefined)
    assert.equal((await post('verify-email', { token }, cookie)).status, 200)
    assert.deepEqual([await isVerified(newEmail), await isVerified(person.email)], [true, undefined])
    assert.equal((await post('verify-email', { token }, cookie)).status, 401, 'once')
  })

  it('lets a new account in once it is verified, where that is asked for, and every older one as before', async t => {
    const before = await kit.signUp()
    const strict = await kit.replica({ settings: { ...TEST_SETTINGS, requireVerifiedEmail: true } })
    t.after(() => strict.close())
    const ask = (path: string, body: object) =>
      strict.fetch(
        new Request(`${TEST_BASE_URL}/api/auth/${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      )
    const fields = { email: 'strict@example.com', password: TEST_PASSWORD }
    assert.equal((await ask('sign-in/email', { email: before.email, password: TEST_PASSWORD })).status, 200)
    const made = await ask('sign-up/email', { ...fields, name: 'Strict' })
    assert.deepEqual([made.status, made.headers.getSetCookie()], [200, []])
    const taken = await ask('sign-up/email', { ...fields, name: 'Strict' })
    assert.equal(taken.status, 200, 'the same of an address that is taken')
    const refused = await ask('sign-in/email', fields)
    assert.equal(refused.status, 403)
    assert.match(await refused.text(), /ADDRESS_NOT_VERIFIED/)
    assert.equal((await ask('verify-email', { token: await linkTo(fields.email, CONFIRM) })).status, 200)
    assert.equal((await ask('sign-in/email', fields)).status, 200)
  })
})

describe('An invitation by mail', () => {
  it('arrives with its one link, and nothing that its owner’s words would add to it', async () => {
    const owner = await kit.signUp('Eve\r\nBcc: a@evil.example https://evil.example/win')
    const invited = await owner.data<{ url: string; sent_to: string; id: string }>('invite_member', {
      label: 'Guest',
      role: 'viewer',
      email: 'guest@example.com',
    })
    assert.equal(invited.sent_to, 'guest@example.com')
    assert.equal(await linkTo('guest@example.com', /invites you/), new URL(invited.url).hash.slice(1))
    const mail = mailsTo('guest@example.com', /invites you/)[0] ?? assert.fail('no mail')
    assert.deepEqual(mail.to, ['guest@example.com'])
    assert.doesNotMatch(mail.raw, /^Bcc:/im)
    assert.doesNotMatch(mail.text, /evil\.example/)
    assert.equal(mail.text.match(/https?:/g)?.length, 1)
    assert.match(mail.text, /as a viewer: you read\./)
    for (const email of ['a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com', 'nobody'])
      assert.equal((await owner.call('invite_member', { label: 'G', role: 'viewer', email })).status, 422, email)
  })

  it('goes to an address so often a day, and is not sent once it is revoked', async () => {
    const owner = await kit.signUp('Owner')
    const invite = (email: string) => owner.call('invite_member', { label: 'Guest', role: 'viewer', email })
    mailServer.refuse(451)
    const { data } = (await (await invite('revoked@example.com')).json()) as { data: { id: string } }
    await owner.data('revoke_invitation', { id: data.id })
    mailServer.refuse(null)
    await kit.database.pool.query('update outgoing_mail set not_before = now() where ended is null')
    const statuses: number[] = []
    for (let round = 0; round < 4; round += 1) statuses.push((await invite('often@example.com')).status)
    assert.deepEqual(statuses, [200, 200, 200, 429])
    await settled()
    assert.equal(mailsTo('revoked@example.com', /invites/).length, 0)
    assert.equal(mailsTo('often@example.com', /invites/).length, 3)
  })
})

describe('A link that an administrator makes', () => {
  it('is mailed where mail is sent, shown where none is, recorded, and never made by others or for another administrator', async t => {
    const without = await kit.replica({ mailer: null })
    t.after(() => without.close())
    const [person, owner] = [await kit.signUp('Forgetful'), await kit.signUp('Owner')]
    const make = (by: Person, email: string) =>
      without.fetch(
        new Request(`${TEST_BASE_URL}/api/app/make_reset_link`, {
          method: 'POST',
          body: JSON.stringify({ email }),
          headers: { 'content-type': 'application/json', cookie: by.cookie },
        }),
      )
    assert.equal((await make(owner, person.email)).status, 403)
    assert.equal((await make(administrator, administrator.email)).status, 409)
    const made = await make(administrator, person.email)
    const { data } = (await made.json()) as { data: { url: string; by_mail: boolean } }
    assert.equal(data.by_mail, false)
    assert.equal((await use(new URL(data.url).hash.slice(1), 'from the administrator')).status, 200)
    const mailed = await administrator.data('make_reset_link', { email: person.email })
    assert.deepEqual(mailed, { name: 'Forgetful', by_mail: true, url: null })
    await eventually('it is sent', async () => mailsTo(person.email).length === 1)
    await administrator.data('make_administrator', { email: owner.email })
    const other = await make(administrator, owner.email)
    assert.equal(other.status, 403)
    assert.match(await other.text(), /assay account reset-link/)
    const { items } = await administrator.data<{ items: { change: string; account_name: string }[] }>(
      'list_administration_changes',
    )
    assert.equal(
      items.filter(({ change, account_name }) => change === 'reset_link_made' && account_name === 'Forgetful').length,
      2,
    )
  })

  it('is made at the command line too, for anybody, and a password is given there', async () => {
    const person = await kit.signUp('Forgetful')
    const { database } = kit.database
    const link = await makeResetLink(database, person.email, TEST_BASE_URL)
    assert.equal((await use(new URL(link).hash.slice(1), 'from the command line')).status, 200)
    await assert.rejects(givePassword(database, person.email, 'short'), /8 to 128 characters/)
    const unused = await makeResetLink(database, person.email, TEST_BASE_URL)
    await givePassword(database, person.email, 'given by the operator')
    assert.ok(await signsIn(person.email, 'given by the operator'))
    assert.equal((await use(new URL(unused).hash.slice(1), 'too late for that')).status, 400)
  })
})
