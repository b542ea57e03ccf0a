import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startListener, type TestListener } from './testing-listener.ts'

/** Other people's programs that speak MCP, as they are installed, against the endpoint over HTTP. */

const run = promisify(execFile)
const require = createRequire(import.meta.url)
const CONFORMANCE = join(dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js')
const INSPECTOR = join(
  dirname(require.resolve('@modelcontextprotocol/inspector/package.json')),
  'clients/launcher/build/index.js',
)

let listener: TestListener
let home: string
before(async () => {
  listener = await startListener()
  home = await mkdtemp(join(tmpdir(), 'assay-programs-'))
})
after(async () => {
  await listener.stop()
  await rm(home, { recursive: true, force: true })
})

const node = (parameters: readonly string[]) =>
  // They keep notes in the home directory, and results where they are started.
  run(process.execPath, [...parameters], { cwd: home, env: { ...process.env, HOME: home } })

/**
 * The server scenarios of the suite that a server of tools alone can pass. Its other scenarios are of what this server does not declare:
 * resources, prompts, completion, logging, sampling, elicitation; tools that answer images, audio, resources, progress or log lines
 * (every answer here is `{data, meta}`); and streams, which a server without sessions has none of (GET is 405).
 */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'json-schema-2020-12',
  'dns-rebinding-protection',
]

for (const scenario of SCENARIOS) {
  test(`the conformance suite’s ${scenario} passes`, async () => {
    const { stdout } = await node([CONFORMANCE, 'server', '--url', listener.urlWithKey, '--scenario', scenario])
    assert.match(stdout, /Passed: ([1-9]\d*)\/\1, 0 failed/)
  })
}

const inspect = async (method: string, ...rest: readonly string[]) => {
  const header = ['--header', `Authorization: Bearer ${listener.key}`]
  const { stdout } = await node([
    INSPECTOR,
    '--cli',
    listener.url,
    '--transport',
    'http',
    ...header,
    '--method',
    method,
    ...rest,
  ])
  return JSON.parse(stdout)
}

test('the Inspector’s command line lists the tools and finds no fault with their schemas', async () => {
  const { tools } = await inspect('tools/list', '--strict')
  assert.deepEqual(
    tools.map(({ name }: { name: string }) => name),
    ['service_example'],
  )
})

test('the Inspector’s command line calls a tool', async () => {
  const called = ['--tool-name', 'service_example', '--tool-arg', 'mode=add', '--tool-arg', 'name=Export']
  const { structuredContent } = await inspect('tools/call', ...called)
  assert.equal(structuredContent.data.name, 'Export')
})
