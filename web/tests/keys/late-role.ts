import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { DESKTOP, PHONE, type Visit } from '../visit.ts'

/** Screens whose head has buttons for who may change something. */
const HEADED = ['map', 'board', 'groups', 'reviews', 'roadmap']
/** A phone, and tablets, where long words leave the buttons a line of their own. */
const SIZES = [PHONE, { width: 820, height: 1180 }, { width: 1024, height: 768 }] as const

/** Where what follows the head begins; null until it is read. */
const BELOW = `(() => {
  const head = document.querySelector('main h1')?.closest('[data-page] > *')
  const below = head?.nextElementSibling
  return !below || document.querySelector('main .mantine-Skeleton-root') ? null : below.getBoundingClientRect().top
})()`
const BUTTONS = `document.querySelectorAll('main [data-page] .mantine-Button-root').length`

export const describeLateRole = (visit: () => Visit): void => {
  it('moves nothing below the head when the role is known late', async (test: TestContext) => {
    const { page, open, hold } = visit()
    const moved: string[] = []
    for (const size of SIZES) {
      await page.setViewportSize(size)
      for (const path of HEADED) {
        const release = await hold('list_workspaces')
        await open(`/app/${path}`)
        const before = await eventually(`${path} is read`, () => page.evaluate<number | null>(BELOW))
        const buttons = await page.evaluate<number>(BUTTONS)
        await release()
        await eventually(
          `${path} has its buttons`,
          async () => (await page.evaluate<number>(BUTTONS)) !== buttons || null,
          3000,
        ).catch(() => null)
        const after = await page.evaluate<number | null>(BELOW)
        if (after !== before) moved.push(`${path} at ${size.width}: from ${before} to ${after}`)
      }
    }
    await page.setViewportSize(DESKTOP)
    test.diagnostic(`${HEADED.length} screens at ${SIZES.map(({ width }) => width).join(', ')} pixels`)
    assert.deepEqual(moved, [])
  })
}
