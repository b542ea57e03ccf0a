import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { storeThemes } from '../../../model/themes/store-themes.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
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

const lookup = async (mode: string, input: object = {}) => (await workspace.call('service_lookup', mode, input)).data

interface Member {
  readonly id: SignalId
  readonly likeness?: number
  readonly language?: string
}

/** Stores themes as the job does. */
const store = (...themes: readonly (readonly [name: string, members: readonly Member[]])[]) =>
  kit.database.database.transaction(
    { role: 'assay_pipeline', workspaceIds: [workspace.id] },
    async transaction =>
      await storeThemes(
        transaction,
        workspace.id,
        themes.map(([name, members]) => ({
          name,
          members: members.map(({ id, likeness = 5, language = null }) => ({
            ...{ signalId: id, likeness, language },
            ...{ start: 0, length: 200 },
          })),
        })),
        { throughNumber: 0, signals: 0, model: 'test', mean: null, answers: 0 },
      ),
  )

const say = (text: string, days = 1) =>
  workspace.signal({ text, occurredAt: new Date(kit.now.getTime() - days * DAY_MS) })

describe('Themes', () => {
  it('are listed with what is in them, the largest first, and merge nothing', async () => {
    const signals = [
      await say('The invoice has a wrong address.', 40),
      await say('Our address on the bill is not right.', 10),
      await say('Die Adresse auf der Rechnung stimmt nicht.', 5),
      await say('A wrong address on the invoice.', 70),
    ]
    const others = [await say('Dark mode, please.'), await say('The app is too bright.'), await say('Night colours?')]
    const claim = await workspace.claim('Wrong addresses', signals.slice(0, 2))
    await workspace.run('create_solution', { title: 'Check addresses', claim_ids: [claim.id], comment: 'Agreed.' })
    const languages = ['en', 'en', 'de', 'en']
    await store(
      ['bright, night', others],
      ['address, invoice', signals.map(({ id }, at) => ({ id, language: languages[at] ?? 'en', likeness: 6 - at }))],
    )
    const { count, items } = await lookup('themes', { depth: 'standard' })
    assert.equal(count, 2)
    assert.partialDeepStrictEqual(items, [
      {
        reference: 'THM-2',
        name: 'address, invoice',
        signals: 4,
        by_kind: { problem: 4, idea: 0, question: 0, unclassified: 0 },
        languages: ['en', 'de'],
        last_30_days: 2,
        previous_30_days: 1,
        claims: 1,
        top_claims: [{ reference: claim.reference, title: 'Wrong addresses' }],
        solutions: 1,
        top_solutions: [{ title: 'Check addresses', state: 'Backlog' }],
        split_from: null,
        formerly: [],
      },
      { reference: 'THM-1', signals: 3, claims: 0, solutions: 0 },
    ])
    const quotes: readonly { text: string }[] = items[0].quotes
    assert.equal(quotes.length, 3)
    assert.equal(quotes[0]?.text, 'The invoice has a wrong address.')
    assert.ok(quotes.some(({ text }) => text.includes('Rechnung')))
    const firstFor = async (language: string) => [
      (await workspace.inApp('list_themes', { reader_language: language })).data.items[0].quotes[0].text,
      (await workspace.inApp('lookup_theme', { id: 'THM-2', reader_language: language })).data.quotes[0].text,
    ]
    for (const text of await firstFor('de')) assert.match(text, /Rechnung/)
    for (const text of await firstFor('fr')) assert.equal(text, 'The invoice has a wrong address.')
    const { rows } = await kit.database.pool.query(
      'select count(*)::int as merges from merges where workspace_id = $1',
      [workspace.id],
    )
    assert.deepEqual(rows, [{ merges: 0 }])
  })

  it('quote a signal in the language of the reader first, however many are surer', async () => {
    const members = []
    for (let at = 0; at < 14; at += 1) {
      const isLast = at === 13
      const { id } = await say(isLast ? 'Der Knopf klemmt.' : `The button sticks, case ${at}.`)
      members.push({ id, language: isLast ? 'de' : 'en', likeness: 20 - at })
    }
    await store(['button, sticks', members])
    const { items } = (await workspace.inApp('list_themes', { reader_language: 'de' })).data
    const quotes = items.find(({ signals }: { signals: number }) => signals === 14).quotes
    assert.equal(quotes[0].text, 'Der Knopf klemmt.')
    assert.equal(quotes.length, 3)
  })

  it('count the companies of their signals and repeats, each once in any letter case, and not what names none', async () => {
    const from = (text: string, metadata: object = {}) => workspace.signal({ text, metadata: { ...metadata } })
    const signals = [
      await from('Invoices are late.', { company: 'Acme', plan: 'Team' }),
      await from('Late invoices.', { account: 'ACME' }),
      await from('The invoice came too late.', { customer: 'Borealis' }),
      await from('We wait for the invoice.', { company: '' }),
      await from('Where is the invoice?'),
    ]
    const [first, , third] = signals
    if (first !== undefined) await workspace.occurrence(first.id, { metadata: { organization: 'Cirrus' } })
    if (third !== undefined) await workspace.occurrence(third.id, { metadata: { company: 'borealis' } })
    await store(['invoice, late', signals], ['dark, night', [await from('Dark at night.')]])
    const items = async (depth: string) => (await lookup('themes', { depth })).items
    const counts = (await items('standard')).map(({ customers }: { customers: number }) => customers)
    assert.deepEqual(counts, [3, 0])
    assert.equal((await workspace.inApp('lookup_theme', { id: 'THM-1' })).data.customers, 3)
    const [line, other] = await items('summary')
    assert.deepEqual([line.customers, 'customers' in other], [3, false])
    await workspace.run('triage', { action: 'dismiss', signal_id: third?.id, comment: 'It is no invoice.' })
    assert.equal((await lookup('theme', { id: 'THM-1' })).customers, 2)
  })

  it('are found by words of the name that they are shown by, begun or mistyped', async () => {
    const signals = [await say('The address of the invoice is wrong.'), await say('Dark at night.')]
    await store(['address, invoice', signals.slice(0, 1)], ['dark, night', signals.slice(1)])
    await workspace.inApp('update_theme', { theme_id: 'THM-1', name: 'Wrong addresses' })
    const found = async (query: string) =>
      (await workspace.inApp('search_themes', { query })).data.items.map(({ name }: { name: string }) => name)
    assert.deepEqual(await found('addr'), ['Wrong addresses'])
    assert.deepEqual(await found('nihgt dark'), ['dark, night'])
    assert.deepEqual(await found('invoice'), [])
  })

  it('are listed by their likeness to one of them, for a person who says that two are one', async () => {
    const [one, two, three, four] = [
      await say('It rains in.'),
      await say('It is dark.'),
      await say('Wet floor.'),
      await say('Hm.'),
    ]
    await store(['rain', [one]], ['light', [two, four]], ['floor', [three]])
    const point = (number: number, across: number) =>
      kit.database.pool.query(
        `update themes set direction = (array[1, $3::real] || array_fill(0::real, array[1022]))::halfvec
         where workspace_id = $1 and number = $2`,
        [workspace.id, number, across],
      )
    await point(1, 0)
    await point(2, 9)
    await point(3, 0.2)
    const listed = async (input: object) =>
      (await lookup('themes', input)).items.map(({ reference }: { reference: string }) => reference)
    assert.deepEqual(await listed({ alike: 'THM-1' }), ['THM-1', 'THM-3', 'THM-2'])
    assert.deepEqual(await listed({}), ['THM-2', 'THM-1', 'THM-3'])
    await assert.rejects(listed({ alike: 'THM-9' }), failsWith('not_found'))
  })

  it('are looked up with their signals, the surest first and the doubtful at the end, dismissed ones left out', async () => {
    const signals = [await say('One'), await say('Two'), await say('Three'), await say('Four')]
    const claim = await workspace.claim('Numbers', signals.slice(1, 2))
    await store(['numbers', signals.map(({ id }, at) => ({ id, likeness: 3 + at }))])
    const [first] = signals
    await workspace.run('triage', { action: 'dismiss', signal_id: signals[2]?.id, comment: 'It is no number.' })
    const theme = await lookup('theme', { id: 'numbers', depth: 'standard' })
    assert.deepEqual([theme.reference, theme.signals, theme.count], ['THM-1', 3, 3])
    assert.deepEqual(
      theme.items.map((item: { text: string; is_doubtful: boolean; claim: string | null }) => [
        item.text,
        item.is_doubtful,
        item.claim,
      ]),
      [
        ['Four', false, null],
        ['Two', false, claim.reference],
        ['One', true, null],
      ],
    )
    assert.equal(theme.items[2].signal_id, first?.id)
  })

  it('that are found no more lead to the one that most of their signals are in, and what split says so', async () => {
    const signals = await Promise.all(['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(text => say(`Letter ${text}`)))
    await store(['first', signals.slice(0, 3)], ['second', signals.slice(3)])
    await store(['whole', signals])
    const whole = await workspace.call('service_lookup', 'theme', { id: 'THM-1' })
    assert.deepEqual([whole.data.reference, whole.data.name, whole.data.formerly], ['THM-2', 'whole', ['THM-1']])
    assert.match(whole.meta.note, /THM-1 is no theme of its own: most of its Signals were found in THM-2/)
    await store(['half', signals.slice(0, 3)], ['rest', signals.slice(3)])
    assert.deepEqual((await lookup('theme', { id: 'THM-3' })).split_from, 'THM-2')
    await store()
    assert.deepEqual((await lookup('themes')).count, 0)
    const ended = await lookup('theme', { id: 'THM-2' })
    assert.deepEqual([ended.signals, ended.items, ended.quotes], [0, [], []])
    await assert.rejects(lookup('theme', { id: 'THM-9' }), failsWith('not_found', /mode themes lists/))
  })

  it('of a workspace are an overview of at most 1,200 tokens, which goes on', async () => {
    const signals = await Promise.all(
      Array.from({ length: 120 }, (_, at) =>
        workspace.signal({
          text: `Signal ${at} tells at some length of what is wrong with our address.`,
          metadata: { company: `Company ${at}` },
        }),
      ),
    )
    await store(
      ...Array.from(
        { length: 40 },
        (_, at) => [`address, invoice, company ${at}`, signals.slice(at * 3, at * 3 + 3)] as const,
      ),
    )
    const first = await workspace.call('service_lookup', 'themes', { depth: 'summary' })
    // Agents read the name and the quote of each between marks.
    const tokens = countTokens(JSON.stringify(first)) + 4 * first.data.items.length
    assert.ok(tokens <= 1_200, `${tokens}`)
    assert.equal(first.data.count, 40)
    const shown = first.data.items.length
    assert.ok(shown >= 10, `${shown} are shown`)
    const next = await workspace.call('service_lookup', 'themes', { depth: 'summary', cursor: first.meta.next_cursor })
    assert.notEqual(next.data.items[0].reference, first.data.items[0].reference)
  })
})
