import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TObject } from 'typebox'
import { createBodyBudget } from '../http/body-budget.ts'
import type { Operation } from '../operations/define.ts'
import { DEFAULT_LIMIT } from '../operations/parts/fields.ts'
import { registry } from '../operations/registry.ts'
import { type OperationsKit, startOperations, type Workspace } from '../operations/testing.ts'
import { type OwnIds, sampleInput } from '../operations/testing-reach.ts'
import { firstOf, seedEverything } from '../operations/testing-seed.ts'
import { createAgentCall } from './strangers-marks.ts'

/** Lists that agents read in more than lines when they say no depth, each with why. */
const IN_MORE_THAN_LINES: Readonly<Record<string, string>> = {
  lookup_theme: 'It is one theme, and depth says how much of each of its members.',
  lookup_living_document: 'It is one document, and depth says how much of its text; a version is a line as it is.',
}

const isList = ({ effect, audience, input, output }: Operation): boolean =>
  effect === 'read' &&
  audience === 'everyone' &&
  'depth' in input.properties &&
  'items' in ((output as TObject).properties ?? {})

const lists = [...registry.values()].filter(isList)

let kit: OperationsKit
let workspace: Workspace
let own: OwnIds
before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  await seedEverything(kit, workspace, 'lines')
  own = await firstOf(kit, workspace)
  // A search embeds what was written beside itself, and the next one finds it by its meaning.
  await workspace.call('service_lookup', 'search', { query: 'lines' })
  await kit.embedded()
})
after(() => kit.stop())

/** What an agent reads of the list. */
const read = async (operation: Operation, given: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const call = createAgentCall((each, request) => workspace.run(each, request.input), createBodyBudget())
  const sample = sampleInput(operation, own)
  // An id that need not be sent names one object.
  const input = operation.input.required?.includes('id') ? sample : { ...sample, id: undefined }
  const sent = Object.fromEntries(Object.entries({ ...input, ...given }).filter(([, value]) => value !== undefined))
  return (await call(operation, { input: sent, caller: workspace.caller, idempotencyKey: null })).data
}

for (const operation of lists) {
  test(`${operation.name} answers an agent that says no depth in lines`, async () => {
    const { depth, cursor } = operation.input.properties as Readonly<Record<string, { default?: unknown }>>
    if (operation.name in IN_MORE_THAN_LINES) return assert.equal(depth?.default, undefined)
    assert.equal(depth?.default, 'summary')
    // The moment of the look is remembered, so both looks are asked from the same one.
    const since = operation.name === 'orient_changes' ? { since: '2020-01-01' } : {}
    const asked = { ...since, depth: 'summary', ...(cursor && { limit: DEFAULT_LIMIT }) }
    assert.deepEqual(await read(operation, since), await read(operation, asked))
  })
}

test('every exception is a list', () => {
  const names = new Set(lists.map(({ name }) => name))
  assert.deepEqual(
    Object.keys(IN_MORE_THAN_LINES).filter(name => !names.has(name)),
    [],
  )
})
