import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { storeThemes } from '../../../model/themes/store-themes.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const say = (text: string) => workspace.signal({ text })
const add = async (input: object) => workspace.inApp('add_map_nodes', input)
const outline = async (): Promise<readonly string[]> =>
  (await workspace.inApp('outline_map')).data.items.map(
    ({ name, signals }: { name: string; signals: number }) => `${name} ${signals}`,
  )
const undo = (change_id: string) => workspace.inApp('undo_change', { change_id })
const nodeOf = async (id: SignalId): Promise<string | undefined> =>
  (await workspace.inApp('lookup_signal', { id })).data.signal.node?.name

/** Stores one theme as the job does, the last of its signals doubtful. */
const storeTheme = (ids: readonly SignalId[]) =>
  kit.database.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspace.id] }, async transaction =>
    storeThemes(
      transaction,
      workspace.id,
      [
        {
          name: 'invoices',
          members: ids.map((signalId, at) => ({
            ...{ signalId, likeness: at === ids.length - 1 ? 2.6 : 5, language: null, start: 0, length: 200 },
          })),
        },
      ],
      { throughNumber: 0, signals: 0, model: 'test', mean: null, answers: 0 },
    ),
  )

describe('Several nodes at once', () => {
  it('come from a list of names, and go again by one undo', async () => {
    const { data: root } = await workspace.inApp('add_map_node', { name: 'Billing' })
    const { data, meta } = await add({ nodes: [{ name: 'Invoices' }, { name: ' Refunds ' }], parent_id: 'Billing' })
    assert.deepEqual(
      data.added.map(({ name }: { name: string }) => name),
      ['Invoices', 'Refunds'],
    )
    assert.deepEqual(await outline(), ['Billing 0', 'Invoices 0', 'Refunds 0'])
    const again = await add({ nodes: [{ name: 'invoices' }, { name: 'Tax' }, { name: 'tax' }], parent_id: root.id })
    assert.deepEqual(
      [again.data.added.length, again.data.there_already.map(({ name }: { name: string }) => name)],
      [1, ['invoices']],
    )
    await assert.rejects(
      add({ nodes: [{ name: 'Tax' }], parent_id: root.id }),
      failsWith('invalid_input', /there already/),
    )
    await undo(again.meta.change_id)
    await undo(meta.change_id)
    assert.deepEqual(await outline(), ['Billing 0'])
  })

  it('come from themes, with the signals that surely belong to them', async () => {
    const signals = [await say('The invoice is wrong.'), await say('My invoice.'), await say('A bill?')]
    await storeTheme(signals.map(({ id }) => id))
    const { data, meta } = await add({ nodes: [{ name: 'Invoices', theme_id: 'THM-1' }] })
    assert.equal(data.placed, 2)
    assert.deepEqual(await outline(), ['Invoices 2'])
    await undo(meta.change_id)
    assert.deepEqual(await outline(), [])
    const chosen = await add({ nodes: [{ name: 'Bills', theme_id: 'THM-1', signal_ids: [signals[2]?.reference] }] })
    assert.equal(chosen.data.placed, 1)
    assert.equal(await nodeOf(signals[2]?.id ?? assert.fail()), 'Bills')
  })
})

describe('Proposed places', () => {
  it('name for each signal without a node the likely one, and are accepted as one', async () => {
    await workspace.run('add_map_node', { name: 'Invoices', examples: ['The invoice has a wrong address.'] })
    await workspace.run('add_map_node', { name: 'Night colours', examples: ['Please add a dark mode.'] })
    const [invoice, dark, dismissed] = [
      await say('The address on the invoice is not right.'),
      await say('A dark mode, please.'),
      await say('A wrong invoice address.'),
    ]
    await workspace.run('triage', { action: 'dismiss', signal_id: dismissed.id, comment: 'Known.' })
    const list = async () => (await workspace.inApp('list_proposed_places')).data
    const { unplaced, compared, items } = await list()
    assert.deepEqual([unplaced, compared], [2, 2])
    const proposed = items.flatMap(
      ({ name, signals }: { name: string; signals: readonly { reference: string; is_clear: boolean }[] }) =>
        signals.map(({ reference, is_clear }) => [name, reference, is_clear]),
    )
    assert.deepEqual(proposed, [
      ['Invoices', invoice.reference, true],
      ['Night colours', dark.reference, true],
    ])
    const places = items.flatMap(
      ({ node_id, signals }: { node_id: string; signals: readonly { signal_id: string; version: number }[] }) =>
        signals.map(({ signal_id, version }) => ({ signal_id, node_id, version })),
    )
    const { data, meta } = await workspace.inApp('place_signals', { places })
    assert.equal(data.placed, 2)
    assert.equal(await nodeOf(dark.id), 'Night colours')
    assert.deepEqual((await list()).items, [])
    await undo(meta.change_id)
    assert.equal(await nodeOf(dark.id), undefined)
    assert.equal((await list()).compared, 2)
  })

  it('are refused as a whole where one has changed since, or is named twice', async () => {
    await workspace.run('add_map_node', { name: 'Invoices' })
    const [one, two] = [await say('An invoice.'), await say('Another invoice.')]
    const place = (places: readonly object[]) => workspace.inApp('place_signals', { places })
    const stale = [
      { signal_id: one.id, node_id: 'Invoices' },
      { signal_id: two.id, node_id: 'Invoices', version: 9 },
    ]
    await assert.rejects(place(stale), failsWith('conflict'))
    const twice = [one.id, one.reference].map(signal_id => ({ signal_id, node_id: 'Invoices' }))
    await assert.rejects(place(twice), failsWith('invalid_input', /named twice/))
    await assert.rejects(place([{ signal_id: one.id, node_id: 'Bills' }]), failsWith('not_found'))
    assert.deepEqual(await outline(), ['Invoices 0'])
  })
})
