import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { accountRequest, type Person, startTestApi, TEST_BASE_URL, TEST_PASSWORD, type TestApi } from '../testing.ts'
import { disableAccount, enableAccount } from './operator.ts'

let kit: TestApi
let administrator: Person
let member: Person
before(async () => {
  kit = await startTestApi()
  administrator = await kit.signUp('Ada')
  member = await kit.signUp('=Mel')
})
after(() => kit.stop())

interface Entry {
  readonly action: string
  readonly by_kind: string
  readonly by_name: string
  readonly subject: string | null
  readonly detail: Record<string, unknown>
  readonly client_address: string | null
  readonly workspace_name: string | null
}
const log = async (input: object = {}): Promise<Entry[]> =>
  (await administrator.data<{ items: Entry[] }>('list_audit_log', { limit: 100, ...input })).items

const ask = (path: string, body: object, { cookie }: Pick<Person, 'cookie'> = { cookie: '' }) =>
  kit.api.fetch(accountRequest(path, body, { cookie, headers: { [CLIENT_ADDRESS_HEADER]: '198.51.100.7' } }))

it('tells who did what to whom, in the workspace and in the installation', async () => {
  const { id } = await member.data<{ id: string }>('create_key', { label: 'My agent' })
  await member.data('delete_key', { id })
  await member.data('invite_member', { label: 'Kim', role: 'viewer' })
  await member.data('set_workspace_rules', { learns: false })
  await disableAccount(kit.database.database, member.email)
  await enableAccount(kit.database.database, member.email)
  member = await kit.signIn(member.email)
  const told = (await log()).map(({ action, by_kind, by_name, subject }) => [action, by_kind, by_name, subject])
  for (const entry of [
    ['create_key', 'person', '=Mel', 'My agent'],
    // The key is gone: its name is that of the entry before.
    ['delete_key', 'person', '=Mel', 'My agent'],
    ['invite_member', 'person', '=Mel', 'Kim'],
    ['set_workspace_rules', 'person', '=Mel', null],
    ['disabled', 'operator', '', '=Mel'],
    ['enabled', 'operator', '', '=Mel'],
    ['made_administrator', 'installation', '', 'Ada'],
  ])
    assert.ok(
      told.some(each => JSON.stringify(each) === JSON.stringify(entry)),
      JSON.stringify([entry, told]),
    )
})

it('is part of the write: one that fails leaves nothing', async () => {
  const before = await log({ actions: ['change_role'] })
  const session = (await (await kit.api.fetch(accountRequest('get-session', undefined, member))).json()) as {
    user: { id: string }
  }
  const refused = await member.call('change_role', { user_id: session.user.id, role: 'viewer' })
  assert.equal(refused.status, 409)
  assert.deepEqual(await log({ actions: ['change_role'] }), before)
})

it('tells of sign-ins, and of those that fail: whose account and from where, never what was typed', async () => {
  const secret = 'my-secret-typed-into-the-wrong-field'
  await ask('sign-in/email', { email: member.email, password: 'wrong password' })
  await ask('sign-in/email', { email: `${secret}@example.com`, password: secret })
  await ask('sign-in/email', { email: member.email, password: TEST_PASSWORD })
  const entries = await log({ actions: ['signed_in', 'sign_in_failed'] })
  const [signedIn, unknown, failed] = entries
  assert.deepEqual(
    [signedIn?.action, signedIn?.by_name, signedIn?.detail, signedIn?.client_address],
    ['signed_in', '=Mel', { method: 'password' }, '198.51.100.7'],
  )
  assert.deepEqual(
    [unknown?.by_kind, unknown?.subject, unknown?.detail.reason],
    ['nobody', null, 'INVALID_EMAIL_OR_PASSWORD'],
  )
  assert.deepEqual([failed?.by_kind, failed?.subject], ['nobody', '=Mel'])
  const { rows } = await kit.database.pool.query('select * from audit_log')
  assert.doesNotMatch(JSON.stringify(rows), /my-secret|wrong password|correct horse/)
})

