import { after, before, describe, it } from 'node:test'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import { describeEveryState } from './every-state.ts'
import { describeChanges } from './portfolio/changes.ts'
import { describeGroups } from './portfolio/groups.ts'
import { describeReviews } from './portfolio/reviews.ts'
import { startVisit, type Visit } from './visit.ts'

describe('Groups, Product Reviews and what changed', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  it('say what they are for where there is nothing yet', async () => {
    const { page, go, checkAccess } = visit
    for (const [path, says] of [
      ['groups', 'There is no group yet'],
      ['reviews', 'No review is saved yet'],
      ['changes', 'Nothing changed'],
    ]) {
      await go(`/app/${path}`)
      await page.getByText(says ?? '').waitFor()
    }
    await checkAccess()
  })

  it('have the sample data from here on', async () => {
    const { page, person } = visit
    const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Sample', sandbox: true })
    const inside = person.inWorkspace(id)
    await inside.call('reset_sandbox')
    visit = { ...visit, person: inside }
    await page.evaluate(`sessionStorage.setItem('assay-workspace', '${id}')`)
  })

  describeGroups(() => visit)
  describeReviews(() => visit)
  describeChanges(() => visit)

  describeEveryState(() => visit, {
    screen: 'groups',
    path: '/app/groups',
    reads: 'lookup_group',
    shows: 'Export work',
  })
  describeEveryState(() => visit, {
    screen: 'changes',
    path: `/app/changes?range=30&from=${new Date(Date.now() - 30 * DAY_MS).toISOString()}`,
    reads: 'list_changes',
    shows: 'New signals',
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
