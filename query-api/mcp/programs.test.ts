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

const NO_STREAM = 'An answer is one JSON document: nothing is sent before it or after it, and GET is 405.'
const ONLY_DATA = 'Every tool answers `{data, meta}`: no operation has pictures, sound or files to answer.'
const ASKS_NOTHING = 'No operation asks the client anything: who decides is a person, before the call.'

/** The scenarios of the suite that this server does not serve, and why. It declares none of them at initialize. */
const NOT_SERVED: Readonly<Record<string, string>> = {
  'logging-set-level': NO_STREAM,
  'tools-call-with-logging': NO_STREAM,
  'tools-call-with-progress': NO_STREAM,
  'resources-subscribe': NO_STREAM,
  'resources-unsubscribe': NO_STREAM,
  'tools-call-image': ONLY_DATA,
  'tools-call-audio': ONLY_DATA,
  'tools-call-embedded-resource': ONLY_DATA,
  'tools-call-mixed-content': ONLY_DATA,
  'tools-call-sampling': ASKS_NOTHING,
  'tools-call-elicitation': ASKS_NOTHING,
  'elicitation-sep1034-defaults': ASKS_NOTHING,
  'elicitation-sep1330-enums': ASKS_NOTHING,
}

/**
 * What the suite says of each scenario: passed, failed, or that a server without streams has nothing to check in it.
 */
const conformance = async (): Promise<ReadonlyMap<string, string>> => {
  // It ends with 1 when a scenario fails, as those that are not served do.
  const { stdout } = await node([CONFORMANCE, 'server', '--url', listener.urlWithKey, '--suite', 'all']).catch(
    (ended: { readonly stdout: string }) => ended,
  )
  const lines = stdout.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)
  return new Map(
    [...lines].map(([, scenario = '', passed, failed]) => [
      scenario,
      failed !== '0' ? 'failed' : passed === '0' ? 'nothing to check' : 'passed',
    ]),
  )
}

test('every scenario of the conformance suite passes, but for those that are listed with why they are not served', async t => {
  const found = await conformance()
  for (const [scenario, why] of Object.entries(NOT_SERVED)) t.diagnostic(`${scenario}: ${why}`)
  const those = (outcome: string) => [...found].flatMap(([scenario, each]) => (each === outcome ? [scenario] : []))
  assert.deepEqual(those('failed').toSorted(), Object.keys(NOT_SERVED).toSorted())
  assert.deepEqual(those('nothing to check'), ['server-sse-polling', 'server-sse-multiple-streams'])
  assert.equal(those('passed').length, 17)
})

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
