import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { BUILT_IN_MODEL } from '../../../infra/models/meaning/name.ts'
import { storeThemes } from '../../../model/themes/store-themes.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import { EMBEDDING_DIMENSIONS } from '../../../schemas/domain/vocabulary.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

interface Signal {
  readonly id: SignalId
  readonly reference: string
}

let kit: OperationsKit
let workspace: Workspace
let signals: readonly Signal[]
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  signals = await Promise.all(
    'ABCDEFGH'.split('').map(letter => workspace.signal({ text: `Letter ${letter} is lost.` })),
  )
})

/** Stores themes as the job does, by the places of their signals. */
const store = (...themes: readonly (readonly number[])[]) =>
  kit.database.database.transaction(
    { role: 'assay_pipeline', workspaceIds: [workspace.id] },
    async transaction =>
      await storeThemes(
        transaction,
        workspace.id,
        themes.map((members, at) => ({
          name: `found ${at + 1}`,
          members: members.map(place => ({
            ...{ signalId: idOf(place), likeness: 5, language: null },
            ...{ start: 0, length: 200 },
          })),
        })),
        {
          throughNumber: 0,
          signals: 0,
          model: BUILT_IN_MODEL,
          mean: new Float64Array(EMBEDDING_DIMENSIONS),
          answers: 0,
        },
      ),
  )
const idOf = (place: number): SignalId => signals[place]?.id ?? assert.fail(`${place}`)
const placeOf = (signalId: string): number => signals.findIndex(({ id }) => id === signalId)
const update = (theme_id: string, input: object, key?: string) =>
  workspace.call('service_decide', 'update_theme', { theme_id, ...input }, key)
const undo = (change_id: string) => workspace.call('service_decide', 'undo', { change_id })
const list = async (input: object = {}): Promise<readonly string[]> =>
  (await workspace.inApp('list_themes', input)).data.items.map(({ name }: { name: string }) => name)
/** The places of the signals in a theme; those that were confirmed with a mark. */
const membersOf = async (id: string): Promise<readonly string[]> => {
  const { data } = await workspace.call('service_lookup', 'theme', { id, depth: 'standard' })
  return data.items
    .map(({ signal_id, is_confirmed }: { signal_id: string; is_confirmed: boolean }) => {
      const place = placeOf(signal_id)
      return is_confirmed ? `${place} confirmed` : `${place}`
    })
    .toSorted()
}

describe('What a person says of a theme as a whole', () => {
  it('is kept while it is found again, and is taken back', async () => {
    await store([0, 1, 2, 3], [4, 5, 6])
    const { data, meta } = await update('THM-2', { name: ' Lost letters ', standing: 'pinned' }, 'once')
    assert.deepEqual(data.theme, { ...data.theme, reference: 'THM-2', name: 'Lost letters', standing: 'pinned' })
    assert.deepEqual((await update('THM-2', { name: ' Lost letters ', standing: 'pinned' }, 'once')).data, data)
    await store([0, 1, 2, 3], [4, 5, 6, 7])
    assert.deepEqual(await list(), ['Lost letters', 'found 1'])
    assert.deepEqual((await membersOf('lost letters')).length, 4)
    await undo(meta.change_id)
    assert.deepEqual(await list(), ['found 1', 'found 2'])
  })

  it('goes on where the theme is joined with a larger one', async () => {
    await store([0, 1, 2, 3], [4, 5, 6])
    await update('THM-2', { name: 'Lost letters' })
    await store([0, 1, 2, 3, 4, 5, 6])
    assert.deepEqual(await list(), ['Lost letters'])
  })

  it('puts aside what is hidden or not one thing, which is counted and listed when asked for', async () => {
    await store([0, 1, 2], [3, 4, 5])
    await update('THM-1', { standing: 'hidden' })
    await update('THM-2', { standing: 'not_one_thing' })
    await store([0, 1, 2, 6], [3, 4, 5, 7])
    const { data } = await workspace.call('service_lookup', 'themes')
    assert.deepEqual([data.count, data.put_aside, data.items], [0, 2, []])
    assert.deepEqual(await list({ aside: true }), ['found 1', 'found 2'])
    await update('THM-1', { standing: 'listed' })
    assert.deepEqual(await list(), ['found 1'])
  })

  it('is refused where it says nothing new', async () => {
    await store([0, 1, 2])
    await assert.rejects(update('THM-1', {}), failsWith('invalid_input', /Nothing would change. THM-1/))
    await assert.rejects(update('THM-1', { standing: 'listed' }), failsWith('invalid_input'))
    await assert.rejects(update('THM-1', { name: ' ' }), failsWith('invalid_input'))
    await assert.rejects(update('THM-7', { standing: 'pinned' }), failsWith('not_found', /mode themes lists/))
  })
})

