import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SOURCE_FORMS } from '../../../../model/sources/kinds/index.ts'
import { axisLabel, axisPositions, drawingOf, type Row, withEmptyPeriods } from './series.ts'
import { changeOf, figureOf } from './vocabulary.ts'

// The build puts in place what is said of the kinds of sources.
Object.assign(globalThis, { __SOURCE_FORMS__: SOURCE_FORMS })
const { groupOf } = await import('./values.ts')

const ANSWER = { from: '2026-05-10T00:00:00.000Z', to: '2026-05-13T09:00:00.000Z', time_zone: 'UTC' }
const labelOf = ({ group }: Row): string => Object.values(group).join(' · ')
const row = (period: string | null, count: number | null, group: Row['group'] = {}, before?: number): Row => ({
  period,
  group,
  metrics: { count },
  ...(before !== undefined && { before: { count: before } }),
})
const day = (date: string) => `2026-05-${date}T00:00:00+0000`
const iso = (places: readonly number[]) => places.map(place => new Date(place).toISOString().slice(0, 16))

describe('the chart of an answer', () => {
  it('is a line with every day of the time, those on which nothing happened too', () => {
    const drawing = drawingOf(ANSWER, [row(day('13'), 5), row(day('11'), 2)], {
      metric: 'count',
      granularity: 'day',
      labelOf,
    })
    assert.ok(drawing?.kind === 'lines')
    assert.deepEqual(
      drawing.data.map(({ line_0 }) => line_0),
      [0, 2, 0, 5],
    )
  })

  it('has a line for each group, the greatest first, and says how many it leaves out', () => {
    const rows = Array.from({ length: 9 }, (_, index) => row(day('11'), index, { source: `s${index}` }))
    const drawing = drawingOf(ANSWER, rows, { metric: 'count', granularity: 'day', labelOf })
    assert.ok(drawing?.kind === 'lines')
    assert.deepEqual([drawing.shown, drawing.of, drawing.series[0]?.label], [6, 9, 's8'])
  })

  it('has a line for each of two groups of one name', () => {
    const rows = [row(day('11'), 3, { claim: 'one' }), row(day('11'), 2, { claim: 'other' })]
    const drawing = drawingOf(ANSWER, rows, { metric: 'count', granularity: 'day', labelOf: () => 'Exports hang' })
    assert.ok(drawing?.kind === 'lines')
    assert.deepEqual([drawing.series.length, drawing.data[1]?.line_0, drawing.data[1]?.line_1], [2, 3, 2])
  })

  it('has no figure, rather than none, where nothing was measured', () => {
    const measured = { ...row(day('11'), 0), metrics: { p95_elapsed_ms: 20 } }
    const drawing = drawingOf(ANSWER, [measured], { metric: 'p95_elapsed_ms', granularity: 'day', labelOf })
    assert.ok(drawing?.kind === 'lines')
    assert.deepEqual(
      drawing.data.map(({ line_0 }) => line_0),
      [null, 20, null, null],
    )
  })

  it('has a table with a row for every day, in the order asked for, and none of a group that is not named', () => {
    const rows = [row(day('11'), 2, {}, 1), row(day('13'), 5, {}, 0)]
    const tabled = (order: { by: string; direction: 'asc' | 'desc' } | null, of = rows) =>
      withEmptyPeriods(ANSWER, of, { granularity: 'day', order }).map(({ period, metrics, before }) => [
        period?.slice(8, 10),
        metrics.count,
        before?.count,
      ])
    const [tenth, eleventh, twelfth, thirteenth] = [
      ['10', 0, 0],
      ['11', 2, 1],
      ['12', 0, 0],
      ['13', 5, 0],
    ] as const
    assert.deepEqual(tabled(null), [tenth, eleventh, twelfth, thirteenth])
    const turned = rows.toReversed()
    assert.deepEqual(tabled({ by: 'period', direction: 'desc' }, turned), [thirteenth, twelfth, eleventh, tenth])
    assert.deepEqual(tabled({ by: 'count', direction: 'desc' }, turned), [thirteenth, eleventh, tenth, twelfth])
    assert.deepEqual(tabled({ by: 'count', direction: 'asc' }), [tenth, twelfth, eleventh, thirteenth])
    const grouped = ['desk', 'mail'].map(source => row(day('11'), 2, { source }))
    assert.deepEqual(
      withEmptyPeriods(ANSWER, grouped, { granularity: 'day', order: null }).map(({ period, group, metrics }) => [
        period?.slice(8, 10),
        group.source,
        metrics.count,
      ]),
      [
        ['10', '', 0],
        ['11', 'desk', 2],
        ['11', 'mail', 2],
        ['12', '', 0],
        ['13', '', 0],
      ],
    )
    const measured = { ...row(day('11'), 0), metrics: { p95_elapsed_ms: 20 } }
    assert.deepEqual(
      withEmptyPeriods(ANSWER, [measured], { granularity: 'day', order: null }).map(({ metrics }) => metrics),
      [null, 20, null, null].map(p95_elapsed_ms => ({ p95_elapsed_ms })),
    )
  })

  it('draws the period before behind', () => {
    const drawing = drawingOf(ANSWER, [row(day('11'), 4, {}, 3)], { metric: 'count', granularity: 'day', labelOf })
    assert.ok(drawing?.kind === 'lines')
    assert.deepEqual(
      drawing.series.map(({ name, isBefore }) => [name, isBefore]),
      [
        ['line_0', false],
        ['before', true],
      ],
    )
    assert.deepEqual(drawing.data[1], { at: Date.UTC(2026, 4, 11), line_0: 4, before: 3 })
  })

  it('is bars where there are groups but no periods, against what was expected of them', () => {
    const rows = [{ ...row(null, 9, { node: 'CSV' }), metrics: { count: 9, expected: 2.5 } }]
    const drawing = drawingOf(ANSWER, rows, { metric: 'count', granularity: null, labelOf })
    assert.ok(drawing?.kind === 'bars')
    assert.deepEqual(drawing.data, [{ at: 'CSV', key: '{"node":"CSV"}', value: 9, before: 2.5 }])
  })

  it('is a figure where one row says all, and nothing where there is none', () => {
    assert.equal(drawingOf(ANSWER, [row(null, 3)], { metric: 'count', granularity: null, labelOf })?.kind, 'figure')
    assert.equal(drawingOf(ANSWER, [], { metric: 'count', granularity: null, labelOf }), null)
  })

  it('knows the periods of zones whose clocks change', () => {
    const berlin = { from: '2026-03-27T23:00:00Z', to: '2026-03-30T22:00:00Z', time_zone: 'Europe/Berlin' }
    assert.deepEqual(iso(axisPositions(['2026-03-29T00:00:00+0100'], { ...berlin, granularity: 'day' })), [
      '2026-03-28T00:00',
      '2026-03-29T00:00',
      '2026-03-30T00:00',
    ])
    const night = { ...berlin, from: '2026-03-28T23:30:00Z', to: '2026-03-29T02:00:00Z', granularity: 'hour' as const }
    const hours = axisPositions(['2026-03-29T00:00:00+0100'], night)
    assert.deepEqual(
      hours.map(place => axisLabel(place, 'hour', 'Europe/Berlin').slice(-5)),
      ['00:00', '01:00', '03:00'],
    )
    const months = {
      from: '2026-01-15T00:00:00Z',
      to: '2026-03-02T00:00:00Z',
      time_zone: 'UTC',
      granularity: 'month' as const,
    }
    assert.deepEqual(iso(axisPositions(['2026-02-01T00:00:00+0000'], months)), [
      '2026-01-01T00:00',
      '2026-02-01T00:00',
      '2026-03-01T00:00',
    ])
  })

  it('does not fill up what has no room', () => {
    const year = {
      from: '2026-01-01T00:00:00Z',
      to: '2027-01-01T00:00:00Z',
      time_zone: 'UTC',
      granularity: 'minute' as const,
    }
    assert.equal(axisPositions(['2026-06-01T00:00:00+0000', '2026-06-01T05:00:00+0000'], year).length, 2)
  })

  it('names what rows are grouped by, and shows no id', () => {
    const id = '0197a3c0-1111-7222-8333-444455556666'
    const pathOf = new Map([[id, 'Billing / Invoices']])
    const of = (field: string, value: string, named?: Row['named']) =>
      groupOf(field, { group: { [field]: value }, ...(named && { named }) }, field === 'node' ? pathOf : new Map())
    assert.equal(of('claim', id, { claim: { reference: 'CLM-3', title: 'Exports hang' } }), 'CLM-3 Exports hang')
    assert.equal(of('actor', id, { actor: { reference: null, title: 'Ada' } }), 'Ada')
    assert.equal(of('node', id, { node: { reference: null, title: 'Invoices' } }), 'Billing / Invoices')
    for (const field of ['claim', 'source', 'reason']) assert.equal(of(field, id), 'No longer there')
    for (const actor of [id, 'ab'.repeat(32)]) assert.equal(of('actor', actor), 'Somebody without a name')
    assert.equal(of('claim', ''), '')
  })

  it('says figures in their units', () => {
    assert.deepEqual(
      [
        figureOf('count', 12345),
        figureOf('p95_elapsed_ms', 12.345),
        figureOf('p95_elapsed_ms', 4200),
        figureOf('p95_elapsed_ms', 5_400_000),
        figureOf('acceptance_rate', 0.987),
        figureOf('share_of_received', 0.48),
        figureOf('share_of_previous_stage', 0.48),
        figureOf('chance', 0.00001234),
        figureOf('count', null),
      ],
      ['12,345', '12.35 ms', '4.2 s', '90 min', '98.7\u00a0%', '48\u00a0%', '48\u00a0%', '< 0.01\u00a0%', '–'],
    )
    assert.deepEqual(
      [changeOf(3, 2), changeOf(1, 2), changeOf(2, 2), changeOf(1, 0), changeOf(null, 2)],
      ['+50\u00a0%', '-50\u00a0%', '0\u00a0%', null, null],
    )
  })
})
