import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { type Agent, agentOf } from '../support/agent.ts'
import { type EmbeddedInstallation, startInstallation } from '../support/installation.ts'
import { type CreatedSource, type Person, signUp } from '../support/person.ts'
import { addOperation, addSourceKind, addStep } from './additions.ts'
import { type Copy, copyRepository } from './copy.ts'

interface Trace {
  readonly steps: readonly { readonly step: string; readonly outcome: string; readonly reason: string | null }[]
}

const QUIET = ['--disable-warning=ExperimentalWarning']
/** Those that go over every step, kind of source and operation, as far as they want no database. */
const TESTS_OVER_ALL = [
  'schemas/events/avro.test.ts',
  'processors/topology.test.ts',
  'ingest/receivers/every-receiver.test.ts',
  'query-api/tools/tools.test.ts',
]

/** What CONTRIBUTING.md says about adding a part is done to a copy, which is then run. */
describe('A part that is added as the guide says', { timeout: 300_000 }, () => {
  let copy: Copy
  let installation: EmbeddedInstallation
  let person: Person
  let agent: Agent
  const files = new Map<string, readonly string[]>()

  before(async () => {
    copy = await copyRepository()
    for (const [part, add] of Object.entries({ step: addStep, kind: addSourceKind, operation: addOperation })) {
      await add(copy)
      files.set(part, copy.touched())
    }
    installation = await startInstallation({}, { repository: copy.directory })
    person = await signUp(installation.baseUrl)
    agent = await agentOf(person)
  })
  after(async () => {
    await agent?.close()
    await installation?.remove()
    await copy?.remove()
  })

  it('takes a few files: a step six, a kind of source six, an operation four', () => {
    const counts = [...files].map(([part, paths]) => [part, paths.length])
    assert.deepEqual(counts, [
      ['step', 6],
      ['kind', 6],
      ['operation', 4],
    ])
  })

  it('is known to the type checker', async () => {
    await copy.run(['node_modules/typescript-native/bin/tsc', '--checkers', '1'])
  })

  it('changes no test that was there', async () => {
    // What `npm run docs` does of it: the rest of the reference is made of a database.
    const freeze = `import { writeFileSync } from 'node:fs'
      import { newVersions } from './docs/frozen-schemas.ts'
      for (const [path, text] of Object.entries(newVersions())) writeFileSync(path, text)`
    await copy.run([...QUIET, '--input-type=module', '--eval', freeze])
    // In one process: to start one and to import what they share takes longer than they do.
    await copy.run([...QUIET, '--test', '--experimental-test-isolation=none', ...TESTS_OVER_ALL])
  })

  it('is a kind of source that people connect, a step that signals pass, and an operation that agents call', async () => {
    const source = await person.call<CreatedSource>('create_source', { kind: 'postcard', name: 'The letter box' })
    const sent = await fetch(source.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${source.secret}` },
      body: JSON.stringify({ text: 'The export to CSV fails with error 402 for large boards' }),
    })
    assert.equal(sent.status, 200, await sent.clone().text())
    const { snippet_id: id } = (await sent.json()) as { snippet_id: string }
    const { data } = await eventually(
      'the trace shows what the step came to',
      async () => {
        const answer = await agent.call<Trace>('trace_signal', { id })
        assert.ok(answer.data.steps.some(({ step }) => step === 'cluster'))
        return answer
      },
      60_000,
    )
    const measured = data.steps.find(({ step }) => step === 'measure')
    assert.deepEqual([measured?.outcome, measured?.reason], ['next', 'short'])

    const counted = await agent.call<{ sources: number }>('service_orient', { mode: 'tally' })
    assert.equal(counted.data.sources, 1)
  })
})