describe('What a person says of a signal and a theme', () => {
  it('counts at once, outlasts every computation, and is taken back', async () => {
    await store([0, 1, 2, 3])
    const { data, meta } = await update('THM-1', { signal_ids: [idOf(0), idOf(6)], refused_signal_ids: [idOf(3)] })
    assert.equal(data.answers, 3)
    const answered = ['0 confirmed', '1', '2', '6 confirmed']
    assert.deepEqual(await membersOf('THM-1'), answered)
    const { data: theme } = await workspace.call('service_lookup', 'theme', { id: 'THM-1' })
    assert.deepEqual([theme.signals, theme.confirmed], [4, 2])
    await store([1, 2, 3])
    assert.deepEqual(await membersOf('THM-1'), answered)
    await undo(meta.change_id)
    assert.deepEqual(await membersOf('THM-1'), ['1', '2'])
    await store([1, 2, 3])
    assert.deepEqual(await membersOf('THM-1'), ['1', '2', '3'])
  })

  it('offers what likely belongs to it, too, and neither what is in it nor what was answered', async () => {
    await store([0, 1, 2])
    await update('THM-1', { signal_ids: [idOf(0)], refused_signal_ids: [idOf(7)] })
    const { data, meta } = await workspace.inApp('lookup_theme', { id: 'THM-1', candidates: true })
    assert.deepEqual([data.count, meta.next_cursor], [4, null])
    const offered: readonly { signal_id: SignalId; is_confirmed: boolean }[] = data.items
    assert.deepEqual(new Set(offered.map(({ signal_id }) => signal_id)), new Set([idOf(3), idOf(4), idOf(5), idOf(6)]))
  })

  it('says of what is offered which theme has it, the whole of a part, none that is put aside', async () => {
    await store([0, 1, 2], [3, 4, 5], [6, 7])
    const offered = async () => {
      const { data } = await workspace.inApp('lookup_theme', { id: 'THM-1', candidates: true })
      const items: readonly { signal_id: SignalId; in_theme?: string }[] = data.items
      return items.map(({ signal_id, in_theme }) => `${placeOf(signal_id)} ${in_theme}`).toSorted()
    }
    await update('THM-3', { refused_signal_ids: [idOf(7)] })
    assert.deepEqual(await offered(), ['3 THM-2', '4 THM-2', '5 THM-2', '6 THM-3', '7 undefined'])
    await update('THM-2', { same_theme_ids: ['THM-3'] })
    assert.deepEqual(await offered(), ['3 THM-2', '4 THM-2', '5 THM-2', '6 THM-2', '7 THM-2'])
    await update('THM-2', { standing: 'hidden' })
    assert.deepEqual(new Set((await offered()).map(one => one.slice(2))), new Set(['undefined']))
    const { data } = await workspace.call('service_lookup', 'theme', { id: 'THM-1', depth: 'standard' })
    assert.ok(!('in_theme' in data.items[0]))
  })

  it('may be another later, may be confirmed of two themes, and is never both', async () => {
    await store([0, 1, 2], [3, 4, 5])
    await update('THM-1', { signal_ids: [idOf(0)] })
    await update('THM-2', { signal_ids: [idOf(0)] })
    assert.deepEqual(await membersOf('THM-2'), ['0 confirmed', '3', '4', '5'])
    await update('THM-1', { refused_signal_ids: [idOf(0)] })
    assert.deepEqual(await membersOf('THM-1'), ['1', '2'])
    await assert.rejects(
      update('THM-1', { refused_signal_ids: [idOf(0)] }),
      failsWith('invalid_input', /Nothing would/),
    )
    const both = { signal_ids: [idOf(1)], refused_signal_ids: [signals[1]?.reference] }
    await assert.rejects(update('THM-1', both), failsWith('invalid_input', /named twice/))
  })

  it('is kept with the Decision that gathers them, and goes with it', async () => {
    await store([0, 1, 2, 3])
    const given = { action: 'gather', theme_id: 'THM-1', signal_ids: [idOf(0), idOf(1)] }
    const gather = () => workspace.inApp('triage_signals', { ...given, refused_signal_ids: [idOf(3)] })
    const answered = ['0 confirmed', '1 confirmed', '2']
    const { meta } = await gather()
    assert.deepEqual(await membersOf('THM-1'), answered)
    await workspace.inApp('undo_change', { change_id: meta.change_id })
    assert.deepEqual(await membersOf('THM-1'), ['0', '1', '2', '3'])
    const { data } = await gather()
    assert.deepEqual(await membersOf('THM-1'), answered)
    await workspace.inApp('triage', { action: 'undo', decision_id: data.decision.id })
    assert.deepEqual(await membersOf('THM-1'), ['0', '1', '2', '3'])
    const { theme_id: _, ...without } = given
    await assert.rejects(
      workspace.inApp('triage_signals', { ...without, refused_signal_ids: [idOf(3)] }),
      failsWith('invalid_input', /needs theme_id/),
    )
  })

  it('lists its signals by themselves, as people say now which are in it', async () => {
    await store([0, 1, 2], [3, 4, 5])
    const listed = async (theme_id: string) =>
      (await workspace.inApp('list_signals', { theme_id })).data.items
        .map(({ reference }: Signal) => reference)
        .toSorted()
    const references = (...places: readonly number[]) => places.map(place => signals[place]?.reference).toSorted()
    assert.deepEqual(await listed('THM-1'), references(0, 1, 2))
    await update('THM-1', { signal_ids: [idOf(3)], refused_signal_ids: [idOf(0)] })
    assert.deepEqual(await listed('THM-1'), references(1, 2, 3))
    await update('THM-1', { same_theme_ids: ['THM-2'] })
    assert.deepEqual(await listed('THM-2'), references(1, 2, 3, 4, 5))
    await assert.rejects(listed('THM-9'), failsWith('not_found'))
  })
})
