import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createLogger } from '../../infra/runtime/logger.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { newId } from '../../schemas/domain/ids.ts'
import { type Person, TEST_BASE_URL, TEST_INSTALLATION_KEY, TEST_SETTINGS } from '../testing.ts'
import { putDueDigests } from './digests.ts'
import { createMailQueue } from './mail-queue.ts'
import { createMailSender } from './mail-sender.ts'
import { type MailingTestApi, startMailingTestApi } from './testing.ts'

let kit: MailingTestApi
let person: Person
let workspaceId: string
before(async () => {
  kit = await startMailingTestApi()
  person = await kit.signUp('Ada')
  const { items } = await person.data<{ items: { id: string }[] }>('list_workspaces')
  workspaceId = items[0]?.id ?? assert.fail()
})
after(() => kit.stop())
beforeEach(async () => {
  await kit.database.pool.query('update account_users set email_verified = true')
  await kit.database.pool.query(`update members set digest = 'never', digest_through = null`)
  await kit.database.pool.query('delete from outgoing_mail')
  await kit.database.pool.query('delete from claims')
})

const log = createLogger({ level: 'silent', program: 'test' })
const queue = createMailQueue(TEST_INSTALLATION_KEY)
const DAY_MS = 86_400_000
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS + 60_000)

const putAt = (days: number) => {
  const { database } = kit.database
  return putDueDigests({ database, mail: queue, log, now: () => daysFromNow(days) })
}
const send = () =>
  createMailSender({
    database: kit.database.database,
    mailer: kit.mailer,
    queue,
    baseUrl: TEST_BASE_URL,
    log,
  }).sendDue()
const digests = () => kit.mailServer.received.filter(({ subject }) => subject.startsWith('What changed'))

let claims = 0
const addClaim = async (title: string) => {
  claims += 1
  await kit.database.pool.query(
    `insert into claims (id, workspace_id, number, kind, title) values ($1, $2, $3, 'problem', $4)`,
    [newId(), workspaceId, claims, title],
  )
}

describe('A digest', () => {
  it('is for who chooses it, comes once a day when something changed, and says what', async () => {
    await addClaim('The export of boards fails')
    assert.equal(await putAt(10), 0, 'nobody has chosen it')
    const chosen = await person.data<{ every: string; mail: string; next_at: string }>('set_digest', { every: 'daily' })
    assert.equal(chosen.mail, 'ready')
    assert.ok(Math.abs(Date.parse(chosen.next_at) - Date.now() - DAY_MS) < 60_000)
    await addClaim('Visit evil.example/now @all “today”')
    assert.equal(await putAt(0.5), 0, 'it is not time yet')
    // Two programs at once, and one again.
    const put = await Promise.all([putAt(1), putAt(1)])
    assert.equal(put[0] + put[1], 1)
    assert.equal(await putAt(1.5), 0)
    assert.equal(await putAt(3), 0, 'nothing has changed since')
    const before = digests().length
    await send()
    await eventually('it is there', async () => digests().length === before + 1)
    const { text = '', to } = digests().at(-1) ?? {}
    assert.deepEqual(to, [person.email])
    assert.match(text, /New claims: 1\n- CLM-2 Visit evil\. example now all “today”: A new problem with 0 Signals\./)
    assert.doesNotMatch(text, /CLM-1/, 'that was before')
    assert.deepEqual(
      text.match(/https?:\S+/g)?.map(address => address.replace(/\/[\w-]+-[0-9a-f]{8}\//, '/of-it/')),
      [`${TEST_BASE_URL}/of-it/app/changes`, `${TEST_BASE_URL}/of-it/app/settings/workspace`],
    )
  })

  it('comes once a week where that is chosen', async () => {
    await person.data('set_digest', { every: 'weekly' })
    await addClaim('A dark theme')
    assert.deepEqual([await putAt(6), await putAt(7)], [0, 1])
  })

  it('is not sent to who wants no more of them, or has left, before it went out', async () => {
    await person.data('set_digest', { every: 'daily' })
    await addClaim('A dark theme')
    assert.equal(await putAt(1), 1)
    const before = digests().length
    await person.data('set_digest', { every: 'never' })
    await send()
    assert.equal(digests().length, before)
    const { rows } = await kit.database.pool.query('select from outgoing_mail')
    assert.equal(rows.length, 0)
  })

  it('is of the installation that sends mail, and for an address that is confirmed', async () => {
    const without = await kit.replica({ mailer: null, settings: TEST_SETTINGS })
    const ask = (operation: string, input: object) =>
      without.fetch(
        new Request(`${TEST_BASE_URL}/api/app/${operation}`, {
          method: 'POST',
          body: JSON.stringify(input),
          headers: { 'content-type': 'application/json', cookie: person.cookie },
        }),
      )
    assert.equal((await ask('set_digest', { every: 'daily' })).status, 409)
    assert.equal((await ask('set_digest', { every: 'never' })).status, 200)
    assert.match(await (await ask('read_digest', {})).text(), /"mail":"no_mail"/)
    await without.close()
    await kit.database.pool.query('update account_users set email_verified = false')
    assert.equal((await person.call('set_digest', { every: 'daily' })).status, 409)
    assert.equal((await person.data<{ mail: string }>('read_digest')).mail, 'unconfirmed_address')
    await kit.database.pool.query(
      `update members set digest = 'daily', digest_through = now() - interval '3 days' where workspace_id = $1`,
      [workspaceId],
    )
    await addClaim('A dark theme')
    assert.equal(await putAt(1), 0)
  })
})
