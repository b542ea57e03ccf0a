import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deleteAccount } from '../../../model/accounts/delete-account.ts'
import { createProvisioningKey } from '../../../model/keys/provisioning-key.ts'
import { disableAccount } from '../../accounts/operator.ts'
import { type Person, startTestApi, type TestApi } from '../../testing.ts'
import { failsWith } from '../testing.ts'

let kit: TestApi
/** Who signed up first. */
let first: Person
let second: Person
before(async () => {
  kit = await startTestApi()
  first = await kit.signUp('First')
  second = await kit.signUp('Second')
})
after(() => kit.stop())

interface Administrator {
  readonly user_id: string
  readonly name: string
  readonly email: string | null
}
const administrators = async (as: Person): Promise<Administrator[]> =>
  (await as.data<{ items: Administrator[] }>('list_administrators')).items
const names = async (as: Person) => (await administrators(as)).map(({ name }) => name)
const idOf = async (name: string): Promise<string> =>
  (await kit.database.pool.query('select id from account_users where name = $1', [name])).rows[0].id
const share = (as: Person, to: Person, more: object = {}) => as.call('make_administrator', { email: to.email, ...more })
const pause = async (as: Person): Promise<number> => {
  const { status } = await as.call('pause_step', { step: 'cluster', reason: 'Trying.' })
  if (status === 200) await as.data('resume_step', { step: 'cluster' })
  return status
}
/** Whatever a test did: the first alone. */
const backToFirst = async () => {
  await kit.database.pool.query(
    `insert into administrators select id from account_users where name = 'First' on conflict do nothing`,
  )
  await kit.database.pool.query(
    `delete from administrators where user_id <> (select id from account_users where name = 'First')`,
  )
}

