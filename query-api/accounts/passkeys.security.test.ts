import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { after, before, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { passwordChangedMessage } from '../mail/messages.ts'
import { type MailingTestApi, startMailingTestApi } from '../mail/testing.ts'
import { accountRequest, cookiesAfter, type Person, TEST_BASE_URL, TEST_PASSWORD } from '../testing.ts'
import { disableAccount, givePassword, takeOffPasskeys } from './operator.ts'

/** Passkeys: whose they are, from where they hold, and who tries to come in by one. */
let kit: MailingTestApi
let administrator: Person
let person: Person
before(async () => {
  kit = await startMailingTestApi()
  administrator = await kit.signUp('Administrator')
  person = await kit.signUp('Person')
})
after(() => kit.stop())

const send = (path: string, { body, cookie = '' }: { body?: object; cookie?: string }) =>
  kit.api.fetch(accountRequest(path, body, { cookie }))

/** An authenticator in software (WebAuthn, 6.1 and 6.5), and a browser that lies about whatever it is told to. */
const createDevice = (id = randomBytes(16)) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // COSE: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }
  const coordinates = [x, y].map(each => Buffer.from(each, 'base64url'))
  const key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    coordinates[0] ?? assert.fail(),
    Buffer.from('225820', 'hex'),
    coordinates[1] ?? assert.fail(),
  ])
  const told = ({
    challenge = '',
    origin = TEST_BASE_URL,
    host = 'assay.test',
    isVerified = true,
    counter = 0,
  }: Lies) => {
    const type = challenge.startsWith('new:') ? 'webauthn.create' : 'webauthn.get'
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (type === 'webauthn.create' ? 0x40 : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(counter, 1)
    const clientData = JSON.stringify({ type, challenge: challenge.replace(/^new:/, ''), origin, crossOrigin: false })
    return {
      clientData: Buffer.from(clientData),
      start: Buffer.concat([createHash('sha256').update(host).digest(), head]),
    }
  }
  return {
    id: id.toString('base64url'),
    make: (lies: Lies) => {
      const { clientData, start } = told({ ...lies, challenge: `new:${lies.challenge}` })
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      return {
        id: id.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: Buffer.concat([start, Buffer.alloc(16), length, id, key]).toString('base64url'),
        transports: ['internal'],
      }
    },
    prove: (lies: Lies) => {
      const { clientData, start } = told(lies)
      const signed = Buffer.concat([start, createHash('sha256').update(clientData).digest()])
      return {
        id: id.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: start.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      }
    },
  }
}
interface Lies {
  readonly challenge: string
  readonly origin?: string
  readonly host?: string
  readonly isVerified?: boolean
  readonly counter?: number
}
type Device = ReturnType<typeof createDevice>

const begin = async (path: string, body: object, cookie = '') => {
  const response = await send(path, { body, cookie })
  assert.equal(response.status, 200)
  const options = (await response.clone().json()) as { challenge: string; userVerification?: string }
  return { challenge: options.challenge, options, cookie: cookiesAfter(response, cookie) }
}
const addTo = async (of: Person, device: Device, lies: Partial<Lies> = {}, name = 'Laptop') => {
  const { challenge, cookie } = await begin('passkeys/options', { password: TEST_PASSWORD }, of.cookie)
  return send('passkeys/add', { body: { name, ...device.make({ challenge, ...lies }) }, cookie })
}
const enterWith = async (device: Device, lies: Partial<Lies> = {}) => {
  const { challenge, cookie } = await begin('sign-in/passkey-options', {})
  return send('sign-in/passkey', { body: device.prove({ challenge, ...lies }), cookie })
}
const nameIn = async (cookie: string): Promise<string | undefined> =>
  ((await (await send('get-session', { cookie })).json()) as { user: { name: string } } | null)?.user.name
const listOf = async ({ cookie }: Person) =>
  (
    (await (await send('passkeys', { cookie })).json()) as {
      items: { id: string; name: string; last_used_at: string | null }[]
    }
  ).items
const actions = async () =>
  (
    await administrator.data<{ items: { action: string; subject: string | null; detail: object }[] }>(
      'list_audit_log',
      {
        query: person.email,
      },
    )
  ).items

const laptop = createDevice()

