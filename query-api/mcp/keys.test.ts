import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApi, TEST_BASE_URL, type TestApi } from '../testing.ts'
import { exampleOperations, exampleTools } from './example-tools.ts'

/** What a key opens, and how long. */
let kit: TestApi
let authorization: Record<string, string>

before(async () => {
  kit = await startTestApi({ operations: exampleOperations, tools: exampleTools })
  const person = await kit.signUp()
  const { key } = await person.data<{ key: string }>('create_key', { label: 'Test' })
  authorization = { authorization: `Bearer ${key}` }
})
after(() => kit.stop())

interface Reply {
  readonly result?: { readonly structuredContent?: unknown }
}
// The tests say what they expect of the JSON.
const reply = async (response: Response) => (await response.json()) as Reply

const callOf = (name: string, args?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

test('a key works in its own workspace alone, whatever the request names', async () => {
  await kit.rpc(callOf('add_node', { name: 'Of the first' }), authorization)
  const other = await kit.signUp('Other')
  const { key } = await other.data<{ key: string }>('create_key', { label: 'Other' })
  const first = (await reply(await kit.rpc(callOf('list_nodes'), authorization))).result?.structuredContent
  // The shape is asserted right here.
  const { meta } = first as { meta: { workspace: string } }
  const headers = { authorization: `Bearer ${key}`, 'x-workspace-id': meta.workspace }
  const seen = (await reply(await kit.rpc(callOf('list_nodes'), headers))).result?.structuredContent
  const { data, meta: otherMeta } = seen as { data: unknown; meta: { workspace: string } }
  assert.deepEqual(data, { items: [] })
  assert.notEqual(otherMeta.workspace, meta.workspace)
})

test('a key works at once everywhere, and once it is deleted nowhere after a minute, whichever program is asked', async () => {
  let now = Date.now()
  const replica = await kit.replica({ now: () => new Date(now) })
  const person = await kit.signUp('Replicated')
  const ask = (authorization: string) =>
    replica.fetch(
      new Request(`${TEST_BASE_URL}/api/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify(callOf('list_nodes')),
      }),
    )
  const unknown = `Bearer service_mcp_${'0'.repeat(32)}`
  assert.equal((await ask(unknown)).status, 401)
  const { id, key } = await person.data<{ id: string; key: string }>('create_key', { label: 'Everywhere' })
  assert.equal((await ask(`Bearer ${key}`)).status, 200)
  await person.data('delete_key', { id })
  assert.equal((await kit.rpc(callOf('list_nodes'), { authorization: `Bearer ${key}` })).status, 401)
  now += 60_000
  assert.equal((await ask(`Bearer ${key}`)).status, 401)
  // The same hash, as the key's own digits would be guessed.
  await kit.database.pool.query(
    `insert into mcp_keys (id, workspace_id, owner_id, label, hash, last_four, scope)
     select gen_random_uuid(), workspace_id, user_id, 'Late', sha256(convert_to($1, 'UTF8')), '0000', 'workspace'
     from members limit 1`,
    [unknown.slice(7)],
  )
  assert.equal((await ask(unknown)).status, 200)
  await replica.close()
})

test('a key has its owner’s role of the moment, and dies with the membership', async () => {
  const owner = await kit.signUp('Changing')
  const { pool } = kit.database
  const keyOf = async (label: string) => {
    const { key } = await owner.data<{ key: string }>('create_key', { label })
    return { authorization: `Bearer ${key}` }
  }
  const setRole = (role: string) =>
    pool.query('update members set role = $1 from account_users where account_users.id = user_id and email = $2', [
      role,
      owner.email,
    ])
  const [asViewer, removed] = [await keyOf('viewer'), await keyOf('removed')]
  await setRole('viewer')
  const refused = await reply(await kit.rpc(callOf('add_node', { name: 'x' }), asViewer))
  assert.match(JSON.stringify(refused.result), /needs the role member in this workspace; yours is viewer/)
  await pool.query('delete from members using account_users where account_users.id = user_id and email = $1', [
    owner.email,
  ])
  assert.equal((await kit.rpc(callOf('list_nodes'), removed)).status, 401)
})
