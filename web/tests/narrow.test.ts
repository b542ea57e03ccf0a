import { after, before, describe, it } from 'node:test'
import { arrangeEveryScreen } from './every-screen.ts'
import { describeLateRole } from './keys/late-role.ts'
import { describeNarrow } from './keys/narrow.ts'
import { describePaper } from './keys/paper.ts'
import { describeSaid } from './keys/said.ts'
import { describeStuck } from './keys/stuck.ts'
import { startVisit, type Visit } from './visit.ts'

describe('Narrow, large and on paper, every screen', () => {
  let visit: Visit
  let paths: readonly string[] = []
  before(async () => {
    visit = await startVisit()
    paths = await arrangeEveryScreen(visit)
  })
  after(() => visit?.end())

  describeSaid(() => visit)
  it('is in German from here on, whose words are longer', async () => {
    await visit.page.context().addInitScript(`localStorage.setItem('assay-language', 'de')`)
  })
  describeLateRole(() => visit)
  describeNarrow(
    () => visit,
    () => paths,
  )
  describeStuck(
    () => visit,
    () => paths,
  )
  describePaper(
    () => visit,
    () => paths,
  )
})
