import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { BUILT_IN_MODEL } from '../../../infra/models/meaning/name.ts'
import { answeredThemes, countAnswers } from '../../../model/themes/answers.ts'
import { WITH_THEMES_TO_FIND } from '../../../model/themes/due.ts'
import { type NewTheme, storeThemes } from '../../../model/themes/store-themes.ts'
import type { SignalId, ThemeId } from '../../../schemas/domain/ids.ts'
import { EMBEDDING_DIMENSIONS } from '../../../schemas/domain/vocabulary.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace
let signals: readonly { readonly id: SignalId; readonly reference: string }[]
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  signals = await Promise.all(
    'ABCDEFGHIJKL'.split('').map(letter => workspace.signal({ text: `Letter ${letter} is lost.` })),
  )
})

const idOf = (place: number): SignalId => signals[place]?.id ?? assert.fail(`${place}`)
const idsOf = (...places: readonly number[]): readonly SignalId[] => places.map(idOf)
const inPipeline = <Result>(work: (transaction: Parameters<typeof answeredThemes>[0]) => Promise<Result>) =>
  kit.database.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspace.id] }, work)

/** Stores themes as the job does: those that people confirmed signals of by their ids, the others by their members. */
const store = (...themes: readonly (readonly number[])[]) =>
  inPipeline(async transaction => {
    const answered = await answeredThemes(transaction, workspace.id)
    const confirmed = new Set(answered.flatMap(theme => theme.confirmed))
    const theme = (members: readonly SignalId[], id?: ThemeId): NewTheme => ({
      ...(id && { id }),
      name: `found ${members.length}`,
      members: members.map(signalId => ({ signalId, likeness: 5, language: null, start: 0, length: 200 })),
    })
    const run = { throughNumber: 12, signals: 12, model: BUILT_IN_MODEL, mean: new Float64Array(EMBEDDING_DIMENSIONS) }
    await storeThemes(
      transaction,
      workspace.id,
      [
        ...answered.map(({ id, confirmed: members }) => theme(members, id)),
        ...themes.map(members => theme(members.map(idOf).filter(id => !confirmed.has(id)))),
      ],
      { ...run, answers: await countAnswers(transaction, workspace.id) },
    )
  })
const update = (theme_id: string, input: object) =>
  workspace.call('service_decide', 'update_theme', { theme_id, ...input })
const undo = (change_id: string) => workspace.call('service_decide', 'undo', { change_id })
const lookup = (id: string) => workspace.call('service_lookup', 'theme', { id, depth: 'standard' })
const placesIn = async (id: string): Promise<readonly number[]> =>
  (await lookup(id)).data.items
    .map(({ signal_id }: { signal_id: string }) => signals.findIndex(({ id }) => id === signal_id))
    .toSorted((one: number, other: number) => one - other)
const listed = async (): Promise<readonly string[]> =>
  (await workspace.inApp('list_themes')).data.items.map(
    ({ reference, signals: count }: { reference: string; signals: number }) => `${reference} ${count}`,
  )

describe('Two themes that are one', () => {
  it('are one at once and through every computation, and two again by an undo', async () => {
    await store([0, 1, 2, 3], [4, 5, 6])
    const { data, meta } = await update('THM-1', { same_theme_ids: ['THM-2'] })
    assert.equal(data.answers, 1)
    assert.deepEqual(await listed(), ['THM-1 7'])
    assert.deepEqual(await placesIn('THM-1'), [0, 1, 2, 3, 4, 5, 6])
    assert.deepEqual((await lookup('THM-1')).data.parts, ['THM-2'])
    const followed = await lookup('THM-2')
    assert.equal(followed.data.reference, 'THM-1')
    assert.match(followed.meta.note, /THM-2 is no theme of its own.*THM-1/)
    await store([0, 1, 2, 3, 7], [4, 5, 6, 8])
    assert.deepEqual(await listed(), ['THM-1 9'])
    // Found as one group, the smaller part of which was the theme that goes on.
    await store([0, 4, 5, 6, 8])
    assert.deepEqual(await listed(), ['THM-1 5'])
    await store([0, 1, 2, 3], [4, 5, 6])
    await undo(meta.change_id)
    assert.deepEqual((await lookup('THM-1')).data.parts, [])
  })

  it('are found apart again where they were, once that is taken back', async () => {
    await store([0, 1, 2, 3], [4, 5, 6])
    const { meta } = await update('THM-1', { same_theme_ids: ['THM-2'] })
    await store([0, 1, 2, 3], [4, 5, 6])
    await undo(meta.change_id)
    assert.deepEqual(await listed(), ['THM-1 4', 'THM-2 3'])
    await update('THM-1', { same_theme_ids: ['THM-2'] })
    await update('THM-1', { other_theme_ids: ['thm-2'] })
    assert.deepEqual(await listed(), ['THM-1 4', 'THM-2 3'])
    // A computation that finds them as one theme keeps what each of them had.
    const joined = await update('THM-1', { same_theme_ids: ['THM-2'] })
    const { name } = (await lookup('THM-1')).data
    for (const _ of [1, 2]) await store([0, 1, 2, 3, 4, 5, 6, 7])
    assert.deepEqual(await listed(), ['THM-1 8'])
    assert.equal((await lookup('THM-1')).data.name, name, 'it has not grown by half')
    assert.equal((await lookup('THM-2')).data.reference, 'THM-1')
    await undo(joined.meta.change_id)
    assert.deepEqual(await listed(), ['THM-1 5', 'THM-2 3'])
    assert.deepEqual((await lookup('THM-1')).data.formerly, [])
  })

  it('are two again by an undo after a computation that knew what people confirmed', async () => {
    await store([0, 1, 2, 3], [4, 5, 6])
    await update('THM-1', { signal_ids: idsOf(4, 5) })
    const { meta } = await update('THM-1', { same_theme_ids: ['THM-2'] })
    await store([6])
    await undo(meta.change_id)
    assert.equal((await lookup('THM-2')).data.reference, 'THM-2')
    assert.deepEqual(await placesIn('THM-2'), [4, 5, 6])
  })

  it('are learned from together, the newer answer first', async () => {
    await store([0, 1, 2, 3], [4, 5, 6])
    await update('THM-2', { signal_ids: idsOf(4, 5), refused_signal_ids: idsOf(0) })
    await update('THM-1', { signal_ids: idsOf(0, 1) })
    await update('THM-1', { same_theme_ids: ['THM-2'] })
    const [answered, ...others] = await inPipeline(transaction => answeredThemes(transaction, workspace.id))
    assert.deepEqual(others, [])
    assert.deepEqual(new Set(answered?.confirmed), new Set(idsOf(0, 1, 4, 5)))
    kit.now = new Date(kit.now.getTime() + 1000)
    await update('THM-1', { refused_signal_ids: idsOf(4) })
    assert.deepEqual(await placesIn('THM-1'), [0, 1, 2, 3, 5, 6])
    await store([2, 3, 4], [6])
    assert.deepEqual((await lookup('THM-1')).data.parts, ['THM-2'])
    assert.ok(!(await placesIn('THM-1')).includes(4))
  })

  it('of which one is one with a third are all one, without a chain', async () => {
    await store([0, 1, 2], [3, 4, 5], [6, 7, 8])
    await update('THM-2', { same_theme_ids: ['THM-3'] })
    await update('THM-1', { same_theme_ids: ['THM-2'] })
    assert.deepEqual(await listed(), ['THM-1 9'])
    assert.deepEqual((await lookup('THM-1')).data.parts, ['THM-2', 'THM-3'])
    assert.equal((await lookup('THM-3')).data.reference, 'THM-1')
  })

  it('are refused where a theme is named with itself, twice, or as one that it is not', async () => {
    await store([0, 1, 2], [3, 4, 5])
    await assert.rejects(update('THM-1', { same_theme_ids: ['THM-1'] }), failsWith('invalid_input', /itself/))
    await assert.rejects(
      update('THM-1', { other_theme_ids: ['THM-2'] }),
      failsWith('invalid_input', /not one with THM-1/),
    )
    await update('THM-1', { same_theme_ids: ['THM-2'] })
    await assert.rejects(update('THM-1', { same_theme_ids: ['THM-2'] }), failsWith('conflict', /THM-1/))
  })
})