describe('The administrator', () => {
  it('is the first account, is shown to all, and their address to administrators alone', async () => {
    assert.deepEqual(await names(second), ['First'])
    assert.deepEqual(
      (await administrators(second)).map(({ email }) => email),
      [null],
    )
    assert.deepEqual(
      (await administrators(first)).map(({ email }) => email),
      [first.email],
    )
  })

  it('alone pauses steps: a removed co-owner with a workspace of their own does not', async () => {
    const { url } = await first.data<{ url: string }>('invite_member', { label: 'Co-owner', role: 'owner' })
    await second.data('accept_invitation', { token: new URL(url).hash.slice(1) })
    const { items } = await first.data<{ items: { id: string; current: boolean }[] }>('list_workspaces')
    const shared = { 'x-workspace-id': items.find(({ current }) => current)?.id ?? '' }
    const made = await second.call('create_workspace', { name: 'Private' }, shared)
    const { id } = ((await made.json()) as { data: { id: string } }).data
    await first.data('remove_member', { user_id: await idOf('Second') })
    const tried = await second.call('pause_step', { step: 'cluster', reason: 'Mine.' }, { 'x-workspace-id': id })
    assert.equal(tried.status, 403)
    assert.equal(await pause(first), 200)
    const all = await first.data<{ items: { name: string; owners: string[]; members: number }[] }>(
      'list_installation_workspaces',
    )
    const { name, owners, members } = all.items.find(each => each.name === 'Private') ?? assert.fail('it is not seen')
    assert.deepEqual([name, owners, members], ['Private', [`Second <${second.email}>`], 1])
  })

  it('sees every workspace page by page, and nobody else does', async () => {
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const answer = await first.call('list_installation_workspaces', { limit: 2, ...(cursor && { cursor }) })
      const { data, meta } = (await answer.json()) as {
        data: { count: number; items: { id: string }[] }
        meta: { next_cursor: string | null }
      }
      seen.push(...data.items.map(({ id }) => id))
      cursor = meta.next_cursor
      if (cursor === null) assert.equal(new Set(seen).size, data.count)
    }
    assert.equal((await second.call('list_installation_workspaces')).status, 403)
  })

  it('shares the role, takes it back at once, and each is recorded with who, whom and when', async () => {
    assert.equal((await share(first, second)).status, 200)
    assert.equal((await share(first, second)).status, 200, 'it may be sent twice')
    assert.deepEqual(await names(first), ['First', 'Second'])
    assert.equal(await pause(second), 200)
    await second.data('remove_administrator', { user_id: await idOf('First') })
    assert.deepEqual([await pause(first), await pause(second)], [403, 200])
    await share(second, first, { transfer_role: true })
    assert.deepEqual(await names(first), ['First'])
    const { items } = await first.data<{ items: { action: string; subject: string; by_name: string }[] }>(
      'list_audit_log',
      { actions: ['made_administrator', 'administrator_no_more'] },
    )
    assert.deepEqual(
      items
        .toReversed()
        .map(({ action, subject, by_name }) => [action, subject, by_name])
        .slice(0, 3),
      [
        ['made_administrator', 'First', ''],
        ['made_administrator', 'Second', 'First'],
        ['administrator_no_more', 'First', 'Second'],
      ],
    )
    assert.equal(items.length, 5)
  })

  it('is told of an address without an account, and of a role that somebody lost meanwhile', async () => {
    const unknown = await first.call('make_administrator', { email: 'nobody@example.com' })
    assert.equal(unknown.status, 404)
    assert.equal((await first.call('remove_administrator', { user_id: await idOf('Second') })).status, 404)
    assert.equal((await share(first, first, { transfer_role: true })).status, 409)
  })

  it('who is the last one cannot give it up, be disabled or be deleted', async () => {
    const last = /keeps at least one administrator/
    const id = await idOf('First')
    const refused = await first.call('remove_administrator', { user_id: id })
    assert.equal(refused.status, 409)
    assert.match(await refused.text(), last)
    const { database, pool } = kit.database
    await assert.rejects(disableAccount(database, first.email), failsWith('conflict', last))
    const lone = await kit.signUp('Lone')
    await share(first, lone, { transfer_role: true })
    assert.deepEqual(
      await lone.data('preview_account_deletion').then(({ last_administrator }) => last_administrator),
      true,
    )
    await assert.rejects(
      deleteAccount(database, (await idOf('Lone')) as Parameters<typeof deleteAccount>[1]),
      failsWith('conflict', last),
    )
    await assert.rejects(pool.query('delete from administrators'), /keeps an administrator/)
    assert.equal(await pause(lone), 200)
    await backToFirst()
  })

  it('remains where two take the role from each other at the same moment', async () => {
    await share(first, second)
    const [one, other] = [await idOf('First'), await idOf('Second')]
    const answers = await Promise.all([
      first.call('remove_administrator', { user_id: other }),
      second.call('remove_administrator', { user_id: one }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403])
    assert.equal((await names(first)).length, 1)
    await backToFirst()
  })

  it('has a disabled one beside them counted for nothing', async () => {
    await share(first, second)
    await disableAccount(kit.database.database, second.email)
    assert.equal((await first.call('remove_administrator', { user_id: await idOf('First') })).status, 409)
    assert.equal((await second.call('list_keys')).status, 401)
    await backToFirst()
  })

  it('alone is given a provisioning key, which works while they are one', async () => {
    const person = await kit.signUp('Provisioner')
    const { database } = kit.database
    const wanted = { email: person.email, label: 'Terraform' }
    await assert.rejects(createProvisioningKey(database, wanted), failsWith('not_found', /No administrator/))
    await share(first, person)
    const key = await createProvisioningKey(database, wanted)
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_workspaces', arguments: {} } }
    const other = await kit.replica()
    const via = async (api: TestApi['api']) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
      const request = new Request('http://assay.test/api/mcp', { method: 'POST', headers, body: JSON.stringify(list) })
      return (await api.fetch(request)).status
    }
    assert.equal(await via(kit.api), 200)
    await first.data('remove_administrator', { user_id: await idOf('Provisioner') })
    // One that has not used the key in this minute.
    assert.equal(await via(other), 401)
    await other.close()
  })
})
