import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AssayError, isAssayError } from '../../infra/runtime/errors.ts'
import { createBodyBudget } from '../http/body-budget.ts'
import { registry } from '../operations/registry.ts'
import { type OperationsKit, startOperations, type Workspace } from '../operations/testing.ts'
import { prompts } from '../prompts/index.ts'
import { resources } from '../resources/index.ts'
import { tools } from '../tools/index.ts'
import { encodeResponse } from './messages.ts'
import { createMethods } from './methods.ts'
import { createAgentCall } from './strangers-marks.ts'
import { createSurface } from './surface.ts'

let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
})
after(() => kit.stop())

/** What a client is answered, as JSON, with the workspace's key or without one. */
const asked = async (method: string, params: object = {}, of: Workspace | null = workspace) => {
  const answer = createMethods({
    surface: createSurface(tools, registry.values()),
    prompts,
    resources,
    agentCall: createAgentCall((operation, { input }) => {
      assert.ok(of)
      return of.run(operation, input)
    }, createBodyBudget()),
    version: '0',
  })
  const caller = async () => of?.caller ?? Promise.reject(new AssayError('unauthorized', 'Invalid or missing API key'))
  const facts = { surface: null, idempotencyKey: null, stateless: false, bodyBytes: 0, caller }
  const response = await answer({ id: 1, method, params: { ...params } }, facts)
  // The tests say what they expect of the JSON.
  return JSON.parse(encodeResponse(response).toString()).result as ReturnType<typeof JSON.parse>
}

const refusedWith =
  (code: string, message = /./) =>
  (error: unknown): boolean =>
    isAssayError(error) && error.code === code && message.test(error.publicMessage)

test('prompts need no key, take their arguments, and name calls that exist', async () => {
  const { prompts: listed } = await asked('prompts/list', {}, null)
  const names = listed.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, ['triage_inbox', 'prepare_review', 'explain_board', 'connect_source'])
  for (const { name, arguments: all } of prompts) {
    const every = Object.fromEntries(all.map(argument => [argument.name, 'given words']))
    const needed = Object.fromEntries(all.flatMap(({ name, required }) => (required ? [[name, 'given words']] : [])))
    for (const given of [every, needed]) {
      const { messages } = await asked('prompts/get', { name, arguments: given }, null)
      const { text } = messages[0].content
      if (Object.keys(given).length > 0) assert.match(text, /given words/)
      for (const [, tool, mode] of text.matchAll(/(service_\w+) mode (\w+)/g))
        assert.ok(mode in (tools.find(each => each.name === tool)?.modes ?? {}), `${tool} mode ${mode}`)
    }
  }
  const refused = (params: object) => asked('prompts/get', params, null)
  await assert.rejects(refused({ name: 'connect_source' }), refusedWith('invalid_input', /"what" is required/))
  await assert.rejects(refused({ name: 'nothing' }), refusedWith('invalid_input', /one of triage_inbox/))
  const other = { name: 'triage_inbox', arguments: { colour: 'red' } }
  await assert.rejects(refused(other), refusedWith('invalid_input', /takes about/))
  const number = { name: 'triage_inbox', arguments: { about: 5 } }
  await assert.rejects(refused(number), refusedWith('invalid_input', /must be a text/))
})

test('resources are listed and read with a key, a document whole, a claim with marks; without one only what is fixed', async () => {
  const signal = await workspace.signal({ text: 'The export hangs.' })
  const claim = await workspace.claim('The export hangs', [signal])
  const markdown = Array.from({ length: 3000 }, (_, line) => `Line ${line} of the plan.`).join('\n')
  const { solution } = (
    await workspace.inApp('create_solution', {
      title: 'Mend it',
      claim_ids: [claim.id],
      comment: 'Agreed.',
    })
  ).data as { solution: { id: string; reference: string } }
  await workspace.inApp('edit_living_document', { solution_id: solution.id, markdown, comment: 'Planned.' })
  await workspace.inApp('add_map_node', { name: 'Exports' })

  const uris = async (of: Workspace | null) =>
    (await asked('resources/list', {}, of)).resources.map(({ uri }: { uri: string }) => uri)
  assert.deepEqual(await uris(null), ['assay://map'])
  assert.deepEqual(await uris(workspace), ['assay://map', `assay://claims/${claim.reference}`])
  const { resourceTemplates } = await asked('resources/templates/list', {}, null)
  assert.equal(resourceTemplates.length, 2)

  const read = async (uri: string, of: Workspace | null = workspace) =>
    (await asked('resources/read', { uri }, of)).contents[0]
  const document = await read(`assay://solutions/${solution.reference}/living-document`)
  assert.equal(document.mimeType, 'text/markdown')
  assert.equal(document.text, markdown)
  assert.match((await read('assay://map')).text, /"name":"Exports"/)
  assert.match((await read(`assay://claims/${claim.reference}`)).text, /"title":"‹The export hangs›"/)

  await assert.rejects(read('assay://map', null), refusedWith('unauthorized'))
  await assert.rejects(read('assay://claims/CLM-99'), refusedWith('not_found'))
  await assert.rejects(read(`assay://claims/${claim.id}`, await kit.workspace()), refusedWith('not_found'))
  for (const uri of ['assay://elsewhere', 'assay://claims/', 'assay://claims/%', 'assay://claims/a/b', 5])
    await assert.rejects(read(uri as string), refusedWith('invalid_input', /must be one of assay:\/\/map/))
})

test('ids are completed to references, of what was typed or of what stands first', async () => {
  const complete = async (ref: object, name: string, value: string) =>
    (await asked('completion/complete', { ref, argument: { name, value } })).completion.values
  const claims = { type: 'ref/resource', uri: 'assay://claims/{id}' }
  assert.deepEqual(await complete(claims, 'id', ''), ['CLM-1'])
  assert.deepEqual(await complete(claims, 'id', 'expor'), ['CLM-1'])
  assert.deepEqual(await complete(claims, 'id', 'CLM-1'), ['CLM-1'])
  assert.deepEqual(await complete(claims, 'elsewhere', ''), [])
  assert.deepEqual(await complete({ type: 'ref/prompt', name: 'explain_board' }, 'solution', ''), ['SOL-1'])
  assert.deepEqual(await complete({ type: 'ref/prompt', name: 'connect_source' }, 'what', 'GIT'), ['github', 'gitea'])
  await assert.rejects(complete({ type: 'ref/elsewhere' }, 'id', ''), refusedWith('invalid_input', /ref\/prompt/))
  await assert.rejects(asked('completion/complete', {}), refusedWith('invalid_input', /"ref" must be/))
})
