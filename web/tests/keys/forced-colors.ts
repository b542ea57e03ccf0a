import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { settleNext } from '../every-screen.ts'
import type { Visit } from '../visit.ts'

/**
 * How a control looks beside its background: lines around it and its parts, their places, and its letters. A part
 * without a line or a colour of its own is not seen.
 */
const LOOK = `element => {
  const whole = element.matches('input') ? (element.closest('.mantine-Switch-body, .mantine-Checkbox-body, .mantine-Checkbox-inner, .mantine-Radio-body') ?? element.labels?.[0] ?? element) : element
  return JSON.stringify([whole, ...whole.querySelectorAll('*')].map(each => {
    const style = getComputedStyle(each)
    const own = style.forcedColorAdjust === 'none'
    const seen = own || each.textContent !== '' || each.matches('svg, svg *, input') ? [style.left, style.transform, style.opacity] : []
    return [style.outlineStyle, style.outlineWidth, style.borderBottomStyle, style.borderBottomWidth, style.fontWeight,
      style.textDecorationLine, own ? style.backgroundColor : '', ...seen]
  }))
}`

/** Sets of what one is chosen of, each with what chosen and others look like. */
const CHOICES = `(() => {
  const look = ${LOOK}
  const shown = each => (each.labels?.[0] ?? each).checkVisibility()
  const name = each => (each.ariaLabel ?? each.labels?.[0]?.textContent ?? each.textContent ?? '').trim().slice(0, 40)
  const found = []
  // A set of which one is chosen: it looks like no other one.
  const isOn = each => each.checked === true || ['true', 'page'].includes(
    each.ariaSelected ?? each.ariaPressed ?? each.ariaCurrent ?? 'false')
  for (const set of document.querySelectorAll('[role=radiogroup], [role=tablist], [role=listbox], [role=tree], nav')) {
    const all = [...set.querySelectorAll('[type=radio], [role=tab], [role=option], [role=treeitem], a')].filter(shown)
    const on = all.filter(isOn)
    const off = all.filter(each => !isOn(each))
    for (const each of on) for (const other of off.slice(0, 1)) {
      found.push({ name: name(each), isTold: look(each) !== look(other) })
    }
  }
  // A box is on or off by itself.
  for (const each of document.querySelectorAll('input[type=checkbox]')) {
    if (!(each.closest('label, div') ?? each).checkVisibility()) continue
    const before = look(each)
    each.checked = !each.checked
    const after = look(each)
    each.checked = !each.checked
    found.push({ name: name(each), isTold: before !== after })
  }
  return found
})()`

/**
 * What is drawn with a background alone: bars, swatches, lights. Found in the page’s own colours. What slides behind
 * the chosen one of a set is left out: it says nothing but which that is, and `CHOICES` holds that its label says so.
 */
const MARK_DRAWN = `(() => {
  const drawn = [...document.querySelectorAll('main *')].filter(each => {
    const { backgroundColor, borderTopWidth } = getComputedStyle(each)
    const { width, height } = each.getBoundingClientRect()
    return each.childElementCount === 0 && each.textContent === '' && width > 0 && height > 0 && height < 40 &&
      !each.matches('input, textarea, svg, svg *, button, hr, img, [role=radiogroup] > .mantine-SegmentedControl-indicator') && borderTopWidth === '0px' && each.checkVisibility() &&
      backgroundColor !== 'rgba(0, 0, 0, 0)'
  })
  for (const each of drawn) each.dataset.drawn = getComputedStyle(each).backgroundColor
  return drawn.length
})()`
const DRAWN_GONE = `[...document.querySelectorAll('[data-drawn]')]
  .filter(each => getComputedStyle(each).forcedColorAdjust !== 'none' && getComputedStyle(each).borderTopWidth === '0px')
  .map(each => each.className)`

interface Choice {
  readonly name: string
  readonly isTold: boolean
}

export const describeForcedColors = (visit: () => Visit, paths: () => readonly string[]): void => {
  it('tells the state of every control in forced colours, and keeps what is drawn', async (test: TestContext) => {
    const { page } = visit()
    const untold: string[] = []
    let controls = 0
    let drawings = 0
    for (const path of paths()) {
      await settleNext(visit(), path)
      drawings += await page.evaluate<number>(MARK_DRAWN)
      await page.emulateMedia({ forcedColors: 'active' })
      const choices = await page.evaluate<readonly Choice[]>(CHOICES)
      controls += choices.length
      for (const { name, isTold } of choices) if (!isTold) untold.push(`${path}: ${name}`)
      for (const gone of await page.evaluate<readonly string[]>(DRAWN_GONE)) untold.push(`${path}: drawn ${gone}`)
      await page.emulateMedia({ forcedColors: 'none' })
    }
    test.diagnostic(`${controls} choices and ${drawings} drawings of ${paths().length} screens`)
    assert.deepEqual([...new Set(untold)], [])
  })
}
