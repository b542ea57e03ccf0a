import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { createKey, createSignalSource } from '../../test/support/person.ts'
import { sendSignal } from '../../test/support/sender.ts'
import { describeEveryState } from './every-state.ts'
import { DESKTOP, PHONE, startVisit, type Visit } from './visit.ts'

const FORMULA = '=HYPERLINK("https://evil.example","x")'
const MARKUP = '<img src=x onerror=alert(1)> evil'
/** Between two dates below a chart, in pixels. */
const LEAST_GAP = 12
/** How many signals each source sends. */
const SENT = { community: 3, 'sales calls': 2, [FORMULA]: 1, [MARKUP]: 1, forum: 1, desk: 1 }
const BY_SOURCE = '/app/explore?group_by=source&granularity=all'

/** How much lighter the lighter of two colours is, such as `rgb(18, 21, 25)`, as WCAG 2 counts it. */
const contrastOf = (...colors: readonly [string, string]): number => {
  const [light = 0, dark = 0] = colors
    .map(color => {
      const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(part => {
        const share = Number(part) / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    })
    .toSorted((one, other) => other - one)
  return (light + 0.05) / (dark + 0.05)
}

interface Item {
  readonly period: string | null
  readonly group: Readonly<Record<string, string>>
  readonly metrics: Readonly<Record<string, number>>
}

describe('Explore', () => {
  let visit: Visit
  let source: Awaited<ReturnType<typeof createSignalSource>>
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  const rows = async (): Promise<string[][]> => {
    const found = await visit.page.locator('tbody tr').all()
    return Promise.all(found.map(row => row.locator('td').allTextContents()))
  }
  /** The gaps between the dates below the chart that are hard to see. */
  const narrowGaps = async (): Promise<readonly number[]> => {
    const boxes = await visit.page.locator('figure svg > text').evaluateAll(dates =>
      dates.map(each => {
        const { left, right } = each.getBoundingClientRect()
        return { left, right }
      }),
    )
    assert.ok(boxes.length > 1, 'there are no two dates')
    return boxes.slice(1).flatMap((box, index) => {
      const gap = box.left - (boxes[index]?.right ?? 0)
      return gap < LEAST_GAP ? [gap] : []
    })
  }
  const row = (name: string) => visit.page.locator('tbody tr', { hasText: name })

  it('says so where nothing happened', async () => {
    const { page, open, checkAccess } = visit
    await open('/app/explore')
    await page.getByText('Nothing happened').waitFor()
    await checkAccess()
  })

  it('shows a chart and a table of every day, with dates that do not touch', async () => {
    const { page, person, open } = visit
    source = await createSignalSource(person)
    const names = Object.entries(SENT).flatMap(([name, times]) => Array<string>(times).fill(name))
    for (const [time, name] of names.entries()) {
      // No text repeats another one: each becomes a Signal of its own.
      await sendSignal(source, { text: `The export hangs for the ${time}. time.`, source: name })
    }
    await eventually('the analytics know every signal, from its receipt to its row', async () => {
      const { items } = await person.call<{ items: Item[] }>('analyze_activity', {
        metrics: ['count', 'distinct_signals'],
        filters: [{ field: 'kind', op: 'in', values: ['signal.received'] }],
      })
      const { count, distinct_signals: distinct } = items[0]?.metrics ?? {}
      return count === names.length && distinct === names.length
    })
    await open('/app/explore')
    await page.locator('[data-line]').waitFor()
    await page
      .getByRole('columnheader', { name: 'Period', exact: true })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor()
    assert.equal(await page.locator('[data-dot]').count(), 31)
    const counts = (await rows()).map(([, count]) => count)
    assert.deepEqual(counts.toSorted(), [...Array.from({ length: 30 }, () => '0'), '9'])
    for (const viewport of [PHONE, { width: 700, height: 800 }, DESKTOP]) {
      await page.setViewportSize(viewport)
      await eventually('the dates have their room', async () => assert.deepEqual(await narrowGaps(), []) ?? true)
    }
  })

  it('keeps what is asked in its address, and is asked by keyboard alone', async () => {
    const { page, open } = visit
    await open('/app/explore?granularity=all')
    await page.getByRole('combobox', { name: 'Group by' }).focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter', 'Escape']) await page.keyboard.press(key)
    await row('community').waitFor()
    assert.match(page.url(), /group_by=source/)
    await page.reload()
    await row('community').waitFor()
    assert.deepEqual((await rows()).slice(0, 2), [
      ['community', '3'],
      ['sales calls', '2'],
    ])
    const sorted = (column: string, direction: string) =>
      page
        .getByRole('columnheader', { name: column, exact: true })
        .and(page.locator(`[aria-sort=${direction}]`))
        .waitFor()
    // As it comes it is in an order too.
    await sorted('Count', 'descending')
    await page.getByRole('button', { name: 'Count', exact: true }).focus()
    await page.keyboard.press('Enter')
    await sorted('Count', 'ascending')
    await eventually('the order is turned', async () => (await rows()).at(-1)?.[0] === 'community')
    await page
      .locator('#said > p')
      .filter({ hasText: /^\d rows, sorted by Count, ascending$/ })
      .waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await eventually('it is turned back', async () => (await rows())[0]?.[0] === 'community')
    await page.getByRole('switch', { name: 'Compare with the previous period' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('columnheader', { name: 'Previous' }).waitFor()
    await page.getByRole('radio', { name: 'Figures' }).focus()
    await page.keyboard.press('ArrowRight')
    await row('Received').first().waitFor()
    assert.match(page.url(), /question=funnel/)
  })

  it('copies the call by which an agent gets the same figures', async () => {
    const { page, person, go, installation, checkAccess } = visit
    await go(`${BY_SOURCE}&metrics=count%2Cdistinct_signals`)
    await row('community').waitFor()
    await page.getByRole('button', { name: 'Copy as tool call' }).click()
    const text = await page.locator('pre[data-label="JSON-RPC call"]').textContent()
    await checkAccess()
    const { key } = await createKey(person)
    const answer = await fetch(`${installation.baseUrl}/api/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${key}`,
      },
      body: text,
    })
    const { result } = (await answer.json()) as { result: { structuredContent: { data: { items: Item[] } } } }
    const answered = result.structuredContent.data.items.map(({ group, metrics }) => [
      // Agents read it between marks.
      group.source?.slice(1, -1),
      String(metrics.count),
      String(metrics.distinct_signals),
    ])
    assert.equal(answered.length, 6)
    assert.deepEqual(answered, await rows())
    await page.keyboard.press('Escape')
  })

  it('saves a CSV in which nothing is a formula', async () => {
    const { page } = visit
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    assert.match(download.suggestedFilename(), /^assay-figures-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
    const [header, ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    assert.equal(header, 'source,count,distinct_signals')
    assert.deepEqual(lines.slice(0, 2), ['community,3,3', 'sales calls,2,2'])
    assert.ok(lines.includes('"\'=HYPERLINK(""https://evil.example"",""x"")",1,1'), lines.join('\n'))
  })

  it('shows hostile names as text', async () => {
    await row('onerror').waitFor()
    assert.equal(await visit.page.locator('main img').count(), 0)
  })

  it('filters by what is written, and says in the service’s words what it does not take', async () => {
    const { page, open, expectStatus } = visit
    await open(BY_SOURCE)
    await row('community').waitFor()
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByRole('combobox', { name: 'Values of filter 2' }).fill('sales calls')
    await page.keyboard.press('Enter')
    await row('community').waitFor({ state: 'detached' })
    assert.deepEqual(await rows(), [['sales calls', '2']])
    expectStatus(400)
    await open('/app/explore?time_zone=Nowhere')
    await page
      .getByRole('alert')
      .filter({ hasText: /time zone/i })
      .waitFor()
  })

  it('answers every named question', async () => {
    const { go, checkAccess, noSideScroll, page } = visit
    const shown = {
      funnel: 'Evidence of a claim',
      latency: 'Since received',
      sources: 'Support desk',
      trending: 'nothing to compare with',
    }
    for (const [question, text] of Object.entries(shown)) {
      await go(`/app/explore?question=${question}&granularity=all&compare=yes`)
      await page.getByText(text).first().waitFor()
      await checkAccess()
      await noSideScroll()
    }
  })

  for (const colorScheme of ['light', 'dark'] as const)
    it(`draws each of six lines in a colour of its own that is seen, with its name in the same: ${colorScheme}`, async () => {
      const { page, open } = visit
      await page.emulateMedia({ colorScheme })
      await open('/app/explore?group_by=source')
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
      await eventually('the six are there', async () => (await page.locator('figure [data-line]').count()) === 6)
      const colorsOf = (what: string, property: 'stroke' | 'backgroundColor') =>
        page.evaluate<string[]>(
          `[...document.querySelectorAll('${what}')].map(each => getComputedStyle(each).${property})`,
        )
      const lines = await colorsOf('figure [data-line]', 'stroke')
      const [ground = ''] = await colorsOf('body', 'backgroundColor')
      assert.equal(new Set(lines).size, 6, lines.join(' '))
      for (const line of lines) assert.ok(contrastOf(line, ground) >= 3, `${line} on ${ground}`)
      assert.deepEqual(await colorsOf('figure li span', 'backgroundColor'), lines)
      await page.emulateMedia({ colorScheme: 'light' })
    })

  it('draws each group once when the interval is taken away, though it was drawn by the day before', async () => {
    const { page, person, open } = visit
    for (const days of [3, 5]) {
      const occurred_at = new Date(Date.now() - days * 86_400_000).toISOString()
      await sendSignal(source, { text: `The import hangs since ${days} days.`, source: 'partners', occurred_at })
    }
    await eventually('the analytics know both', async () => {
      const { items } = await person.call<{ items: Item[] }>('analyze_activity', {
        metrics: ['count'],
        group_by: ['source'],
        filters: [{ field: 'kind', op: 'in', values: ['signal.received'] }],
      })
      return items.find(({ group }) => group.source === 'partners')?.metrics.count === 2
    })
    await open('/app/explore?group_by=source&granularity=day')
    await page.locator('[data-line]').first().waitFor()
    await page.getByRole('combobox', { name: 'Interval' }).click()
    await page.getByRole('option', { name: 'All time' }).click()
    const drawn = page.locator('[data-chart] bdi[title=partners]')
    await page.locator('figure [data-chart] bdi').first().waitFor()
    await eventually('one row is left of it', async () => (await row('partners').count()) === 1)
    assert.equal(await drawn.count(), 1)
  })

  it('tells a node by its path', async () => {
    const { person, open } = visit
    const { id } = await person.call<{ id: string }>('add_map_node', { name: 'Exports' })
    const { id: csv } = await person.call<{ id: string }>('add_map_node', { name: 'CSV', parent_id: id })
    const filters = JSON.stringify([{ field: 'node', op: 'in', values: [csv] }])
    await open(`/app/explore?filters=${encodeURIComponent(filters)}`)
    await visit.page.getByText('Exports / CSV').first().waitFor()
  })

  describeEveryState(() => visit, { screen: 'explore', path: BY_SOURCE, reads: 'analyze_activity', shows: 'community' })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
