import { after, before, describe } from 'node:test'
import { arrangeEveryScreen } from './every-screen.ts'
import { describeAnswers } from './keys/answers.ts'
import { describeForcedColors } from './keys/forced-colors.ts'
import { describeReturns } from './keys/returns.ts'
import { describeTyping } from './keys/typing.ts'
import { startVisit, type Visit } from './visit.ts'

describe('Keys and the focus, on every screen', () => {
  let visit: Visit
  let paths: readonly string[] = []
  before(async () => {
    visit = await startVisit()
    paths = await arrangeEveryScreen(visit)
  })
  after(() => visit?.end())

  describeAnswers(
    () => visit,
    () => paths,
  )
  describeReturns(
    () => visit,
    () => paths,
  )
  describeTyping(
    () => visit,
    () => paths,
  )
  describeForcedColors(
    () => visit,
    () => paths,
  )
})
