import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NodeId } from '../../../schemas/domain/ids.ts'
import { SHOWN_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

describe('The list of Signals', () => {
  let kit: OperationsKit
  let workspace: Workspace
  before(async () => {
    kit = await startOperations()
    workspace = await kit.workspace()
    const parent = (await workspace.call('service_map', 'add_node', { name: 'Billing' })).data
    const child = (await workspace.call('service_map', 'add_node', { name: 'Invoices', parent_id: parent.id })).data
    const nodeId = child.id as NodeId
    const exports = await workspace.signal({ text: 'Exports time out on large boards.', nodeId, source: 'desk' })
    await workspace.signal({ text: 'The exporter hangs.', channel: 'email', source: 'mail' })
    await workspace.signal({ text: 'Wo ist der Dunkelmodus?', classification: 'question' })
    await workspace.claim('Exports', [exports])
  })
  after(() => kit.stop())

  const list = async (input: object = {}) => (await workspace.inApp('list_signals', input)).data
  const found = async (input: object): Promise<string[]> =>
    (await list(input)).items.map((one: { reference: string }) => one.reference)

  it('finds by node and what is below it, source, channel, claim, owner and classification', async () => {
    assert.deepEqual(await found({}), ['SIG-3', 'SIG-2', 'SIG-1'])
    assert.deepEqual(await found({ node_id: 'Billing' }), ['SIG-1'])
    assert.deepEqual(await found({ source: 'mail' }), ['SIG-2'])
    assert.deepEqual(await found({ channel: 'email' }), ['SIG-2'])
    assert.deepEqual(await found({ claim: 'with' }), ['SIG-1'])
    assert.deepEqual(await found({ claim: 'without', classification: 'problem' }), ['SIG-2'])
    assert.deepEqual(await found({ state: 'dismissed' }), [])
    await workspace.inApp('assign_owner', { id: 'SIG-2', owner: 'me' })
    assert.deepEqual(await found({ owner: 'me' }), ['SIG-2'])
    assert.deepEqual(await found({ owner: 'nobody', source: 'desk' }), ['SIG-1'])
    assert.deepEqual(await found({ owner: 'nobody' }), ['SIG-3', 'SIG-1'])
    await assert.rejects(list({ owner: 'Nobody known' }), failsWith('invalid_input'))
    await assert.rejects(list({ node_id: 'Nowhere' }), failsWith('not_found'))
  })

  it('finds what nobody could classify by what it is perhaps, and counts the noise of the state', async () => {
    const own = await kit.workspace()
    const say = (text: string, more: object = {}) => own.signal({ text, classification: 'unclassified', ...more })
    const signals = [
      await say('Good morning'),
      await say('Rows, many more', { perhaps: 'idea' }),
      await say('Nine boxes, the app says eleven', { perhaps: 'problem' }),
      await say('Deploy 7', { channel: 'code_host' }),
      await say('அறிக்கை'),
    ]
    for (const [at, [confidence, version]] of [
      [0.95, 'test'],
      [0.3, 'test'],
      [0.3, 'test'],
      [1, 'test'],
      [0.95, 'test/unknown-language'],
    ].entries())
      await kit.database.pool.query(
        'update signals set classification_confidence = $2, classification_version = $3 where id = $1',
        [signals[at]?.id, confidence, version],
      )
    const perhaps = async () => {
      const { items, noise } = (await own.inApp('list_signals', { state: 'triage' })).data
      return { noise, perhaps: items.map((one: { perhaps: string | null }) => one.perhaps).toReversed() }
    }
    const referencesOf = async (of: string) =>
      (await own.inApp('list_signals', { perhaps: of })).data.items.map((one: { reference: string }) => one.reference)
    assert.deepEqual(await perhaps(), { noise: 1, perhaps: ['noise', 'idea', 'problem', null, null] })
    assert.deepEqual(
      [await referencesOf('noise'), await referencesOf('idea'), await referencesOf('problem')],
      [['SIG-1'], ['SIG-2'], ['SIG-3']],
    )
    // What a person says counts alone, and taking it back restores what was known.
    const { meta } = await own.inApp('triage', {
      action: 'reclassify',
      signal_id: 'SIG-2',
      classification: 'unclassified',
    })
    assert.deepEqual(await perhaps(), { noise: 2, perhaps: ['noise', 'noise', 'problem', null, null] })
    await own.inApp('undo_change', { change_id: meta.change_id })
    assert.deepEqual(await perhaps(), { noise: 1, perhaps: ['noise', 'idea', 'problem', null, null] })
    await assert.rejects(own.inApp('list_signals', { perhaps: 'weather' }), failsWith('invalid_input'))
  })

  it('finds by the beginnings of words, in any script, and by reference; signs mean nothing', async () => {
    assert.deepEqual(await found({ text: 'export' }), ['SIG-2', 'SIG-1'])
    assert.deepEqual(await found({ text: 'EXPORTS large' }), ['SIG-1'])
    assert.deepEqual(await found({ text: 'dunkel' }), ['SIG-3'])
    for (const text of ['expor', 'exprots', 'export zebra']) assert.ok((await found({ text })).includes('SIG-1'), text)
    assert.deepEqual(await found({ text: ' sig-2 ' }), ['SIG-2'])
    assert.deepEqual(await found({ text: "zz' | :* & !qq \\" }), [])
    assert.deepEqual(await found({ text: '!!' }), [])
    for (const text of [workspace.id, workspace.id.slice(0, 1), workspace.id.slice(0, 8)]) {
      assert.deepEqual(await found({ text }), [])
    }
  })

  it('counts all that one speaker said, in whatever letter case the oldest of many has the name', async () => {
    const own = await kit.workspace()
    for (const [oldest, others] of [
      ['ÄNNE', 'änne'],
      ['ΣΤΕΛΙΟΣ', 'Στελιος'],
    ] as const) {
      await own.signal({ text: 'It hangs.', actorName: oldest })
      for (let said = 0; said < 101; said += 1) await own.signal({ text: 'It hangs.', actorName: others })
      assert.equal((await own.inApp('list_signals', { actor_name: others })).data.count, 102, oldest)
    }
  })

  it('shows people what came with each, and agents the lines alone', async () => {
    const own = await kit.workspace()
    const answers = Object.fromEntries(
      Array.from({ length: 8 }, (_, question) => [`answer_${question}`, 'yes '.repeat(40)]),
    )
    await own.signal({
      text: 'It hangs. '.repeat(100),
      metadata: { plan: 'Team', notes: 'x'.repeat(5000), ...answers },
    })
    const [shown] = (await own.inApp('list_signals', {})).data.items
    assert.equal(shown.metadata.plan, 'Team')
    assert.deepEqual([shown.text.length, shown.text_truncation.total_characters], [SHOWN_CHARACTERS, 1000])
    assert.ok(JSON.stringify(shown.metadata).length < 1500)
    const [full] = (await own.inApp('list_signals', { depth: 'full' })).data.items
    assert.equal(full.metadata.answer_7, answers.answer_7)
    assert.equal(shown.metadata.answer_7, undefined)
    const { data } = await own.call('service_lookup', 'signals', {})
    assert.equal(data.items[0].metadata, undefined)
    assert.ok(data.items[0].text.length < SHOWN_CHARACTERS)
  })

  it('says how many there are and where they came from, on the first page alone', async () => {
    const first = await workspace.inApp('list_signals', { limit: 2 })
    assert.deepEqual([first.data.count, first.data.count_is_partial, first.data.items.length], [3, false, 2])
    assert.deepEqual(
      first.data.sources.map(({ source }: { source: string }) => source),
      ['desk', 'mail', 'support desk'],
    )
    const second = await workspace.inApp('list_signals', { limit: 2, cursor: first.meta.next_cursor })
    assert.deepEqual([second.data.count, second.data.items.length, second.meta.next_cursor], [0, 1, null])
    await assert.rejects(list({ cursor: 'nonsense' }), failsWith('invalid_input'))
  })

  it('says to an agent, who reads a page alone, how many there are on every page', async () => {
    const first = await workspace.call('service_lookup', 'signals', { limit: 2 })
    const second = await workspace.call('service_lookup', 'signals', { limit: 2, cursor: first.meta.next_cursor })
    assert.deepEqual([second.data.count, second.data.items.length], [3, 1])
  })

  it('begins with the most repeated where that is asked for, page by page, and leaves out what never was', async () => {
    const own = await kit.workspace()
    const signals = []
    for (const text of ['Once more.', 'Never again.', 'Twice more.', 'Once more too.'])
      signals.push(await own.signal({ text }))
    const [once, , twice, onceToo] = signals
    assert.ok(once && twice && onceToo)
    for (const { id } of [once, twice, twice, onceToo]) await own.occurrence(id)
    const page = async (input: object) => own.call('service_lookup', 'signals', { order_by: 'occurrences', ...input })
    const referencesOf = ({ data }: Awaited<ReturnType<typeof page>>): string[] =>
      data.items.map((one: { reference: string }) => one.reference)
    const BY_COUNT = ['SIG-3', 'SIG-4', 'SIG-1']
    const all = await page({})
    assert.deepEqual([all.data.count, referencesOf(all)], [3, BY_COUNT])
    assert.deepEqual(referencesOf(await page({ text: 'more' })), BY_COUNT)
    assert.deepEqual(referencesOf(await page({ state: 'triage', text: 'SIG-4' })), ['SIG-4'])
    const paged: string[] = []
    for (let cursor: string | undefined; ; ) {
      const next = await page({ limit: 1, ...(cursor !== undefined && { cursor }) })
      paged.push(...referencesOf(next))
      if (next.meta.next_cursor === null) break
      cursor = next.meta.next_cursor
    }
    assert.deepEqual(paged, BY_COUNT)
    const { meta } = await page({ limit: 1 })
    await assert.rejects(
      own.call('service_lookup', 'signals', { cursor: meta.next_cursor }),
      failsWith('invalid_input'),
    )
  })

  it('finds who and what came with repeats alone by their originals, and says so', async () => {
    const own = await kit.workspace()
    const first = await own.signal({ text: 'It hangs.', actorName: 'Ann', source: 'desk' })
    const second = await own.signal({ text: 'It sings.', actorName: 'Ben', source: 'desk' })
    await own.signal({ text: 'It swings.', actorName: 'Ann', source: 'desk' })
    const repeat = { metadata: { account: 'Kestrel Labs', lang: 'fr' }, source: 'forum', event: 'post.written' }
    await own.occurrence(first.id, { actorName: 'Cleo', ...repeat })
    await own.occurrence(second.id, {
      actorName: 'Ann',
      metadata: { account: '🙂' },
      occurredAt: new Date('1980-01-01'),
    })

    const asked = async (input: object) => {
      const { data, meta } = await own.call('service_lookup', 'signals', input)
      return [data.count, data.items.map((one: { reference: string }) => one.reference), meta.note]
    }
    const OF_REPEATS =
      'No Signal matches by itself: these are the originals of repeats that do, which mode repeats with an id answers.'
    for (const input of [
      { actor_name: 'cleo' },
      { account: 'Kestrel Labs' },
      { language: 'fr' },
      { metadata: { account: 'kestrel labs' } },
      { source: 'Forum' },
      { event: 'post.written' },
      { actor_name: 'Cleo', account: 'Kestrel Labs', text: 'hangs' },
    ])
      assert.deepEqual(await asked(input), [1, ['SIG-1'], OF_REPEATS], JSON.stringify(input))
    assert.deepEqual(await asked({ account: '🙂' }), [1, ['SIG-2'], OF_REPEATS])
    const inYear = (year: number) => ({ account: '🙂', time: { from: `${year}-01-01`, to: `${year}-12-31` } })
    assert.deepEqual(await asked(inYear(1980)), [1, ['SIG-2'], OF_REPEATS])
    assert.deepEqual(await asked(inYear(1990)), [0, [], undefined])
    assert.deepEqual(await asked({ actor_name: 'Ann' }), [
      2,
      ['SIG-3', 'SIG-1'],
      'Beside these, 1 Signal had repeats that match: mode search with the name finds them.',
    ])
    assert.deepEqual(await asked({ actor_name: 'Ben' }), [1, ['SIG-2'], undefined])
    const found = await own.call('service_lookup', 'search', {
      query: 'Kestrel hangs',
      filters: [
        { field: 'actor', op: 'in', values: ['Cleo'] },
        { field: 'source', op: 'in', values: ['forum'] },
      ],
    })
    assert.deepEqual(
      found.data.items.map((one: { reference: string }) => one.reference),
      ['SIG-1'],
    )
    const line = await own.call('service_lookup', 'search', { query: 'hangs', depth: 'summary', types: ['signal'] })
    const { actor_name, source, occurred_at } = line.data.items[0]
    assert.deepEqual([actor_name, source], ['Ann', 'desk'])
    assert.match(occurred_at, /^\d{4}-\d{2}-\d{2}$/)
    for (const input of [{ actor_name: 'Nobody' }, { account: 'None' }, { source: 'nowhere' }])
      await assert.rejects(own.call('service_lookup', 'signals', input), failsWith('invalid_input'))
  })

  it('says how many have the words as they are written, and when none has all of them', async () => {
    const own = await kit.workspace()
    for (const text of ['The export hangs.', 'Exports hang.', 'The exporter is slow.', 'The exportable kinds.'])
      await own.signal({ text })
    const asked = async (text: string) => {
      const { data, meta } = await own.call('service_lookup', 'signals', { text })
      return [data.count, meta.note]
    }
    const inApp = async (text: string) => {
      const { data } = await own.call('service_lookup', 'signals', { text })
      return data.some_words
    }
    assert.deepEqual([await inApp('export hangs'), await inApp('export zebra')], [false, true])
    assert.deepEqual(await asked('export '), [2, undefined])
    assert.deepEqual(await asked('export'), [
      4,
      '2 of 4 have the words as written; the others longer words that begin so, or ones spelled nearly so.',
    ])
    assert.deepEqual(await asked('exprots'), [
      2,
      'None has the words as written: these have longer words that begin so, or ones spelled nearly so.',
    ])
    assert.deepEqual(await asked('export zebra'), [
      2,
      'None has all of the words: these have some of them, at most 200.',
    ])
  })

  it('shows agents the days of the time zone that they ask in, and texts that begin like a time as texts', async () => {
    const own = await kit.workspace()
    const occurredAt = new Date('2026-03-28T23:30:00Z')
    await own.signal({ text: '2026-99-99T10:00:00.000Z', occurredAt })
    await own.signal({ text: '2026-03-01T10:00 it hangs', occurredAt })
    const lineIn = async (time: object) => {
      const { data } = await own.call('service_lookup', 'signals', { time, depth: 'summary' })
      return data.items.map((one: { text: string; occurred_at: string }) => [one.occurred_at, one.text])
    }
    const texts = ['2026-03-01T10:00 it hangs', '2026-99-99T10:00:00.000Z']
    for (const [time_zone, day] of [
      ['UTC', '2026-03-28'],
      ['Europe/Berlin', '2026-03-29'],
      ['America/Los_Angeles', '2026-03-28'],
    ])
      assert.deepEqual(
        await lineIn({ time_zone }),
        texts.map(text => [day, text]),
      )
  })

  it('is for people of the workspace', async () => {
    const stranger = await kit.workspace()
    assert.deepEqual((await stranger.inApp('list_signals', { text: 'export' })).data.items, [])
    assert.equal((await workspace.inApp('list_signals', {}, 'viewer')).data.count, 3)
  })
})
