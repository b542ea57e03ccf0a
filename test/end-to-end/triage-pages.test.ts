import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { describeClaims } from './triage-pages/claims.ts'
import { describeLooks } from './triage-pages/looks.ts'
import { describeProposals } from './triage-pages/proposals.ts'
import { describeTriage } from './triage-pages/triage.ts'
import { startVisit, type Visit } from './triage-pages/visit.ts'

describe('Triage, proposals and claims in a browser', () => {
  let visit: Visit

  before(async () => {
    visit = await startVisit()
  })
  after(async () => {
    await visit?.end()
  })

  describeTriage(() => visit)
  describeProposals(() => visit)
  describeClaims(() => visit)
  describeLooks(() => visit)

  it('went through all of it without anything going wrong in the page', () => {
    assert.deepEqual(visit.faults, [])
  })
})
