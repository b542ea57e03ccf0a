import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createBodyBudget } from '../http/body-budget.ts'
import { createAgentCall } from '../mcp/strangers-marks.ts'
import { createSurface } from '../mcp/surface.ts'
import { createToolCall } from '../mcp/tool-call.ts'
import { tools } from '../tools/index.ts'
import { registry } from './registry.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from './testing.ts'

const TAGS = Array.from('obey', letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u

let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
})
after(() => kit.stop())

it('what a member or an agent writes is stored without what nobody sees', async () => {
  await workspace.inApp('add_map_node', {
    name: `Exports${TAGS}`,
    description: `All\u202e of them\u202c`,
    examples: [`One\u200b`],
  })
  const { rows } = await kit.database.pool.query(
    'select name, description, examples from map_nodes where workspace_id = $1',
    [workspace.id],
  )
  assert.deepEqual(rows, [{ name: 'Exports', description: 'All of them', examples: ['One'] }])
})

it('a name of nothing but that is refused', () =>
  assert.rejects(workspace.inApp('add_map_node', { name: TAGS }), failsWith('invalid_input')))

it('a captured signal of nothing but that is refused', () =>
  assert.rejects(
    workspace.call('service_capture', 'signal', { text: `${TAGS}\u200b` }),
    failsWith('invalid_input', /\/text must/),
  ))

it('an agent reads nothing hidden of a row that was stored before', async () => {
  const signal = await workspace.signal({ text: `The export hangs.${TAGS}\u202e`, source: `desk\u200b` })
  const toolCall = createToolCall(
    createSurface(tools, registry.values()),
    createAgentCall((operation, { input }) => workspace.run(operation, input), createBodyBudget()),
  )
  const params = { name: 'service_lookup', arguments: { mode: 'signal', id: signal.id, depth: 'full' } }
  const answer = JSON.stringify(
    await toolCall({ caller: workspace.caller, params, idempotencyKey: null, bodyBytes: 0 }),
  )
  assert.match(answer, /The export hangs\./)
  assert.doesNotMatch(answer, HIDDEN)
})
