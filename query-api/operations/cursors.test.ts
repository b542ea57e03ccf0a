import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isAssayError } from '../../infra/runtime/errors.ts'
import type { NodeId, SignalId } from '../../schemas/domain/ids.ts'
import type { Operation } from './define.ts'
import { registry } from './registry.ts'
import { type OperationsKit, startOperations, type Workspace } from './testing.ts'
import { type OwnIds, sampleInput } from './testing-reach.ts'
import { firstOf, seedEverything } from './testing-seed.ts'

/** Every list of the registry that has a second page, gone on with by a call that asks for something else. */
let kit: OperationsKit
let workspace: Workspace
let own: OwnIds
/** The second of what a list is of. */
let others: Readonly<Record<string, string>>

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  await seedEverything(kit, workspace, 'celesta')
  own = await firstOf(kit, workspace)
  others = await seedSeconds()
})
after(() => kit.stop())

const run = async (name: string, input: object) => (await workspace.run(name, input)).data as { id: string }

/** So many that a page of one goes on, and of what has pages of its own another one. */
const seedSeconds = async () => {
  const comment = 'It was agreed on.'
  const nodes = [own.map_nodes ?? '', (await run('add_map_node', { name: 'Bells' })).id]
  for (const parent_id of nodes) await run('add_map_node', { name: 'Felt', parent_id })
  // Ids as the database gives them.
  const flat = (node: string | undefined) => workspace.signal({ text: 'It is flat.', nodeId: node as NodeId })
  const [one, two] = [await flat(nodes[1]), await flat(nodes[1])]
  const third = await flat(nodes[0])
  const claim = await workspace.claim('Bells are flat', [one, two])
  await run('attach_evidence', { signal_id: third.id, claim_id: own.claims, reason: 'Flat too.' })
  for (const original of [one.id, own.signals as SignalId]) {
    await workspace.occurrence(original)
    await workspace.occurrence(original)
  }
  const [mine, another] = ['SOL-1', 'SOL-2']
  for (const id of [mine, mine, another, another]) await run('write_comment', { id, text: 'Heard.' })
  for (const name of ['Bells', 'Felts']) {
    await run('change_group', { action: 'create', name, solution_ids: [mine, another], comment })
    await run('change_strategy', { action: 'add', layer: 'bet', title: name, comment })
    await run('create_source', { kind: 'metric', name })
    await run('save_review', { title: name })
  }
  await run('change_roadmap', { action: 'place', solution_id: another, horizon: 'now', comment })
  return {
    lookup_claim: claim.reference,
    lookup_node: 'Bells',
    read_map: 'Bells',
    list_repeats: one.reference,
    list_comments: another,
    lookup_group: 'Felts',
    lookup_theme: 'THM-2',
    explain_priority: another,
    lookup_decision: 'DEC-2',
  }
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}
// TypeBox's schemas are JSON Schema objects; their own types do not say so.
const fieldsOf = (operation: Operation): readonly [string, Schema][] =>
  Object.entries(operation.input.properties as unknown as Record<string, Schema>)

const FREE = new Set(['cursor', 'limit', 'depth', 'reader_language', 'version', 'id', 'solution_id'])

/** A value that a field takes, and that the call before had not. */
const another = (schema: Schema, had: unknown): unknown => {
  const words = (schema.enum ?? schema.items?.enum)?.filter(word => word !== had)
  if (words !== undefined) return schema.items === undefined ? words.at(-1) : words.slice(-1)
  if (schema.items?.properties !== undefined) return [{ field: 'source', op: 'in', values: ['celesta'] }]
  if (schema.items !== undefined) return ['celesta']
  if (schema.type === 'integer') return 1
  if (schema.type === 'boolean') return true
  return schema.type === 'object' ? {} : 'bells'
}

const goOn = async (operation: Operation, input: object): Promise<string> => {
  try {
    await workspace.run(operation, input)
    return 'answered'
  } catch (error) {
    return isAssayError(error) ? error.publicMessage : assert.fail(String(error))
  }
}

const paged = [...registry.values()].filter(operation => fieldsOf(operation).some(([name]) => name === 'cursor'))

describe('A cursor', () => {
  it('goes on with the list that it came with, and with no other', async () => {
    const gone: string[] = []
    for (const operation of paged) {
      const fields = fieldsOf(operation)
      const first = {
        ...sampleInput(operation, own),
        ...(operation.name === 'lookup_search' && { query: 'celesta' }),
        ...(operation.name === 'list_changes' && { kind: 'decisions' }),
        ...(operation.name === 'list_merge_log' && { kind: 'merged' }),
        ...(fields.some(([name]) => name === 'limit') && { limit: 1 }),
      } as Readonly<Record<string, unknown>>
      const { next_cursor: cursor } = (await workspace.run(operation, first)).meta
      if (cursor === null) continue
      gone.push(operation.name)
      assert.equal(await goOn(operation, { ...first, cursor }), 'answered', operation.name)
      for (const [name, schema] of fields) {
        if (FREE.has(name)) continue
        const said = await goOn(operation, { ...first, [name]: another(schema, first[name]), cursor })
        assert.match(said, /The cursor is not one of this list/, `${operation.name}.${name}`)
      }
      const named = others[operation.name]
      if (named === undefined) continue
      const identifier = operation.name === 'explain_priority' ? 'solution_id' : 'id'
      const said = await goOn(operation, { ...first, [identifier]: named, cursor })
      assert.match(said, /The cursor is not one of this list/, `${operation.name} of ${named}`)
    }
    assert.deepEqual(
      Object.keys(others).filter(name => !gone.includes(name)),
      [],
    )
    assert.ok(gone.length > 20, gone.join())
  })

  it('of one workspace is none of another', async () => {
    const { next_cursor: cursor } = (await workspace.run('list_signals', { limit: 1 })).meta
    const other = await kit.workspace()
    await assert.rejects(other.run('list_signals', { cursor }), /The cursor is not one of this list/)
  })

  it('goes on with a text by whatever name its object is called, and however deep the first answer was', async () => {
    const text = 'It is out of tune. '.repeat(3000)
    const { id, reference } = await workspace.signal({ text })
    const first = await workspace.inApp('lookup_signal', { id, depth: 'full' })
    const next = await workspace.inApp('lookup_signal', { id: reference, cursor: first.meta.next_cursor })
    const shown = first.data.signal.text.length
    assert.equal(next.data.signal.text.slice(0, 100), text.slice(shown, shown + 100))
  })
})
