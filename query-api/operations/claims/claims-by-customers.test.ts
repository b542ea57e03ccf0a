import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

/** What senders told beside each signal, in the ways that they have. */
const TOLD: readonly (readonly [claim: string, metadata: object])[] = [
  ['Exports of invoices fail', { company: 'Acme', plan: 'Team', revenue: '12.000,50 €', tags: ['exports', 'urgent'] }],
  ['Exports of invoices fail', { account: 'acme', revenue: 9000, lang: 'de' }],
  ['Exports of invoices fail', { company: 'Borealis', revenue: '2k', labels: 'billing; urgent' }],
  ['Invoices have the wrong address', { customer: 'Borealis', plan: 'Free', mrr: '1,500', language: 'en' }],
  ['Login codes never arrive', {}],
]

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  for (const text of new Set(TOLD.map(([claim]) => claim))) {
    const signals = []
    for (const [, metadata] of TOLD.filter(([claim]) => claim === text))
      signals.push(await workspace.signal({ text: `${text}.`, metadata: { ...metadata } }))
    await workspace.claim(text, signals)
  }
})
after(() => kit.stop())

const claims = async (input: object) => (await workspace.inApp('analyze_claims', input)).data
const found = async (input: object): Promise<string[]> =>
  (await claims(input)).items.map(({ reference }: { reference: string }) => reference)
const signals = async (input: object): Promise<string[]> =>
  (await workspace.inApp('list_signals', input)).data.items.map(({ reference }: { reference: string }) => reference)

describe('Claims that are searched for', () => {
  it('are the best first, and are narrowed and ordered as the list is', async () => {
    assert.deepEqual(await found({ query: 'invoices address' }), ['CLM-2', 'CLM-1'])
    assert.deepEqual(await found({ query: 'invoices address', order_by: 'signals' }), ['CLM-1', 'CLM-2'])
    await workspace.inApp('assign_owner', { id: 'CLM-1', owner: 'me' })
    assert.deepEqual(await found({ query: 'invoices address', owner: 'me' }), ['CLM-1'])
    assert.deepEqual(await found({ query: 'invoices address', owner: 'nobody' }), ['CLM-2'])
    assert.deepEqual(await found({ query: 'invoices', kinds: ['opportunity'] }), [])
    assert.deepEqual(await found({ query: 'CLM-3' }), ['CLM-3'])
    const { count, groups } = await claims({ query: 'invoices address', owner: 'me' })
    assert.deepEqual([count, groups.length], [1, 1])
  })

  it('come page by page in their order', async () => {
    const all = await found({ query: 'invoices address' })
    const { data, meta } = await workspace.inApp('analyze_claims', { query: 'invoices address', limit: 1 })
    const rest = await found({ query: 'invoices address', limit: 1, cursor: meta.next_cursor })
    assert.deepEqual([data.items[0].reference, ...rest], all)
  })
})

