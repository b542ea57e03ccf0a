import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApi, TEST_BASE_URL, TEST_PASSWORD, type TestApi } from '../testing.ts'

// How long a hash takes is looked at; see test/support/cheap-passwords.cjs.
process.env.ASSAY_TEST_PASSWORDS = 'at full cost'

/** What somebody without an account can learn, hold up or take over at the accounts' doors. */
let kit: TestApi
before(async () => {
  kit = await startTestApi()
})
after(() => kit.stop())

const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  kit.api.fetch(
    new Request(`${TEST_BASE_URL}/api/auth/${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    }),
  )

const signIn = (email: string, password = 'a wrong password') =>
  post('sign-in/email', JSON.stringify({ email, password }))

test('signing in says the same of an account as of none, and computes as much', async () => {
  const { email } = await kit.signUp()
  const spent = async (address: string): Promise<number> => {
    const before = process.cpuUsage()
    await (await signIn(address)).text()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const [known, unknown] = [await signIn(email), await signIn('nobody@example.com')]
  assert.deepEqual([known.status, await known.json()], [unknown.status, await unknown.json()])
  assert.equal(known.status, 401)
  const costs = { known: [] as number[], unknown: [] as number[] }
  for (let round = 0; round < 3; round += 1) {
    costs.known.push(await spent(email))
    costs.unknown.push(await spent('nobody@example.com'))
  }
  // A hash is most of it: without one it would be a tenth.
  const ratio = Math.min(...costs.known) / Math.min(...costs.unknown)
  assert.ok(ratio > 0.4 && ratio < 2.5, `an account costs ${ratio} times what none does`)
})

test('a body larger than any form is refused before it is read, and so is one that is no JSON', async () => {
  for (const path of ['sign-in/email', 'sign-up/email', 'sign-out']) {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: controller => {
        pulled += 1
        controller.enqueue(new Uint8Array(64 * 1024).fill(32))
      },
    })
    const request = new Request(`${TEST_BASE_URL}/api/auth/${path}`, {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    })
    assert.equal((await kit.api.fetch(request)).status, 413, path)
    assert.ok(pulled < 10, `${pulled} pieces of ${path} were read`)
    const form = await post(path, 'email=a', { 'content-type': 'application/x-www-form-urlencoded' })
    assert.equal(form.status, 415, path)
  }
})

test('what no account can be named is refused, never an error of ours', async () => {
  const names = ['\u0000', '\ud800', 'x'.repeat(15_000), '']
  for (const name of names) {
    const fields = { name, email: 'odd@example.com', password: TEST_PASSWORD }
    const { status } = await post('sign-up/email', JSON.stringify(fields))
    assert.ok(status < 500, `${JSON.stringify(name).slice(0, 20)}: ${status}`)
  }
  for (const email of ['\u0000@example.com', `${'a'.repeat(10_000)}@example.com`, '', null, {}, ['a@example.com']]) {
    const { status } = await post('sign-in/email', JSON.stringify({ email, password: 'x' }))
    assert.ok(status >= 400 && status < 500, `${JSON.stringify(email).slice(0, 20)}: ${status}`)
  }
  assert.ok((await post('sign-in/email', `${'['.repeat(8000)}`)).status < 500)
})

test('a session is a new one at every sign-in, whatever cookie came along, and scripts do not see it', async () => {
  const person = await kit.signUp()
  const fixed = 'better-auth.session_token=chosen.by.an.enemy'
  const body = JSON.stringify({ email: person.email, password: TEST_PASSWORD })
  const cookies: string[] = []
  for (const cookie of [fixed, person.cookie]) {
    const response = await post('sign-in/email', body, { cookie, origin: TEST_BASE_URL })
    const [set = ''] = response.headers.getSetCookie()
    assert.match(set, /; HttpOnly/i)
    assert.match(set, /; SameSite=Lax/i)
    cookies.push(set.split(';', 1)[0] ?? '')
  }
  assert.equal(new Set([...cookies, fixed, person.cookie]).size, 4)
  const stranger = await kit.api.fetch(
    new Request(`${TEST_BASE_URL}/api/app/list_workspaces`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', cookie: fixed },
    }),
  )
  assert.equal(stranger.status, 401)
})
