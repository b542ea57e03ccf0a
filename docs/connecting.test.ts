import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { serveForTests, startTestApi, type TestApi } from '../query-api/testing.ts'

/**
 * Every page of `docs/connecting/`, with its examples tried on the endpoint: only the address and the key are put in
 * their place.
 */

const FOLDER = new URL('connecting/', import.meta.url)
const ADDRESS = 'https://assay.example.com'
const KEY = /service_mcp_[0-9a-f]{32}|\$\{input:assay-key\}/g

let kit: TestApi
let server: Awaited<ReturnType<typeof serveForTests>>
let key: string

before(async () => {
  kit = await startTestApi()
  server = await serveForTests(kit.api.fetch)
  const person = await kit.signUp()
  key = (await person.data<{ key: string }>('create_key', { label: 'Documentation' })).key
})
after(async () => {
  server.stop()
  await kit.stop()
})

const pages = readdirSync(FOLDER).filter(name => name.endsWith('.md'))
const textOf = (page: string) => readFileSync(new URL(page, FOLDER), 'utf8')

/** The blocks of a page in a language, made to work here. */
const blocks = (page: string, language: string): string[] =>
  [...textOf(page).matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) =>
    block.replaceAll(ADDRESS, server.origin).replaceAll(KEY, key),
  )

interface Entry {
  readonly url?: string
  readonly headers?: Record<string, string>
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const entriesOf = (page: string): Entry[] =>
  blocks(page, 'json').flatMap(block => {
    const { mcpServers, servers } = JSON.parse(block)
    return Object.values<Entry>(mcpServers ?? servers)
  })

/** What a program between them is told, as the URL and the header that it sends. */
const reached = ({ url, headers, args = [], env = {} }: Entry) => {
  const [name, variable] = /^(\w+):\$\{(\w+)\}$/.exec(args.at(-1) ?? '')?.slice(1) ?? []
  return {
    url: url ?? args.find(argument => argument.startsWith('http')) ?? '',
    headers: headers ?? { [name ?? '']: env[variable ?? ''] ?? '' },
  }
}

const connects = async ({ url, headers }: { readonly url: string; readonly headers: Record<string, string> }) => {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  // The SDK's class declares `sessionId` wider than its own interface does under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client['connect']>[0])
  const { tools } = await client.listTools()
  assert.equal(tools.length, 8)
  const { isError } = await client.callTool({ name: 'service_orient', arguments: { mode: 'snapshot' } })
  assert.notEqual(isError, true)
  await client.close()
}

for (const page of pages.filter(name => textOf(name).includes('```json'))) {
  test(`${page}: every configuration connects, lists the tools and calls one`, async () => {
    for (const entry of entriesOf(page)) await connects(reached(entry))
  })
}

test('codex.md: the configuration connects with the key of the variable', async () => {
  const [block = ''] = blocks('codex.md', 'toml')
  const url = /^url = "(.+)"$/m.exec(block)?.[1] ?? ''
  assert.match(block, /^bearer_token_env_var = "ASSAY_KEY"$/m)
  await connects({ url, headers: { Authorization: `Bearer ${key}` } })
})

test('claude-code.md: the command names the URL and the header', async () => {
  const [command = ''] = blocks('claude-code.md', 'sh')
  const [, url = '', header = ''] = /^claude mcp add --transport http assay (\S+) --header "(.+)"$/m.exec(command) ?? []
  const [name = '', value = ''] = header.split(': ')
  await connects({ url, headers: { [name]: value } })
})

test('other-clients.md: each curl is answered a result', async () => {
  const commands = blocks('other-clients.md', 'sh')
  assert.equal(commands.length, 2)
  for (const command of commands) {
    const { stdout } = await promisify(execFile)('sh', ['-c', command])
    const { result } = JSON.parse(stdout)
    assert.ok(result && result.isError === undefined, stdout)
  }
})

test('the overview links every page', () => {
  const linked = [...textOf('README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => page)
  assert.deepEqual(linked.toSorted(), pages.filter(page => page !== 'README.md').toSorted())
})