describe('What senders tell of their customers', () => {
  it('narrows claims and signals, whatever it is called and in any letter case', async () => {
    for (const [filter, expected] of [
      [{ account: 'ACME' }, ['CLM-1']],
      [{ account: 'borealis' }, ['CLM-1', 'CLM-2']],
      [{ account: 'borealis', plan: 'free' }, ['CLM-2']],
      [{ plan: 'team' }, ['CLM-1']],
      [{ language: 'DE' }, ['CLM-1']],
      [{ tag: 'Urgent' }, ['CLM-1']],
      [{ query: 'invoices', account: 'borealis', plan: 'Free' }, ['CLM-2']],
    ] as const)
      assert.deepEqual((await found(filter)).toSorted(), expected, JSON.stringify(filter))
    assert.deepEqual((await signals({ tag: 'urgent' })).toSorted(), ['SIG-1', 'SIG-3'])
    assert.deepEqual(await signals({ tag: 'BILLING' }), ['SIG-3'])
    assert.deepEqual(await signals({ plan: 'free' }), ['SIG-4'])
  })

  it('is refused with the nearest where nobody told it', async () => {
    for (const filter of [{ account: 'Borealiss' }, { plan: 'Tea' }, { language: 'fr' }, { tag: 'urgnt' }]) {
      await assert.rejects(claims(filter), failsWith('invalid_input', /nearest that there are/))
      await assert.rejects(signals(filter), failsWith('invalid_input'))
    }
  })

  it('is counted behind each claim: each company once, with the most that it is worth', async () => {
    const { items } = await claims({ customers: true, order_by: 'revenue' })
    assert.deepEqual(
      items.map(({ reference, accounts, revenue }: Record<string, unknown>) => [reference, accounts, revenue]),
      [
        ['CLM-1', 2, 14000.5],
        ['CLM-2', 1, 1500],
        ['CLM-3', 0, null],
      ],
    )
    assert.deepEqual(await found({ order_by: 'accounts' }), ['CLM-1', 'CLM-2', 'CLM-3'])
    assert.equal('accounts' in (await claims({})).items[0], false)
  })

  it('is shown with each claim, the most frequent first, and orders them by their letters', async () => {
    const { items } = await claims({ customers: true, order_by: 'plan' })
    assert.deepEqual(
      items.map(({ reference, customer_facts }: Record<string, unknown>) => [reference, customer_facts]),
      [
        ['CLM-2', { plan: ['Free'], language: ['en'] }],
        ['CLM-1', { plan: ['Team'], language: ['de'], tag: ['urgent', 'billing', 'exports'] }],
        ['CLM-3', undefined],
      ],
    )
    assert.deepEqual(await found({ order_by: 'language' }), ['CLM-1', 'CLM-2', 'CLM-3'])
    assert.equal('customer_facts' in (await claims({})).items[0], false)
  })

  it('orders signals, those without it last, page by page', async () => {
    for (const [order_by, expected] of [
      ['revenue', ['SIG-1', 'SIG-2', 'SIG-3', 'SIG-4', 'SIG-5']],
      ['account', ['SIG-2', 'SIG-1', 'SIG-4', 'SIG-3', 'SIG-5']],
      ['plan', ['SIG-4', 'SIG-1', 'SIG-5', 'SIG-3', 'SIG-2']],
      ['language', ['SIG-2', 'SIG-4', 'SIG-5', 'SIG-3', 'SIG-1']],
    ] as const) {
      assert.deepEqual(await signals({ order_by }), expected, order_by)
      const paged: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await workspace.inApp('list_signals', { order_by, limit: 1, ...(cursor && { cursor }) })
        paged.push(page.data.items[0].reference)
        cursor = page.meta.next_cursor ?? null
      }
      assert.deepEqual(paged, expected, order_by)
    }
  })

  it('is offered by the lists of the app with their first page', async () => {
    const facts = { account: ['Acme', 'Borealis'], plan: ['Free', 'Team'], language: ['de', 'en'] }
    const more = { tag: ['urgent', 'billing', 'exports'], revenue: true }
    assert.deepEqual((await claims({})).facts, { ...facts, ...more })
    assert.deepEqual((await workspace.inApp('list_signals', {})).data.facts, { ...facts, ...more })
    assert.equal((await workspace.call('service_lookup', 'signals', {})).data.facts, undefined)
  })
})

describe('A revenue', () => {
  it('is read in the ways that people write one, and nothing else is one', async () => {
    const written = {
      '12,000': 12000,
      '12.000': 12000,
      '12,000.50': 12000.5,
      '12.000,50 €': 12000.5,
      '€ 1 234 567,8': 1234567.8,
      "CHF 1'200": 1200,
      '12k': 12000,
      '1.5M': 1500000,
      '99.9': 99.9,
      '1,5': 1.5,
      '-40': -40,
      '3 months': 3,
      unknown: null,
      '': null,
      '1.2.3.4': null,
    }
    const { rows } = await kit.database.pool.query<{ said: string; read: number | null }>(
      `select said, revenue_in(jsonb_build_object('revenue', said)) as read from unnest($1::text[]) as said`,
      [Object.keys(written)],
    )
    assert.deepEqual(Object.fromEntries(rows.map(({ said, read }) => [said, read])), written)
    const odd = [{ revenue: [1] }, { revenue: { a: 1 } }, { revenue: null }, { revenue: true }, {}]
    const none = await kit.database.pool.query<{ read: number | null }>(
      'select revenue_in(told::jsonb) as read from unnest($1::text[]) as told',
      [odd.map(each => JSON.stringify(each))],
    )
    assert.deepEqual(
      none.rows.map(({ read }) => read),
      odd.map(() => null),
    )
  })
})
