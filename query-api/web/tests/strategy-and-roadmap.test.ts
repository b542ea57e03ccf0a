import { after, before, describe, it } from 'node:test'
import { describeEveryState } from './every-state.ts'
import { arrangeEvidence, arrangeRoadmap, arrangeStrategy } from './plan/arrange.ts'
import { startVisit, type Visit } from './visit.ts'

describe('Strategy and roadmap', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
    await arrangeEvidence(visit.person)
    await arrangeStrategy(visit.person)
    await arrangeRoadmap(visit.person)
  })
  after(() => visit?.end())
  describeEveryState(() => visit, { screen: 'strategy', path: '/app/strategy', reads: 'orient_strategy', shows: 'Answer within the day' })
  describeEveryState(() => visit, { screen: 'roadmap', path: '/app/roadmap', reads: 'orient_roadmap', shows: 'Tax rates' })
  it('prints', async () => {
    const { page, open } = visit
    for (const s of ['strategy', 'roadmap']) {
      await page.emulateMedia({ colorScheme: 'dark', media: null })
      await open(`/app/${s}`)
      await page.locator('[data-movable]').first().waitFor()
      await page.setViewportSize({ width: 794, height: 900 })
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      await page.screenshot({ path: `/tmp/plan-${s}-print.png` })
      await page.pdf({ path: `/tmp/plan-${s}.pdf` })
      await page.setViewportSize({ width: 1280, height: 860 })
    }
    await page.emulateMedia({ media: null, colorScheme: 'light' })
  })
  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
