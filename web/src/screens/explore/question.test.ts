import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { agentCall, DEFAULTS, filtersOf, pinned, queryOf } from './question.ts'

const NOW = new Date('2026-06-15T22:30:00Z')
const query = (state: Partial<typeof DEFAULTS>) =>
  queryOf({ ...DEFAULTS, time_zone: 'UTC', ...state } as typeof DEFAULTS, NOW)

describe('what Explore asks', () => {
  it('is the Signals received by day in the last month where the address says nothing', () => {
    assert.deepEqual(query({}), {
      metrics: ['count'],
      time: { from: '2026-05-16', granularity: 'day' },
      filters: [{ field: 'kind', op: 'in', values: ['signal.received'] }],
    })
  })

  it('is of the days of the reader’s time zone unless the address names another', () => {
    assert.equal(DEFAULTS.time_zone, Intl.DateTimeFormat().resolvedOptions().timeZone)
  })

  it('is everything that the address says', () => {
    assert.deepEqual(
      query({
        metrics: 'count,p95_elapsed_ms',
        group_by: 'step,outcome',
        range: '7d',
        granularity: 'hour',
        time_zone: 'Europe/Berlin',
        clock: 'received',
        compare: 'yes',
        order: 'period:asc',
        filters: '[{"field":"tool","op":"contains","values":["look","map"]}]',
      }),
      {
        metrics: ['count', 'p95_elapsed_ms'],
        group_by: ['step', 'outcome'],
        // It is June 16 in Berlin.
        time: { from: '2026-06-09', granularity: 'hour', time_zone: 'Europe/Berlin' },
        filters: [{ field: 'tool', op: 'contains', values: ['look', 'map'] }],
        clock: 'received',
        compare: true,
        order: { by: 'period', direction: 'asc' },
      },
    )
  })

  it('leaves out what its question does not take', () => {
    const all = { group_by: 'source', compare: 'yes', order: 'count:asc', range: '24h' }
    const from = '2026-06-14T22:00:00.000Z'
    assert.deepEqual(query({ ...all, question: 'funnel' }), { question: 'funnel', time: { from }, compare: true })
    assert.deepEqual(query({ ...all, question: 'sources' }), { question: 'sources', time: { from } })
    assert.deepEqual(Object.keys(query({ ...all, question: 'trending' })), ['question', 'group_by', 'time', 'filters'])
    // Latency is of one kind of event, which none of another kind is.
    assert.equal(query({ ...all, question: 'latency' }).filters, undefined)
    assert.deepEqual(query({ granularity: '', order: 'period:asc', filters: '[]' }), {
      metrics: ['count'],
      time: { from: '2026-05-16' },
    })
  })

  it('takes the last day of a range in', () => {
    assert.deepEqual(query({ range: 'custom', from: '2026-02-01', until: '2026-02-28', filters: '[]' }).time, {
      from: '2026-02-01',
      to: '2026-03-01',
      granularity: 'day',
    })
  })

  it('makes nothing of an address that says nonsense', () => {
    assert.deepEqual(
      query({
        question: 'toString',
        metrics: 'count,drop,count',
        group_by: '__proto__',
        granularity: 'eon',
        range: '-1d',
      }),
      { ...query({}), time: { from: '2026-05-16' } },
    )
    const nonsense = [
      '',
      '{',
      '5',
      '{"field":"kind"}',
      '[null,1,{"field":"x","op":"in","values":[]}]',
      '[{"field":"kind","op":"in","values":[1]}]',
    ]
    for (const filters of nonsense) assert.deepEqual(filtersOf({ filters }), [], filters)
    assert.doesNotThrow(() => query({ time_zone: 'Nowhere/At all', range: 'custom', until: '2026-99-99' }))
  })

  it('is an agent’s call, about exactly the time that was answered', () => {
    const answer = { from: '2026-05-16T00:00:00.000Z', to: '2026-06-15T22:30:00.000Z' }
    assert.deepEqual(JSON.parse(agentCall(pinned(query({ filters: '[]' }), answer))), {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'service_analyze',
        arguments: { mode: 'activity', metrics: ['count'], time: { ...answer, granularity: 'day' } },
      },
    })
  })
})