it('is added by whoever knows the password, in their own session, and they are told', async () => {
  assert.equal((await send('passkeys/options', { body: { password: TEST_PASSWORD } })).status, 401)
  assert.equal((await send('passkeys/options', { body: { password: 'not it' }, cookie: person.cookie })).status, 400)
  assert.equal((await send('passkeys/options', { body: { password: 'ключ' }, cookie: person.cookie })).status, 400)
  const added = await addTo(person, laptop)
  assert.equal(added.status, 200, await added.clone().text())
  assert.deepEqual(
    (await actions()).slice(0, 1).map(({ action, subject, detail }) => ({ action, subject, detail })),
    [{ action: 'passkey_added', subject: 'Person', detail: { passkey: 'Laptop' } }],
  )
  const { to } = await eventually(
    'the mail',
    () => kit.mailServer.received.find(({ text }) => /A passkey was added/.test(text)) ?? null,
    20_000,
  )
  assert.deepEqual(to, [person.email])
})

it('signs in without the password, and without the second factor', async () => {
  await kit.database.pool.query('update account_users set two_factor_enabled = true where email = $1', [person.email])
  const entered = await enterWith(laptop, { counter: 5 })
  assert.equal(entered.status, 200, await entered.clone().text())
  assert.doesNotMatch(await entered.clone().text(), /token/)
  assert.equal(await nameIn(cookiesAfter(entered)), 'Person')
  assert.deepEqual((await actions())[0]?.detail, { method: 'passkey' })
  assert.notEqual((await listOf(person))[0]?.last_used_at, null)
  await kit.database.pool.query('update account_users set two_factor_enabled = false where email = $1', [person.email])
})

it('asks the device to make sure who it is, and takes nothing from one that did not', async () => {
  const { options } = await begin('sign-in/passkey-options', {})
  assert.equal(options.userVerification, 'required')
  const refused = await enterWith(laptop, { isVerified: false, counter: 6 })
  assert.equal(refused.status, 401)
  assert.match(await refused.text(), /did not make sure that it is you/)
  assert.equal((await addTo(person, createDevice(), { isVerified: false })).status, 401)
})

it('holds at one origin and one host', async () => {
  for (const lie of [{ origin: 'https://assay.test.example' }, { origin: 'https://assay.test' }, { host: 'example' }]) {
    assert.equal((await enterWith(laptop, { ...lie, counter: 9 })).status, 401, JSON.stringify(lie))
    assert.equal((await addTo(person, createDevice(), lie)).status, 401, JSON.stringify(lie))
  }
  assert.equal((await listOf(person)).length, 1)
})

it('answers each question once, in the browser that asked, and that one alone', async () => {
  const { challenge, cookie } = await begin('sign-in/passkey-options', {})
  const body = laptop.prove({ challenge, counter: 10 })
  assert.equal((await send('sign-in/passkey', { body })).status, 401, 'another browser')
  assert.equal((await send('sign-in/passkey', { body, cookie })).status, 200)
  const again = await send('sign-in/passkey', { body, cookie })
  assert.equal(again.status, 401)
  assert.match(await again.text(), /Begin again/)
  const other = await begin('sign-in/passkey-options', {})
  assert.equal((await send('sign-in/passkey', { body, cookie: other.cookie })).status, 401, 'another question')
  // What was asked to add one does not sign in, and the other way round.
  const adding = await begin('passkeys/options', { password: TEST_PASSWORD }, person.cookie)
  const crossed = laptop.prove({ challenge: adding.challenge, counter: 11 })
  assert.equal((await send('sign-in/passkey', { body: crossed, cookie: adding.cookie })).status, 401)
  const entering = await begin('sign-in/passkey-options', {}, person.cookie)
  const made = { name: 'Crossed', ...createDevice().make({ challenge: entering.challenge }) }
  assert.equal((await send('passkeys/add', { body: made, cookie: entering.cookie })).status, 401)
})

it('is refused once it was copied: the counter goes back', async () => {
  assert.equal((await enterWith(laptop, { counter: 3 })).status, 401)
})

