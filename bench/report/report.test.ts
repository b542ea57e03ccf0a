import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { renderPage } from './page.ts'
import { keepReport, type Report, readLast, summarize } from './report.ts'
import { beginReport, continueReport } from './under-way.ts'

const figures = [
  { name: 'edge: CPU a request', value: 90, unit: 'µs', atMost: 80 },
  { name: 'growth: one workspace', value: 2, unit: 'ms', at: 1000 },
  { name: 'growth: one workspace', value: 3, unit: 'ms', at: 10_000 },
  { name: 'edge: CPU a request', value: 70, unit: 'µs', atMost: 80 },
  { name: 'edge: CPU a request', value: 85, unit: 'µs', atMost: 80 },
  { name: 'edge: accepted', value: 500, unit: 'requests/s', atLeast: 400 },
]

const report = (more: Partial<Report> = {}): Report => ({
  kind: 'quick',
  startedAt: '2026-01-02T03:04:05.000Z',
  commit: 'abc1234',
  machine: 'two cores',
  figures: summarize(figures),
  failed: [],
  ...more,
})

describe('a report of the benchmarks', () => {
  it('has the median and the spread of each figure over its rounds, and says what is missed', () => {
    const [cpu, small, large, accepted] = summarize(figures)
    const told = { median: cpu?.median, least: cpu?.least, most: cpu?.most, rounds: cpu?.rounds, isKept: cpu?.isKept }
    assert.deepEqual(told, { median: 85, least: 70, most: 90, rounds: 3, isKept: false })
    assert.deepEqual([small?.at, small?.median, small?.isKept], [1000, 2, null])
    assert.deepEqual([large?.at, large?.median], [10_000, 3])
    assert.equal(accepted?.isKept, true)
  })

  it('is compared with the newest one of its kind and machine', t => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-reports-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    assert.equal(readLast(folder, report()), null)
    for (const day of ['03', '02'])
      keepReport(folder, report({ startedAt: `2026-01-${day}T00:00:00.000Z`, commit: day }))
    keepReport(folder, report({ startedAt: '2026-02-01T00:00:00.000Z', kind: 'all' }))
    keepReport(folder, report({ startedAt: '2026-02-02T00:00:00.000Z', machine: 'another' }))
    assert.equal(readLast(folder, report())?.commit, '03')
  })

  it('is a page with a row for each figure, a plot for what grows, and no markup of others', () => {
    const page = renderPage(report({ machine: '<script>alert(1)</script>', failed: ['app'] }), report())
    assert.equal(page.match(/<tr[ >]/g)?.length, 1 + 4)
    assert.equal(page.match(/<polyline/g)?.length, 1)
    assert.match(page, /class="missed"><td>edge: CPU a request/)
    assert.match(page, /1\.00 ×/)
    assert.match(page, /app failed/)
    assert.doesNotMatch(page, /<script/)
  })

  it('goes on where it was ended, but not on another commit or machine', t => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-reports-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const { figures: _figures, failed: _failed, ...begun } = report()
    assert.throws(() => continueReport(folder, begun), /no report under way/)

    const ended = { benchmark: 'edge', hasFailed: false, figures }
    beginReport(folder, begun).keep(ended)
    const later = { ...begun, startedAt: '2026-01-03T00:00:00.000Z' }
    const goneOn = continueReport(folder, later)
    assert.deepEqual([goneOn.begun, goneOn.ended], [begun, [ended]])
    goneOn.keep({ ...ended, benchmark: 'app' })
    assert.equal(continueReport(folder, later).ended.length, 2)
    assert.throws(() => continueReport(folder, { ...later, commit: 'def5678' }), /another commit: abc1234/)
    assert.throws(() => continueReport(folder, { ...later, machine: 'four cores' }), /another machine/)

    goneOn.remove()
    assert.throws(() => continueReport(folder, later), /no report under way/)
    assert.equal(readLast(folder, report()), null)
  })
})
