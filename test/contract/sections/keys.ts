import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { type CreatedKey, createKey, type Person, signUp } from '../../support/person.ts'
import { holds } from '../holds.ts'
import { bearing, request, rpc, toolCall } from '../rpc.ts'
import type { Beginning, World } from '../world.ts'

interface ListedKey {
  readonly id: string
  readonly label: string
  readonly scope: string
}

const CONNECTIONS = { mode: 'connections' }
const LOOK = toolCall('service_orient', CONNECTIONS)

/** Somebody who may read in the world's workspace and no more, with a key. */
const inviteViewer = async ({ baseUrl, person }: World): Promise<{ viewer: Person; key: CreatedKey }> => {
  const { url } = await person.call<{ url: string }>('invite_member', { label: 'A reader', role: 'viewer' })
  const guest = await signUp(baseUrl)
  const token = /[^/#=?]+$/.exec(url)?.[0]
  const { workspace_id } = await guest.call<{ workspace_id: string }>('accept_invitation', { token })
  const viewer = guest.inWorkspace(workspace_id)
  return { viewer, key: await createKey(viewer) }
}

export const describeKeys = ({ world, early }: Beginning): void => {
  const ask = (message: object, key: string) => rpc(world().baseUrl, message, { headers: bearing(key) })
  const keys = async () => (await world().person.call<{ items: ListedKey[] }>('list_keys')).items
  const reading = early(inviteViewer)

  describe('An MCP key', () => {
    const elsewhere = early(async ({ person, send }) => {
      const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Elsewhere' })
      const snippet = await send({ text: 'Only one workspace has this sentence about marmalade.' })
      return { snippet, key: await createKey(person.inWorkspace(id)) }
    })

    holds('object-1', async () => {
      await world().signal(elsewhere().snippet)
      const { body } = await ask(
        toolCall('service_lookup', { mode: 'signal', id: elsewhere().snippet }),
        elsewhere().key.key,
      )
      assert.equal(body?.result?.isError, true)
      assert.doesNotMatch(JSON.stringify(body), /marmalade/)
    })
    holds('object-2', async () =>
      assert.equal((await keys()).find(({ id }) => id === world().key.id)?.label, 'Planning agent'),
    )
    holds('object-3', async () => assert.ok(!JSON.stringify(await keys()).includes(world().key.key)))
    holds('object-4', () => assert.match(world().key.key, /^service_mcp_[0-9a-f]{32}$/))
    holds('object-5', async () => {
      assert.equal((await keys()).find(({ id }) => id === world().key.id)?.scope, 'workspace')
      await assert.rejects(world().person.call('create_key', { label: 'More', scope: 'provisioning' }), /scope/)
    })
  })

  describe('Keys and the people who own them', () => {
    const revoked = early(async ({ baseUrl, person }) => {
      const key = await createKey(person)
      const before = await rpc(baseUrl, LOOK, { headers: bearing(key.key) })
      await person.call('delete_key', { id: key.id })
      return { key, before }
    })

    holds('auth-1', async () => {
      const response = await fetch(`${world().baseUrl}/api/app/create_key`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: world().baseUrl },
        body: '{"label":"Of nobody"}',
      })
      assert.equal(response.status, 401)
    })
    holds('auth-2', async () => {
      const newcomer = await signUp(world().baseUrl)
      assert.equal((await ask(LOOK, (await createKey(newcomer)).key)).status, 200)
    })
    holds('auth-3', async () => {
      const { body: listed } = await rpc(world().baseUrl, request('tools/list'), { query: '?surface=full' })
      assert.doesNotMatch(JSON.stringify(listed?.result), /"create_key"/)
      const { body } = await ask(toolCall('create_key', { label: 'By a program' }), world().key.key)
      assert.equal(body?.error?.code, -32602)
      const response = await fetch(`${world().baseUrl}/api/app/create_key`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: world().baseUrl, ...bearing(world().key.key) },
        body: '{"label":"By a program"}',
      })
      assert.equal(response.status, 401)
    })
    holds('auth-4', async () => {
      const { person, agent } = world()
      const seen = await person.call<{ items: { id: string }[] }>('list_sources')
      const { data } = await agent.call<{ items: { id: string }[] }>('service_orient', CONNECTIONS)
      const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id).toSorted()
      assert.deepEqual(ids(data.items), ids(seen.items))
    })
    holds('auth-5', async () => {
      const { key, viewer } = reading()
      assert.equal((await ask(LOOK, key.key)).status, 200)
      const write = { title: 'By a reader', comment: 'It is not theirs to do.' }
      const { body } = await ask(toolCall('service_decide', { mode: 'create_solution', ...write }), key.key)
      assert.equal(body?.result?.isError, true, JSON.stringify(body))
      await assert.rejects(viewer.call('create_solution', write), /403/)
    })
    holds('auth-6', async () => {
      const item = (await keys()).find(({ id }) => id === world().key.id) ?? assert.fail()
      const [, secret = ''] = /_([0-9a-f]{32})$/.exec(world().key.key) ?? []
      assert.ok(!JSON.stringify(item).includes(secret.slice(0, 28)))
    })
    holds('auth-7', async () => {
      const { baseUrl } = world()
      const paths = ['oauth-authorization-server', 'openid-configuration'].map(name => `/.well-known/${name}`)
      const closed = [...paths, '/register', '/oauth/register', '/oauth/token', '/authorize', '/api/agent/claim']
      for (const path of closed) assert.equal((await fetch(`${baseUrl}${path}`)).status, 404, path)
      for (const name of ['oauth-protected-resource', 'mcp.json']) {
        const document = await (await fetch(`${baseUrl}/.well-known/${name}`)).text()
        assert.doesNotMatch(document, /agent_auth|authorization_servers|registration_endpoint|token_endpoint/)
      }
    })
    holds('auth-8', async () => assert.equal((await ask(LOOK, (await createKey(world().person)).key)).status, 200))
    holds('auth-9', async () => {
      const key = await createKey(world().person)
      await world().person.call('delete_key', { id: key.id })
      assert.ok(!(await keys()).some(({ id }) => id === key.id))
    })
    holds('auth-10', async () => {
      const { id, key } = world().key
      const { body } = await ask(toolCall('delete_key', { id }), key)
      assert.equal(body?.error?.code, -32602)
      assert.equal((await ask(LOOK, key)).status, 200)
    })
    holds('auth-11', async () => {
      assert.equal(revoked().before.status, 200)
      await eventually('the deleted key is refused', async () => (await ask(LOOK, revoked().key.key)).status === 401)
    })
  })
}
