import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { settleNext } from '../every-screen.ts'
import type { Visit } from '../visit.ts'

const PAPER = { width: 690, height: 980 }

/** What paper has no use for, or too little of: buttons, fields, and titles of which a part is not seen. */
const FAULTS = `(() => {
  const seen = each => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().width > 2
  const faults = []
  const pressed = [...document.querySelectorAll('main :is(.mantine-Button-root, .mantine-ActionIcon-root, input, select, textarea, [role=tab])')]
  for (const each of pressed.filter(seen)) faults.push('prints ' + (each.ariaLabel ?? each.textContent ?? each.tagName).slice(0, 40))
  for (const each of [...document.querySelectorAll('main :is(bdi, [dir=auto])')].filter(seen)) {
    for (let at = each; at !== null && !at.matches('main'); at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at)
      const isCut = (overflowX !== 'visible' && at.scrollWidth > at.clientWidth + 1) || (overflowY !== 'visible' && at.scrollHeight > at.clientHeight + 1)
      if (isCut) faults.push('cuts ' + each.textContent.slice(0, 40))
    }
  }
  return [...new Set(faults)].slice(0, 5)
})()`

/** The rows that Triage prints, and those that it lists. */
const ROWS = `({
  printed: document.querySelectorAll('[role=option]').length,
  listed: Number(document.querySelector('[role=option]')?.ariaSetSize ?? 0),
})`

export const describePaper = (visit: () => Visit, paths: () => readonly string[]): void => {
  it('prints what is read: no buttons, whole titles, every row', async (test: TestContext) => {
    const { page } = visit()
    const faults: string[] = []
    for (const path of paths().filter(each => !each.startsWith('/app/settings'))) {
      await settleNext(visit(), path)
      await page.setViewportSize(PAPER)
      await page.emulateMedia({ media: 'print' })
      await page.waitForTimeout(100)
      for (const each of await page.evaluate<readonly string[]>(FAULTS)) faults.push(`${path} ${each}`)
      if (path === '/app/triage') {
        const { printed, listed } = await page.evaluate<{ printed: number; listed: number }>(ROWS)
        test.diagnostic(`Triage prints ${printed} of ${listed} rows`)
        assert.equal(printed, listed)
        assert.ok(listed > 10)
      }
      await page.emulateMedia({ media: 'screen' })
      await page.setViewportSize({ width: 1280, height: 860 })
    }
    assert.deepEqual(faults, [])
  })
}