it('tells what a person does with their own account', async () => {
  await ask('update-user', { name: 'Mel' }, member)
  await ask('change-email', { newEmail: administrator.email, password: TEST_PASSWORD }, member)
  await ask('change-email', { newEmail: 'mel@example.com', password: TEST_PASSWORD }, member)
  await ask('sign-out', {}, member)
  member = await kit.signIn('mel@example.com')
  const mine = await log({ query: 'mel@example.com' })
  assert.deepEqual(
    mine.slice(0, 5).map(({ action }) => action),
    // An address that somebody else has changed nothing.
    ['signed_in', 'signed_out', 'address_changed', 'address_change_asked', 'name_changed'],
  )
})

it('is added to and nothing else, by any role of the programs and by whoever owns it', async () => {
  const { database, pool } = kit.database
  for (const statement of ['delete from audit_log', `update audit_log set by_name = 'x'`, 'truncate audit_log']) {
    await assert.rejects(pool.query(statement), /added to and nothing else/)
    await assert.rejects(database.transaction({ role: 'assay_accounts' }, tx => tx.query(statement)))
  }
  const { rows } = await pool.query(
    `select grantee || ' ' || privilege_type as may from information_schema.role_table_grants
     where table_name = 'audit_log' and grantee like 'assay\\_%' order by 1`,
  )
  assert.deepEqual(
    rows.map(({ may }) => may),
    ['assay_accounts INSERT', 'assay_accounts SELECT', 'assay_app INSERT', 'assay_sandbox INSERT'],
  )
})

it('shows those of a workspace what was removed from it and by whom, and nothing else', async () => {
  const { database, pool } = kit.database
  const { rows: all } = await pool.query('select workspace_id, action from audit_log where workspace_id is not null')
  const { workspace_id: workspaceId } = all[0]
  await pool.query(
    `insert into audit_log (id, workspace_id, action, by_kind) values (gen_random_uuid(), $1, 'delete_source', 'person')`,
    [workspaceId],
  )
  const inWorkspace = (statement: string) =>
    database.transaction({ role: 'assay_app', workspaceId }, transaction => transaction.query<Entry>(statement))
  const shown = await inWorkspace('select action from audit_log')
  assert.deepEqual([...new Set(shown.map(({ action }) => action))], ['delete_source'])
  assert.ok(all.some(({ action }) => action === 'create_key'))
  for (const column of ['detail', 'client_address', 'by_id'])
    await assert.rejects(inWorkspace(`select ${column} from audit_log`), ({ cause }: Error) =>
      /permission denied/.test(String(cause)),
    )
})

it('is for administrators alone, page by page and as a file in which no name is a formula', async () => {
  assert.equal((await member.call('list_audit_log')).status, 403)
  const take = (format: string, who: Person) =>
    kit.api.fetch(
      new Request(`${TEST_BASE_URL}/api/files/audit-log?format=${format}`, { headers: { cookie: who.cookie } }),
    )
  assert.equal((await take('csv', member)).status, 403)
  assert.equal((await take('xlsx', administrator)).status, 400)
  const csv = await (await take('csv', administrator)).text()
  assert.match(csv, /^at,action,by_kind,/)
  assert.match(csv, /,'=Mel,/)
  const lines = (await (await take('jsonl', administrator)).text()).trimEnd().split('\n')
  const count = (await administrator.data<{ count: number }>('list_audit_log')).count
  assert.equal(lines.length, count)
  assert.equal(JSON.parse(lines.at(-1) ?? '').action, 'audit_log_taken')
  const pages: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const answer = await administrator.call('list_audit_log', { limit: 7, ...(cursor && { cursor }) })
    const { data, meta } = (await answer.json()) as { data: { items: { id: string }[] }; meta: { next_cursor: string } }
    pages.push(...data.items.map(({ id }) => id))
    cursor = meta.next_cursor
  }
  assert.equal(new Set(pages).size, count)
})
