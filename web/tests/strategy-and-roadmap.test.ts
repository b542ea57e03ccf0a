import { after, before, describe, it } from 'node:test'
import { arrangeEvidence } from './plan/arrange.ts'
import { describeRoadmap } from './plan/roadmap.ts'
import { describeStrategy } from './plan/strategy.ts'
import { startVisit, type Visit } from './visit.ts'

describe('Strategy and roadmap', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
    await arrangeEvidence(visit.person)
  })
  after(() => visit?.end())

  describeStrategy(() => visit)
  describeRoadmap(() => visit)

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
