import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe } from 'node:test'
import { connectAgent } from '../../support/agent.ts'
import { holds } from '../holds.ts'
import { answersOf, bearing, contentOf, request, resultOf, rpc, toolCall } from '../rpc.ts'
import type { Beginning } from '../world.ts'

interface Listed {
  readonly name: string
}

const LOOK = { mode: 'connections' }

export const describeEndpoint = ({ world }: Beginning): void => {
  describe('The MCP endpoint', () => {
    const ask = (message: object | string, headers: Readonly<Record<string, string>> = {}) =>
      rpc(world().baseUrl, message, { headers })
    const withKey = (message: object, headers: Readonly<Record<string, string>> = {}) =>
      ask(message, { ...bearing(world().key.key), ...headers })
    const listed = async (query = '') => {
      const { body } = await rpc(world().baseUrl, request('tools/list'), { query })
      return resultOf<{ tools: readonly Listed[] }>(body).tools.map(({ name }) => name)
    }

    holds('mcp-1', async () => assert.deepEqual((await ask(request('ping'))).body?.result, {}))
    holds('mcp-2', async () => {
      for (const id of ['a', 7]) {
        const { body, headers } = await ask(request('ping', {}, id))
        assert.deepEqual(body, { jsonrpc: '2.0', id, result: {} })
        assert.match(headers.get('content-type') ?? '', /^application\/json/)
      }
    })
    holds('mcp-3', async () => {
      const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
      const { status, body } = await ask(request('initialize', params))
      assert.equal(status, 200)
      assert.partialDeepStrictEqual(body?.result, { serverInfo: { name: 'assay' } })
    })
    holds('mcp-4', async () => {
      assert.ok((await ask(request('initialize', {}))).body?.result?.serverInfo)
      assert.ok((await ask(request('initialize'))).body?.result?.serverInfo)
    })
    holds('mcp-5', async () => assert.equal((await ask(request('ping', {}))).status, 200))
    holds('mcp-6', async () => {
      const { status, body } = await ask({ jsonrpc: '2.0', method: 'notifications/initialized' })
      assert.deepEqual([status, body], [202, null])
    })
    holds('mcp-7', async () => assert.equal((await ask(request('tools/list'))).status, 200))
    holds('mcp-8', async () =>
      assert.deepEqual((await listed()).toSorted(), [
        'service_analyze',
        'service_capture',
        'service_connect',
        'service_decide',
        'service_lookup',
        'service_map',
        'service_orient',
        'service_support',
      ]),
    )
    holds('mcp-9', async () => {
      const names = await listed('?surface=full')
      assert.ok(names.length > 30)
      assert.ok(names.includes('lookup_claim'))
    })
    holds('mcp-10', async () => {
      const shown = await listed()
      const hidden = (await listed('?surface=full')).filter(name => !shown.includes(name))
      const { body } = await withKey(toolCall('list_sources', {}))
      assert.ok(contentOf(body).data)
      // A batch has at most 50. What reaches a primitive is told which argument it does not know; what reaches none,
      // that it is none.
      for (let from = 0; from < hidden.length; from += 50) {
        const calls = hidden.slice(from, from + 50).map(name => toolCall(name, { no_such_field: 1 }, name))
        for (const answer of answersOf((await withKey(calls)).body)) {
          assert.match(answer?.error?.message ?? '', /no_such_field/, String(answer?.id))
        }
      }
    })
    holds('mcp-11', async () => {
      assert.equal((await ask(toolCall('service_orient', LOOK))).status, 401)
      assert.equal((await withKey(toolCall('service_orient', LOOK))).status, 200)
    })
    holds('mcp-12', async () => {
      const { body } = await withKey(toolCall('service_orient', LOOK))
      const { data } = contentOf<{ items: { id: string }[] }>(body)
      assert.ok(data.items.some(({ id }) => id === world().sources.signal.id))
    })
    holds('mcp-13', async () => {
      const capture = toolCall('service_capture', { mode: 'signal', text: 'A visitor says that the bell is silent.' })
      const once = { 'x-idempotency-key': 'the-bell' }
      const answers = [await withKey(capture, once), await withKey(capture, once)]
      const [first, second] = answers.map(({ body }) => contentOf<object>(body))
      assert.ok(JSON.stringify(first).includes('snippet_id'))
      assert.deepEqual(first?.data, second?.data)
    })
    holds('mcp-15', async () => {
      const agent = await connectAgent(world().baseUrl, world().key.key)
      try {
        const { tools } = await agent.client.listTools()
        assert.equal(tools.length, 8)
        await agent.call('service_orient', LOOK)
      } finally {
        await agent.close()
      }
    })
    holds('mcp-16', async () => {
      const page = readFileSync(new URL('../../../docs/connecting/claude-desktop.md', import.meta.url), 'utf8')
      const { mcpServers } = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? '')
      const { type, url, headers } = mcpServers.assay
      assert.deepEqual([type, new URL(url).pathname], ['http', '/api/mcp'])
      const mine = { authorization: headers.Authorization.replace(/service_mcp_\w+/, world().key.key) }
      assert.equal((await ask(toolCall('service_orient', LOOK), mine)).status, 200)
    })
    holds('version-1', async () => {
      assert.equal((await ask(request('initialize', {}))).body?.result?.protocolVersion, '2024-11-05')
      const newer = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
      assert.equal((await ask(request('initialize', newer))).body?.result?.protocolVersion, '2025-06-18')
    })
    holds('version-2', async () => {
      const manifest = await (await fetch(`${world().baseUrl}/.well-known/mcp.json`)).text()
      assert.equal(JSON.parse(manifest).transport, 'streamable-http')
    })
    holds('version-3', async () => {
      assert.deepEqual(await listed('?surface=default'), await listed())
      assert.ok((await listed('?surface=full')).length > (await listed()).length)
    })
  })
}
