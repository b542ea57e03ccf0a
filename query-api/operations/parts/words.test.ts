import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { createScannedIndex } from '../../../infra/vector-index/sign-bits.ts'
import { createNeighbours } from '../../../model/neighbours/neighbours.ts'
import { createSearchTexts, type SearchTexts } from '../../../model/search/search-texts.ts'
import { readsPaged, untilTextsSettled } from '../../../model/search/testing.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

const SIGNALS = 1200

const UNKNOWN = [{ actor_name: 'Nobody' }, { account: 'Nobody’s' }, { metadata: { plan: 'unheard-of' } }]

describe('While the words of a workspace are not all in memory', () => {
  let kit: OperationsKit
  let workspace: Workspace
  /** Those that a test is about, and how many of their pages come through before one is held up. */
  let texts: SearchTexts
  let through = Number.POSITIVE_INFINITY
  /** Whether that is of the first reading, or of what was written last. */
  let holdsOlder = true
  let released = Promise.withResolvers<void>()
  const neighbours = createNeighbours({ maxBytes: 1 << 26, createIndex: createScannedIndex })
  let isCompared = true
  before(async () => {
    const refresh: SearchTexts['refresh'] = (read, id, waitMs) => {
      const slowly = readsPaged(read, isOlder => {
        if (isOlder !== holdsOlder) return undefined
        through -= 1
        return through === -1 ? released.promise : undefined
      })
      return texts.refresh(slowly, id, through < 0 ? 100 : 2 * waitMs)
    }
    kit = await startOperations(undefined, {
      texts: { refresh },
      neighbours: { ...neighbours, fill: async (...asked) => isCompared && neighbours.fill(...asked) },
    })
  })
  after(() => kit.stop())

  /** A workspace of its own, with an old signal that has a speaker, and many newer ones. */
  const begin = async (maxBytes: number) => {
    texts = createSearchTexts({ maxBytes, log: { error: () => {} } })
    through = Number.POSITIVE_INFINITY
    released = Promise.withResolvers<void>()
    workspace = await kit.workspace()
    await workspace.signal({ text: 'The oldest platypus.', actorName: 'Ada Lovelace' })
    await untilTextsSettled(kit.database, workspace.id)
  }
  const add = (text: string) =>
    kit.database.pool.query(
      `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at,
         received_at, classification, classification_confidence, classification_version)
       select gen_random_uuid(), $1, (select max(number) from signals where workspace_id = $1) + place, 'webhook',
         $2 || ' ' || place, '', 'customer', 'user', '2026-05-01', '2026-05-01', 'problem', 1, 'test'
       from generate_series(1, ${SIGNALS}) as place`,
      [workspace.id, text],
    )
  const list = (input: object) => workspace.call('service_lookup', 'signals', input)
  const search = async (query: string) => {
    const { data, meta } = await workspace.call('service_lookup', 'search', { query })
    const byWords = ({ matched }: { readonly matched: string }) => matched !== 'meaning' && matched !== 'near'
    const found = data.items.some(byWords)
    return { found, isPartial: data.is_partial ?? false, note: meta.note }
  }
  /** The answer that says so: on a busy machine something else may still be read too, or not be counted in time. */
  const searchUntil = (note: RegExp) =>
    eventually(`an answer that says ${note}`, async () => {
      const answer = await search('platypus')
      assert.match(answer.note ?? '', note)
      return answer
    })
  const rejectsUntil = (input: object, refusal: RegExp) =>
    eventually(`a refusal that says ${refusal}`, () =>
      assert.rejects(workspace.inApp('list_signals', input), failsWith('busy', refusal)),
    )
  const goOn = () => {
    through = Number.POSITIVE_INFINITY
    released.resolve()
  }
  const numbersOf = (note: string): readonly number[] => (note.match(/\d+/g) ?? []).map(Number)

  it('says of what is read for the first time that the older ones are missing', async () => {
    await begin(1 << 26)
    await add('An export number')
    // Else all of them are read as what may have committed late, from the first page on.
    await untilTextsSettled(kit.database, workspace.id)
    // The other kinds have one page, and one of signals is read.
    holdsOlder = true
    through = 2
    const { found, isPartial, note } = await searchUntil(
      /^Partial: 500 of about 1201 texts were searched\. Older ones are still being read\. Ask again in \d s\.$/,
    )
    assert.deepEqual([found, isPartial], [false, true])
    await eventually('a list that says the same', async () => {
      const { data, meta } = await list({ text: 'platypus' })
      assert.deepEqual([data.items, data.count_is_partial, meta.note], [[], true, note])
    })
    const busy = /^None of the 500 texts that were read has that value\. Older ones are still being read\. Ask/
    for (const filter of UNKNOWN) await rejectsUntil(filter, busy)
    goOn()
    assert.deepEqual(await search('platypus'), { found: true, isPartial: false, note: undefined })
    for (const filter of UNKNOWN)
      await assert.rejects(workspace.inApp('list_signals', filter), failsWith('invalid_input'))
  })

  it('says after many were written at once that those are missing', async () => {
    await begin(1 << 26)
    assert.equal((await search('platypus')).isPartial, false)
    await add('An export number')
    // A page is read.
    holdsOlder = false
    through = 1
    const { found, isPartial, note } = await searchUntil(
      /^Partial: 501 of about 1201 texts were searched\. What was written last is still being read\. Ask again in 3 s\.$/,
    )
    assert.deepEqual([found, isPartial], [true, true])
    await eventually('a list that says the same', async () => {
      const { data, meta } = await list({ text: 'export' })
      assert.deepEqual([data.count, data.count_is_partial, meta.note], [500, true, note])
    })
    const busy = /^None of the 501 texts that were read has that value\. What was written last is still/
    for (const filter of UNKNOWN) await rejectsUntil(filter, busy)
    goOn()
    assert.equal((await search('platypus')).isPartial, false)
    assert.deepEqual((await list({ text: 'export' })).data.count, SIGNALS)
  })

  it('says of a workspace that there is no room for that its newest are held, and lists older ones without words', async () => {
    await begin(100_000)
    await add('An export number')
    // Else all of them are read as what may have committed late, whatever the room.
    await untilTextsSettled(kit.database, workspace.id)
    const { found, isPartial, note } = await searchUntil(
      /^Partial: \d+ of about 1201 texts were searched\. There is no room in memory for older ones \(SEARCH_MEMORY_MB\)\. A list of signals by time, without words, has them too\.$/,
    )
    assert.deepEqual([found, isPartial], [false, true])
    assert.ok((numbersOf(note)[0] ?? 0) < SIGNALS, note)
    const inApp = async (input: object) => (await workspace.inApp('list_signals', input)).data
    const byTime = await inApp({ time: { from: '2020-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z' } })
    assert.deepEqual([byTime.count, byTime.count_is_partial], [SIGNALS + 1, false])
    const spoken = await list({ actor_name: 'Ada Lovelace' })
    assert.deepEqual([spoken.data.count, spoken.data.count_is_partial, spoken.meta.note], [1, false, undefined])
    await kit.database.pool.query(
      `update signals set actor_name = 'ADA LOVELACE' where workspace_id = $1 and number = (
         select max(number) from signals where workspace_id = $1)`,
      [workspace.id],
    )
    assert.equal((await inApp({ actor_name: 'Ada Lovelace' })).count, 2)
    assert.equal((await inApp({ actor_name: 'Nobody' })).count, 0)
    assert.equal((await inApp({ metadata: { plan: 'unheard-of' } })).count, 0)
  })

  it('says of a search that it could not compare all signals by their meaning yet', async () => {
    await begin(1 << 26)
    isCompared = false
    const { found, isPartial, note } = await search('platypus')
    assert.deepEqual([found, isPartial], [true, true])
    assert.equal(note, 'Partial: the signals are still being compared by meaning. Ask again in 2 s.')
    isCompared = true
    assert.deepEqual(await search('platypus'), { found: true, isPartial: false, note: undefined })
  })
})
