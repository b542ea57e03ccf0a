import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recommend } from '../operations/orient/recommend.ts'
import { flatInput } from './flat-input.ts'
import { tools } from './index.ts'

test('the default surface is the eight tools, with at least these modes', () => {
  assert.deepEqual(Object.fromEntries(tools.map(tool => [tool.name, Object.keys(tool.modes)])), {
    service_orient: ['snapshot', 'connections'],
    service_lookup: ['claim', 'solution', 'signal', 'map', 'triage', 'proposals', 'search', 'reference'],
    service_capture: ['signal'],
    service_decide: ['triage', 'create_solution', 'update_solution', 'prioritize', 'decision'],
    service_map: ['read', 'add_node', 'update_node', 'remove_node', 'bind_metric', 'unbind_metric'],
    service_connect: ['list', 'create', 'test'],
    service_analyze: ['activity', 'claims'],
    service_support: [
      'diagnose',
      'signal',
      'pipeline',
      'dead_letter',
      'replay',
      'discard',
      'jobs',
      'start_job',
      'cancel_job',
      'source',
      'ledger',
    ],
  })
})

test('the whole list stays small: a description under 2,048 characters, a schema under 16 KB, all of it under 24 KB', () => {
  const sizes = tools.map(tool => {
    const schema = JSON.stringify(flatInput(tool)).length
    assert.ok(tool.description.length < 2048, `${tool.name}: ${tool.description.length}`)
    assert.ok(schema < 16_384, `${tool.name}: ${schema}`)
    return tool.description.length + schema
  })
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(total < 24_576, `${total} characters`)
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
  waiting_proposals: 0,
  solutions: 0,
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
