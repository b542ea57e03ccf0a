import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { settleNext } from '../every-screen.ts'
import type { Visit } from '../visit.ts'

/** Notes which control a click was meant for, and lets nothing come of it; begun once in each document. */
const NOTE_CLICKS = `
  if (!window.notesClicks) addEventListener('click', event => {
    if (event.target.closest?.('[data-pressed]')) document.documentElement.dataset.clicked = 'yes'
    event.preventDefault()
    event.stopImmediatePropagation()
  }, true)
  window.notesClicks = true
`
/** A radio button that is chosen has nothing to do. */
const CONTROLS = [
  'a[href]',
  'button:not(:disabled)',
  'summary',
  'input:is([type=checkbox], [type=radio]:not(:checked)):not(:disabled)',
].join(', ')

interface Control {
  readonly name: string
  readonly keys: readonly string[]
}

/**
 * What can be pressed with the keyboard now: in the dialog that is open, else in the part of the page that `selector`
 * names. A handle answers by itself: it lifts.
 */
const find = (page: Visit['page'], selector: 'body' | 'main'): Promise<readonly Control[]> =>
  page.evaluate<readonly Control[]>(`
    window.controls = [...(document.querySelector('[role=dialog]') ?? document.querySelector('${selector}'))
      .querySelectorAll('${CONTROLS}')].filter(each => each.checkVisibility({ visibilityProperty: true }) &&
        each.closest('[inert]') === null && each.tabIndex >= 0 && !('handle' in each.dataset))
    window.controls.map(each => ({
      name: (each.ariaLabel ?? each.labels?.[0]?.textContent ?? each.textContent).trim().slice(0, 60),
      keys: each.matches('a') ? ['Enter'] : each.matches('input') ? ['Space'] : ['Enter', 'Space'],
    }))`)

/** Presses one key on one control, and answers whether the control was pressed by it. */
const isPressed = async (page: Visit['page'], place: number, key: string): Promise<boolean> => {
  await page.evaluate(`
    delete document.documentElement.dataset.clicked
    document.querySelector('[data-pressed]')?.removeAttribute('data-pressed')
    window.controls[${place}].dataset.pressed = ''
    window.pressedBefore = window.controls[${place}].ariaPressed
    window.controls[${place}].focus()
  `)
  await page.keyboard.press(key)
  // A control may also answer the key itself, which its state shows.
  return page.evaluate<boolean>(
    `document.documentElement.dataset.clicked === 'yes' || window.controls[${place}].ariaPressed !== window.pressedBefore`,
  )
}

export const describeAnswers = (visit: () => Visit, paths: () => readonly string[]): void => {
  it('leaves Enter and Space to every control that has the focus', async (test: TestContext) => {
    const { page } = visit()
    const unheard: string[] = []
    let controls = 0
    let presses = 0
    for (const [index, path] of paths().entries()) {
      await settleNext(visit(), path)
      await page.evaluate(NOTE_CLICKS)
      // What is around the screens is the same for all of them.
      const found = await find(page, index === 0 ? 'body' : 'main')
      controls += found.length
      for (const [place, { name, keys }] of found.entries()) {
        for (const key of keys) {
          presses += 1
          if (!(await isPressed(page, place, key))) unheard.push(`${path}: ${key} on “${name}”`)
        }
      }
    }
    test.diagnostic(`${presses} presses on ${controls} controls of ${paths().length} screens`)
    assert.deepEqual(unheard, [])
  })
}
