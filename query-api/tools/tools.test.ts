import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { createSurface } from '../mcp/surface.ts'
import { registry } from '../operations/registry.ts'
import { recommend } from '../operations/snapshot/orient-snapshot.ts'
import { tools } from './index.ts'

/** The modes of the design, which a tool may have others beside. */
const MODES: Readonly<Record<string, readonly string[]>> = {
  service_orient: ['snapshot', 'changes', 'strategy', 'roadmap', 'connections'],
  service_lookup: [
    'claim',
    'solution',
    'signal',
    'map',
    'node',
    'context',
    'living_doc',
    'decision',
    'outcome',
    'backlog',
    'group',
    'search',
    'reference',
  ],
  service_capture: ['signal', 'knowledge', 'evidence'],
  service_decide: [
    'triage',
    'create_solution',
    'update_solution',
    'prioritize',
    'handoff',
    'outcome',
    'decision',
    'living_doc',
    'group',
    'strategy',
    'roadmap',
  ],
  service_map: ['read', 'add_node', 'update_node', 'move_node', 'remove_node', 'bind_metric', 'unbind_metric'],
  service_connect: ['list', 'find', 'create', 'update', 'test'],
  service_analyze: ['claims', 'solutions', 'activity', 'review'],
  service_support: ['diagnose', 'signal', 'pipeline', 'source'],
}

test('the default surface is the eight tools, in their order, with every mode', () => {
  assert.deepEqual(
    tools.map(({ name }) => name),
    Object.keys(MODES),
  )
  const missing = tools.flatMap(({ name, modes }) =>
    (MODES[name] ?? []).filter(mode => !(mode in modes)).map(mode => `${name} ${mode}`),
  )
  assert.deepEqual(missing, [])
})

test('what every agent reads at its start is small: 5,850 tokens of tools, 16 KB a schema, 2,048 characters a description', t => {
  const listed = createSurface(tools, registry.values()).lists.default
  let total = 0
  for (const tool of listed) {
    const tokens = countTokens(JSON.stringify(tool))
    total += tokens
    const bytes = Buffer.byteLength(JSON.stringify(tool.inputSchema))
    t.diagnostic(`${tool.name}: ${tokens} tokens, its schema ${bytes} bytes`)
    assert.ok(bytes < 16_384, `the schema of ${tool.name} has ${bytes} bytes`)
    assert.ok(tool.description.length < 2048, `${tool.name} is described in ${tool.description.length} characters`)
  }
  t.diagnostic(`together: ${total} tokens (o200k)`)
  assert.ok(total <= 5850, `${total} tokens; run this test for those of each tool`)
})

test('every schema of every list passes the strictest check of a common validator, and none lists types', () => {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: true,
    strictTypes: true,
    allowUnionTypes: false,
    validateFormats: false,
  })
  const schemas = Object.values(createSurface(tools, registry.values()).lists)
    .flat()
    .flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema].map(schema => JSON.stringify(schema)))
  const wrong = [...new Set(schemas)].flatMap(schema => {
    try {
      ajv.compile(JSON.parse(schema))
    } catch (thrown) {
      return [`${thrown instanceof Error ? thrown.message : String(thrown)}: ${schema.slice(0, 200)}`]
    }
    return schema.includes('"type":[') ? [`a list of types: ${schema.slice(0, 200)}`] : []
  })
  assert.deepEqual(wrong, [])
})

test('hints say what the strongest mode of a tool can do', () => {
  const { lists } = createSurface(tools, registry.values())
  const named = (hint: 'readOnlyHint' | 'destructiveHint', list: keyof typeof lists) =>
    lists[list].filter(({ annotations }) => annotations[hint]).map(({ name }) => name)
  assert.deepEqual(named('readOnlyHint', 'default'), ['service_orient', 'service_lookup'])
  const destructive = ['service_decide', 'service_map', 'service_connect', 'service_support']
  assert.deepEqual(named('destructiveHint', 'default'), destructive)
  for (const { name, effect, input, audience } of registry.values()) {
    if (audience === 'people') continue
    const deletes =
      /^(remove|delete|discard)_/.test(name) || JSON.stringify(input.properties.action ?? '').includes('"delete"')
    if (deletes) assert.equal(effect, 'destructive', `${name} can delete`)
  }
})

test('a search costs 2 work units and an analysis 5, any other read at least 1 and a write at least 3', () => {
  const wrong = [...registry.values()].filter(({ name, effect, units, audience }) => {
    if (audience === 'people') return false
    if (name === 'lookup_search') return units !== 2
    if (name.startsWith('analyze_')) return units !== 5
    return units < (effect === 'read' ? 1 : 3)
  })
  assert.deepEqual(
    wrong.map(({ name, units }) => `${name}: ${units}`),
    [],
  )
})

test('the split surface has every mode once, and those that read in tools that only read', () => {
  const { lists, tool } = createSurface(tools, registry.values())
  const split = lists.split.map(({ name }) => name)
  assert.deepEqual(
    split.filter(name => name.endsWith('_read')),
    ['service_map_read', 'service_connect_read', 'service_analyze_read', 'service_support_read'],
  )
  for (const { name, annotations, inputSchema } of lists.split) {
    if (!name.endsWith('_read')) continue
    assert.equal(annotations.readOnlyHint, true)
    const whole = tools.find(each => `${each.name}_read` === name)
    const reading = Object.entries(whole?.modes ?? {}).filter(([, { effect }]) => effect === 'read')
    assert.deepEqual(
      Object.keys(tool(name)?.modes ?? {}),
      reading.map(([mode]) => mode),
    )
    assert.ok(JSON.stringify(inputSchema).length < 16_384)
  }
})

test('every mode is named in its tool’s description', () => {
  for (const tool of tools) {
    for (const mode of Object.keys(tool.modes)) {
      assert.ok(tool.description.includes(mode), `${tool.name} does not say what ${mode} is for`)
    }
  }
})

const nothing: Parameters<typeof recommend>[0] = {
  sources: 0,
  signals: 0,
  signals_in_triage: 0,
  triage_by_classification: {},
  claims: 0,
  open_claims: 0,
  waiting_proposals: 0,
  solutions: 0,
  open_solutions: 0,
  map_nodes: 0,
  waiting_dead_letters: 0,
}

test('every call that the snapshot recommends exists', () => {
  const busy = { ...nothing, sources: 1, map_nodes: 1, signals: 9, signals_in_triage: 9, claims: 9 }
  const calls = [...recommend(nothing), ...recommend({ ...busy, waiting_proposals: 1, waiting_dead_letters: 1 })]
  assert.equal(calls.length, 8)
  for (const { tool: name, mode } of calls) {
    const tool = tools.find(one => one.name === name)
    assert.ok(tool && mode in tool.modes, `${name} mode ${mode} is recommended`)
  }
})

test('every next call that a summary or description names exists', () => {
  const texts = tools.flatMap(tool => [
    tool.description,
    ...Object.values(tool.modes).map(operation => operation.summary),
  ])
  for (const text of texts) {
    for (const [, name, mode] of text.matchAll(/(service_\w+) mode (\w+)/g)) {
      const tool = tools.find(one => one.name === name)
      assert.ok(tool && mode !== undefined && mode in tool.modes, `${name} mode ${mode} is named in "${text}"`)
    }
  }
})
