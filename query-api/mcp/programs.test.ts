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
const NO_TASKS = 'An extension: what takes long answers at once, and its progress is an object that is read by its id.'
const NO_HEADERS = 'No argument is repeated in a header.'

/** The scenarios whose checks fail, as this server does not serve what they try, nor says that it does; and why. */
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
  'input-required-result-basic-elicitation': ASKS_NOTHING,
  'input-required-result-basic-sampling': ASKS_NOTHING,
  'input-required-result-basic-list-roots': ASKS_NOTHING,
  'input-required-result-request-state': ASKS_NOTHING,
  'input-required-result-multiple-input-requests': ASKS_NOTHING,
  'input-required-result-multi-round': ASKS_NOTHING,
  'input-required-result-non-tool-request': ASKS_NOTHING,
  'input-required-result-result-type': ASKS_NOTHING,
  'input-required-result-tampered-state': ASKS_NOTHING,
  'input-required-result-capability-check': ASKS_NOTHING,
  'server-stateless': `${ASKS_NOTHING} Two of its checks need a tool that does.`,
  'http-header-validation':
    'One of its checks calls the first tool without arguments, and every tool here needs a mode.',
  'http-custom-header-server-validation': NO_HEADERS,
  'tasks-lifecycle': NO_TASKS,
  'tasks-capability-negotiation': NO_TASKS,
  'tasks-wire-fields': NO_TASKS,
  'tasks-request-state-removal': NO_TASKS,
  'tasks-mrtr-input': NO_TASKS,
  'tasks-request-headers': NO_TASKS,
  'tasks-dispatch-and-envelope': NO_TASKS,
  'tasks-required-task-error': NO_TASKS,
  'tasks-mrtr-composition': NO_TASKS,
}

/** The checks of each scenario that the suite requires of a revision: how many passed, and how many failed. */
const conformance = async (revision: string) => {
  // It ends with 1 when a scenario fails, as those that are not served do.
  const { stdout } = await node([
    CONFORMANCE,
    'server',
    '--url',
    listener.urlWithKey,
    '--requirements',
    revision,
  ]).catch((ended: { readonly stdout: string }) => ended)
  const lines = stdout.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)
  return [...lines].map(([, scenario = '', passed, failed]) => ({
    scenario,
    passed: Number(passed),
    failed: Number(failed),
  }))
}

for (const [revision, expected] of [
  ['2025-11-25', 20],
  ['2026-07-28', 23],
] as const)
  test(`every scenario that revision ${revision} requires passes, but for those that are listed with why they are not served`, async t => {
    const found = await conformance(revision)
    const failing = found.filter(({ failed }) => failed > 0)
    for (const { scenario } of failing) t.diagnostic(`${scenario}: ${NOT_SERVED[scenario] ?? 'FAILED'}`)
    assert.deepEqual(
      failing.filter(({ scenario }) => NOT_SERVED[scenario] === undefined),
      [],
    )
    assert.equal(found.length - failing.length, expected)
    const failedOf = (name: string) => found.find(({ scenario }) => scenario === name)?.failed ?? 0
    assert.ok(failedOf('server-stateless') <= 2)
    assert.ok(failedOf('http-header-validation') <= 1)
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
