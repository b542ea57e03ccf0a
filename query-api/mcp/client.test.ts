import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { type Person, serveForTests, startTestApi, type TestApi } from '../testing.ts'
import { exampleOperations, exampleTools } from './example-tools.ts'

let kit: TestApi
let person: Person
let url: URL
let server: Awaited<ReturnType<typeof serveForTests>>

before(async () => {
  kit = await startTestApi({ operations: exampleOperations, tools: exampleTools })
  person = await kit.signUp()
  server = await serveForTests(kit.api.fetch)
  url = new URL(`${server.origin}/api/mcp`)
})
after(async () => {
  server.stop()
  await kit.stop()
})

const connect = async (key: string | null, version?: string) => {
  const client = new Client({ name: 'test', version: '1' })
  const headers = key === null ? {} : { Authorization: `Bearer ${key}` }
  // The SDK's class declares `sessionId` wider than its own interface does under exactOptionalPropertyTypes.
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as unknown as Parameters<
    Client['connect']
  >[0]
  if (version !== undefined) asOfVersion(transport, version)
  await client.connect(transport)
  return client
}

/** The client asks for its newest version; an older client is one that asks for its own. */
const asOfVersion = (transport: Parameters<Client['connect']>[0], version: string): void => {
  const send = transport.send.bind(transport)
  transport.send = (message, options) =>
    'method' in message && message.method === 'initialize'
      ? send({ ...message, params: { ...message.params, protocolVersion: version } }, options)
      : send(message, options)
  const use = transport.setProtocolVersion?.bind(transport)
  transport.setProtocolVersion = agreed => {
    assert.equal(agreed, version)
    use?.(agreed)
  }
}

for (const version of SUPPORTED_PROTOCOL_VERSIONS) {
  test(`the official client completes a session at ${version}`, async () => {
    const { key } = await person.data<{ key: string }>('create_key', { label: version })
    const client = await connect(key, version)
    try {
      await client.ping()
      assert.equal((await client.listTools()).tools.length, 1)
      const { structuredContent } = await client.callTool({ name: 'service_example', arguments: { mode: 'list' } })
      assert.ok(structuredContent)
    } finally {
      await client.close()
    }
  })
}

test('the official client connects, lists the tools and calls them, with answers that fit the declared schemas', async () => {
  const { key } = await person.data<{ key: string }>('create_key', { label: 'Client' })
  const client = await connect(key)
  try {
    assert.equal(client.getServerVersion()?.name, 'assay')
    assert.match(client.getInstructions() ?? '', /service_orient/)
    await client.ping()
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['service_example'],
    )

    const added = await client.callTool({ name: 'service_example', arguments: { mode: 'add', name: 'Export' } })
    assert.equal(added.isError, undefined)
    const { items } = await client.callTool({ name: 'service_example', arguments: { mode: 'list' } }).then(
      // The client has checked it against the tool's output schema.
      result => (result.structuredContent as { data: { items: string[] } }).data,
    )
    assert.deepEqual(items, ['Export'])

    const primitive = await client.callTool({ name: 'list_nodes', arguments: { limit: 1 } })
    // The text repeats the structured content for clients that do not know it.
    const [text] = primitive.content as { text: string }[]
    assert.deepEqual(JSON.parse(text?.text ?? ''), primitive.structuredContent)
  } finally {
    await client.close()
  }
})

test('the official client reads why a call failed', async () => {
  const { key } = await person.data<{ key: string }>('create_key', { label: 'Client' })
  const client = await connect(key)
  try {
    const refused = await client.callTool({ name: 'service_example', arguments: { mode: 'add', name: 'refused' } })
    assert.equal(refused.isError, true)
    assert.match(JSON.stringify(refused.content), /Choose another.*others/s)
    await assert.rejects(client.callTool({ name: 'service_example', arguments: { mode: 'fly' } }), {
      code: -32602,
      message: /must be one of list, add, clear/,
    })
  } finally {
    await client.close()
  }
})

test('without a key the official client connects and lists, and is refused at the first call', async () => {
  const client = await connect(null)
  try {
    assert.equal((await client.listTools()).tools.length, 1)
    await assert.rejects(client.callTool({ name: 'list_nodes', arguments: {} }), { code: 401 })
  } finally {
    await client.close()
  }
})

test('using a key shows in when it was last used', async () => {
  const { id, key } = await person.data<{ id: string; key: string }>('create_key', { label: 'Used' })
  const lastUsed = async () =>
    (await kit.database.pool.query('select last_used_at from mcp_keys where id = $1', [id])).rows[0].last_used_at
  assert.equal(await lastUsed(), null)
  const client = await connect(key)
  try {
    await client.callTool({ name: 'list_nodes', arguments: {} })
    assert.ok((await lastUsed()) instanceof Date)
  } finally {
    await client.close()
  }
})

test('a deleted key stops working at once', async () => {
  const { id, key } = await person.data<{ id: string; key: string }>('create_key', { label: 'Short-lived' })
  const client = await connect(key)
  try {
    await client.callTool({ name: 'list_nodes', arguments: {} })
    await person.data('delete_key', { id })
    await assert.rejects(client.callTool({ name: 'list_nodes', arguments: {} }), { code: 401 })
  } finally {
    await client.close()
  }
})
