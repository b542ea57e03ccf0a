import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { settle, settleNext } from '../every-screen.ts'
import { DESKTOP, type Visit } from '../visit.ts'

/** A phone, a tablet upright, a small and a usual desk; and a usual desk at 400 %, as WCAG 1.4.10 has it. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
  { width: 360, height: 225 },
] as const

const LEAST = 12

/**
 * What is wrong with the rows of the lists that are shown: a title of which fewer than twelve letters can be seen,
 * and texts that lie over it. And buttons that do not say all of their words. What scrolls sideways by itself can be
 * scrolled to.
 */
const FAULTS = `(() => {
  const faults = []
  let rows = 0
  const range = document.createRange()
  const pen = document.createElement('canvas').getContext('2d')
  const rectsOf = element => {
    range.selectNodeContents(element)
    return [...range.getClientRects()].filter(({ width, height }) => width > 2 && height > 2)
  }
  /** A box without what ancestors cut off. */
  const cut = (element, box) => {
    let { left, right, top, bottom } = box
    for (let each = element; each !== null && !each.matches('main'); each = each.parentElement) {
      if (!['hidden', 'clip'].includes(getComputedStyle(each).overflowX)) continue
      const edge = each.getBoundingClientRect()
      left = Math.max(left, edge.left)
      right = Math.min(right, edge.right)
      top = Math.max(top, edge.top)
      bottom = Math.min(bottom, edge.bottom)
    }
    return { left, right, top, bottom }
  }
  /** What stays in sight while one scrolls has a ground of its own. */
  const isSticky = element => {
    for (let each = element; each !== null; each = each.parentElement) {
      if (getComputedStyle(each).position === 'sticky') return true
    }
    return false
  }
  const textOf = element => [...element.childNodes].find(each => each.nodeType === 3 && each.data.trim() !== '')
  for (const row of document.querySelectorAll('main :is(tbody > tr, li, [role=option], [role=treeitem])')) {
    const isOwn = each => each.checkVisibility() && textOf(each) !== undefined &&
      each.closest('li, tr, [role=option], [role=treeitem]') === row
    const title = [...row.querySelectorAll('bdi, [dir=auto]')].find(isOwn)
    if (title === undefined) continue
    rows += 1
    const name = title.textContent.trim().slice(0, 30)
    const text = textOf(title)
    const begin = text.data.length - text.data.trimStart().length
    range.setStart(text, begin)
    range.setEnd(text, Math.min(text.data.trimEnd().length, begin + ${LEAST}))
    for (const box of range.getClientRects()) {
      const { left, right } = cut(title, box)
      if (right - left < box.width - 1) {
        faults.push('“' + name + '” shows ' + Math.max(0, Math.round(right - left)) + ' px of ' + Math.round(box.width))
      }
    }
    let block = title
    while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement
    const room = cut(block, block.getBoundingClientRect())
    pen.font = getComputedStyle(title).font
    const needed = pen.measureText(text.data.trim().slice(0, ${LEAST})).width
    if (room.right - room.left + 1 < needed) {
      faults.push('“' + name + '” has room of ' + Math.round(room.right - room.left) + ' px for ' + Math.round(needed))
    }
    const lines = rectsOf(title).map(box => cut(title, box))
    const beside = [...row.querySelectorAll('*')].filter(each => isOwn(each) && each !== title &&
      !title.contains(each) && !each.contains(title) && getComputedStyle(each).position !== 'absolute' && !isSticky(each))
    for (const other of beside) {
      for (const box of rectsOf(other).map(each => cut(other, each))) {
        const isOver = lines.some(line =>
          Math.min(line.right, box.right) - Math.max(line.left, box.left) > 2 &&
          Math.min(line.bottom, box.bottom) - Math.max(line.top, box.top) > 6)
        if (isOver) faults.push('“' + name + '” is under “' + other.textContent.trim().slice(0, 20) + '”')
      }
    }
  }
  for (const label of document.querySelectorAll('main .mantine-Button-label')) {
    const { textOverflow } = getComputedStyle(label)
    if (label.checkVisibility() && label.scrollWidth > label.clientWidth + 1 && textOverflow !== 'ellipsis')
      faults.push('the button “' + label.textContent.trim() + '” is cut')
  }
  for (const list of document.querySelectorAll('main dl')) {
    const labels = [...list.querySelectorAll('dt')].filter(each => each.checkVisibility())
      .flatMap(each => rectsOf(each).map(box => ({ text: each.textContent.trim(), ...cut(each, box) })))
    for (const [place, one] of labels.entries()) for (const other of labels.slice(place + 1)) {
      if (other.text !== one.text && Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 6)
        faults.push('“' + one.text + '” is under “' + other.text + '”')
    }
  }
  const wider = document.documentElement.scrollWidth - innerWidth
  if (wider > 0) faults.push('the page is ' + wider + ' px wider than the window')
  return { rows, faults: [...new Set(faults)].slice(0, 4) }
})()`

/** How often a page with faults is looked at again. */
const LOOKS = 6

interface Found {
  readonly rows: number
  readonly faults: readonly string[]
}

export const describeNarrow = (visit: () => Visit, paths: () => readonly string[]): void => {
  it('keeps twelve letters of every title, and lays nothing over it, however narrow and large', async (test: TestContext) => {
    const { page } = visit()
    const faults: string[] = []
    let rows = 0
    for (const path of paths()) {
      await settleNext(visit(), path)
      for (const size of SIZES) {
        await page.setViewportSize(size)
        await page.waitForTimeout(150)
        let found = await page.evaluate<Found>(FAULTS)
        // What still moves on a busy machine comes to rest; a fault stays.
        for (let look = 0; look < LOOKS && found.faults.length > 0; look += 1) {
          await page.waitForTimeout(500)
          found = await page.evaluate<Found>(FAULTS)
        }
        rows += found.rows
        faults.push(...found.faults.map(each => `${path} at ${size.width}: ${each}`))
      }
      await page.setViewportSize(DESKTOP)
    }
    test.diagnostic(`${rows} rows of ${paths().length} screens at ${SIZES.map(({ width }) => width).join(', ')} pixels`)
    assert.deepEqual(faults, [])
  })

  it('shows all of each reason that can be given at a press', async () => {
    const { page } = visit()
    await settle(visit(), '/app/triage')
    await page.setViewportSize(SIZES[4])
    for (const key of ['3', 'h', 'c']) {
      await page.keyboard.press(key)
      const labels = page.getByRole('dialog').locator('.mantine-Button-label')
      await labels.first().waitFor()
      const cut = await labels.evaluateAll(all =>
        all.filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.textContent),
      )
      assert.deepEqual(cut, [])
      await page.keyboard.press('Escape')
      await labels.first().waitFor({ state: 'detached' })
    }
    await page.setViewportSize(DESKTOP)
  })
}