describe('A theme that is two', () => {
  it('is two at once and through every computation, and one again by an undo', async () => {
    await store([0, 1, 2, 3, 4, 5])
    const { data, meta } = await update('THM-1', { split_signal_ids: idsOf(3, 4, 5) })
    assert.deepEqual([data.new_theme.reference, data.answers], ['THM-2', 3])
    assert.deepEqual(await placesIn('THM-1'), [0, 1, 2])
    assert.deepEqual(await placesIn('THM-2'), [3, 4, 5])
    assert.equal((await lookup('THM-2')).data.split_from, 'THM-1')
    await store([0, 1, 2, 3, 4, 5])
    assert.deepEqual(await placesIn('THM-1'), [0, 1, 2])
    assert.deepEqual(await placesIn('THM-2'), [3, 4, 5])
    await undo(meta.change_id)
    assert.equal((await lookup('THM-2')).data.reference, 'THM-1')
    assert.deepEqual(await placesIn('THM-1'), [0, 1, 2, 3, 4, 5])
    assert.deepEqual(await listed(), ['THM-1 6'])
    const due = await kit.database.pool.query(WITH_THEMES_TO_FIND, [[workspace.id], null])
    assert.deepEqual(due.rows, [{ id: workspace.id }])
    await store([0, 1, 2, 3, 4, 5])
    assert.deepEqual(await listed(), ['THM-1 6'])
  })

  it('is one again where a person says later that both are', async () => {
    await store([0, 1, 2, 3, 4, 5])
    await update('THM-1', { split_signal_ids: idsOf(3, 4, 5) })
    await update('THM-1', { same_theme_ids: ['THM-2'] })
    assert.deepEqual(await placesIn('THM-1'), [0, 1, 2, 3, 4, 5])
  })

  it('is refused for all of its signals, and for others', async () => {
    await store([0, 1, 2], [3, 4, 5])
    for (const split_signal_ids of [idsOf(0, 1, 2), idsOf(0, 3), idsOf(7)])
      await assert.rejects(update('THM-1', { split_signal_ids }), failsWith('invalid_input', /some of the Signals/))
    assert.deepEqual(await listed(), ['THM-1 3', 'THM-2 3'])
  })
})

describe('A theme that is found no more', () => {
  it('says which themes took what it had, where none took most of it', async () => {
    await store([0, 1, 2, 3, 4, 5])
    await store([0, 1, 6, 7, 8], [2, 3, 9, 10, 11])
    const { data } = await lookup('THM-1')
    assert.deepEqual(
      [
        data.has_ended,
        data.signals,
        data.successors.map(({ reference, signals: count }: { reference: string; signals: number }) => [
          reference,
          count,
        ]),
      ],
      [
        true,
        0,
        [
          ['THM-2', 2],
          ['THM-3', 2],
        ],
      ],
    )
    // What one became since is named in its place.
    await store([0, 1, 2, 3, 6, 7, 8, 9, 10, 11])
    const [joined] = (await lookup('THM-1')).data.successors
    assert.equal(joined.signals, 4)
  })
})