it('is one account’s: somebody else cannot take its id, name it, or remove it', async () => {
  const other = await kit.signUp('Other')
  const forged = createDevice(Buffer.from(laptop.id, 'base64url'))
  const taken = await addTo(other, forged)
  assert.ok(taken.status >= 400 && taken.status < 500, `${taken.status} ${await taken.clone().text()}`)
  assert.equal((await enterWith(forged, { counter: 20 })).status, 401)
  // A question that was put to somebody, answered in another's session.
  const { challenge, cookie } = await begin('passkeys/options', { password: TEST_PASSWORD }, person.cookie)
  const theirs = `${other.cookie}; ${cookie.slice(person.cookie.length + 2)}`
  const crossed = await send('passkeys/add', {
    body: { name: 'Theirs', ...createDevice().make({ challenge }) },
    cookie: theirs,
  })
  assert.equal(crossed.status, 401)
  const id = (await listOf(person))[0]?.id
  assert.equal((await send('passkeys/rename', { body: { id, name: 'Mine' }, cookie: other.cookie })).status, 404)
  assert.equal((await send('passkeys/remove', { body: { id }, cookie: other.cookie })).status, 404)
  assert.deepEqual(await listOf(other), [])
  assert.deepEqual(
    (await listOf(person)).map(({ name }) => name),
    ['Laptop'],
  )
})

it('is unknown, of which the answer says nothing more, and it is recorded that it was tried', async () => {
  const refused = await enterWith(createDevice())
  assert.equal(refused.status, 401)
  assert.match(await refused.text(), /is not known here/)
  const { rows } = await kit.database.pool.query(
    `select detail from audit_log where action = 'sign_in_failed' order by at desc, id desc limit 1`,
  )
  assert.deepEqual(rows[0].detail, { reason: 'PASSKEY_NOT_FOUND' })
})

it('reads nothing of what an authenticator’s maker says, and refuses what is no answer', async () => {
  const { challenge, cookie } = await begin('passkeys/options', { password: TEST_PASSWORD }, person.cookie)
  const made = createDevice().make({ challenge })
  const body = { name: 'Certified', ...made, attestationObject: 'o2NmbXQ' }
  assert.equal((await send('passkeys/add', { body, cookie })).status, 422)
  for (const authenticatorData of ['AAAA', `${made.authenticatorData}9`, 'gg'.repeat(3900), '!']) {
    const asked = await begin('passkeys/options', { password: TEST_PASSWORD }, person.cookie)
    const given = createDevice().make({ challenge: asked.challenge })
    const answer = await send('passkeys/add', {
      body: { name: 'Broken', ...given, authenticatorData },
      cookie: asked.cookie,
    })
    assert.ok(answer.status === 422 || answer.status === 401, `${authenticatorData.slice(0, 20)}: ${answer.status}`)
  }
  assert.equal((await listOf(person)).length, 1)
})

it('opens no account that is disabled, and none any more once it is removed', async () => {
  const { database } = kit.database
  await disableAccount(database, person.email)
  const refused = await enterWith(laptop, { counter: 30 })
  assert.equal(refused.status, 403)
  await kit.database.pool.query('update account_users set disabled_at = null where email = $1', [person.email])
  person = await kit.signIn(person.email)
  const id = (await listOf(person))[0]?.id
  assert.equal((await send('passkeys/rename', { body: { id, name: 'Desk' }, cookie: person.cookie })).status, 200)
  assert.equal((await send('passkeys/remove', { body: { id }, cookie: person.cookie })).status, 200)
  assert.equal((await enterWith(laptop, { counter: 31 })).status, 401)
  assert.deepEqual((await actions()).find(({ action }) => action === 'passkey_removed')?.detail, { passkey: 'Desk' })
})

it('outlives a new password, of which the mail and the operator’s command speak, and is taken off by the operator', async () => {
  await addTo(person, laptop)
  await addTo(person, createDevice())
  assert.equal(await givePassword(kit.database.database, person.email, TEST_PASSWORD), 2)
  assert.equal((await enterWith(laptop, { counter: 35 })).status, 200)
  assert.match(passwordChangedMessage(TEST_BASE_URL, TEST_BASE_URL).text, /remove the passkeys that you do not know/)
  assert.equal(await takeOffPasskeys(kit.database.database, person.email), 2)
  assert.equal(await takeOffPasskeys(kit.database.database, person.email), 0)
  assert.equal((await actions())[0]?.action, 'passkeys_removed')
  assert.equal((await enterWith(laptop, { counter: 40 })).status, 401)
})

it('goes with its account', async () => {
  const leaving = await kit.signUp('Leaving')
  assert.equal((await addTo(leaving, createDevice())).status, 200)
  assert.equal((await send('delete-user', { body: { password: TEST_PASSWORD }, cookie: leaving.cookie })).status, 200)
  const { rows } = await kit.database.pool.query('select count(*)::integer as n from account_passkeys')
  assert.equal(rows[0].n, 0)
})
