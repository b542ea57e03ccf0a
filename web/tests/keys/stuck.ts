import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { settleNext } from '../every-screen.ts'
import { DESKTOP, PHONE, type Visit } from '../visit.ts'

/** A phone, whose header stays too, and a small desk, where the head of a pair takes a second line. */
const SIZES = [PHONE, { width: 1024, height: 768 }] as const

/** Some bars are there once something is chosen. */
const CHOOSE = `document.querySelector('main :is(li, td) input[type=checkbox]:not(:checked)')?.click()`

/**
 * What is wrong with what stays in sight while the page scrolls: a text that shows through it, the header that lies
 * over it, and two such things in one place.
 */
const FAULTS = `(() => {
  const faults = []
  const header = document.querySelector('header')
  const edge = header?.checkVisibility() ? header.getBoundingClientRect().bottom : 0
  const stuck = [...document.querySelectorAll('main *')].filter(
    each => each.checkVisibility() && getComputedStyle(each).position === 'sticky' && each.textContent.trim() !== '')
  const named = each => '“' + each.textContent.trim().slice(0, 30) + '”'
  const overlaps = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 6
  const range = document.createRange()
  const texts = []
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { currentNode } = walker
    if (currentNode.data.trim() === '' || !currentNode.parentElement.checkVisibility()) continue
    range.selectNodeContents(currentNode)
    for (const box of range.getClientRects())
      if (box.width > 2 && box.bottom > 0 && box.top < innerHeight) texts.push({ of: currentNode, box })
  }
  const isGround = each => {
    const { backgroundColor } = getComputedStyle(each)
    return backgroundColor.startsWith('rgb(') || backgroundColor.startsWith('color(') && !backgroundColor.includes('/')
  }
  for (const bar of stuck) {
    const room = bar.getBoundingClientRect()
    if (room.bottom <= edge || room.top >= innerHeight) continue
    // The end of its list takes a bar along, out of sight.
    const isTaken = bar.parentElement.getBoundingClientRect().bottom < room.bottom + 24
    if (!isTaken && room.top > -1 && room.top < edge - 1) faults.push(named(bar) + ' is behind the header')
    const beneath = texts.find(({ of, box }) => !bar.contains(of) && overlaps(box, room) &&
      stuck.every(other => !other.contains(of)))
    if (beneath && !isGround(bar)) faults.push('“' + beneath.of.data.trim().slice(0, 30) + '” shows through ' + named(bar))
    // A box has a layer of its own, and lies over what has none that is higher.
    const box = [...document.querySelectorAll('main input[type=checkbox]')].find(
      each => !bar.contains(each) && overlaps(each.getBoundingClientRect(), room))
    if (box && isGround(bar) && Number(getComputedStyle(bar).zIndex) < 2) faults.push('a box lies over ' + named(bar))
    const other = stuck.find(each => each !== bar && !each.contains(bar) && !bar.contains(each) &&
      !isGround(each) && !isGround(bar) && overlaps(each.getBoundingClientRect(), room))
    if (other) faults.push(named(other) + ' is where ' + named(bar) + ' is')
  }
  return [...new Set(faults)].slice(0, 4)
})()`

export const describeStuck = (visit: () => Visit, paths: () => readonly string[]): void => {
  it('keeps in sight what covers the rows beneath it, below the header, and one thing in one place', async (test: TestContext) => {
    const { page } = visit()
    const faults: string[] = []
    let scrolled = 0
    for (const path of paths()) {
      await settleNext(visit(), path)
      await page.evaluate(CHOOSE)
      for (const size of SIZES) {
        await page.setViewportSize(size)
        const height = await page.evaluate<number>('document.documentElement.scrollHeight')
        for (let top = size.height / 2; top < Math.min(height, 6000); top += size.height) {
          await page.evaluate(`scrollTo(0, ${top})`)
          await page.waitForTimeout(50)
          scrolled += 1
          for (const each of await page.evaluate<readonly string[]>(FAULTS))
            faults.push(`${path} at ${size.width}: ${each}`)
        }
        await page.evaluate('scrollTo(0, 0)')
      }
      await page.setViewportSize(DESKTOP)
    }
    test.diagnostic(`${scrolled} parts of ${paths().length} screens`)
    assert.deepEqual([...new Set(faults)], [])
  })
}
