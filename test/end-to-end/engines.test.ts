import { after, before, describe } from 'node:test'
import { describeWithStack } from '../../infra/stack/testing.ts'
import type { Installation } from '../support/installation.ts'
import { startPrograms } from '../support/programs.ts'
import { describeScenarios } from './scenarios/index.ts'

await describeWithStack(['kafka', 'registry', 'postgres', 'clickhouse'], stack => {
  describe('As programs of their own, on the real engines', () => {
    let installation: Installation
    before(async () => {
      installation = await startPrograms(stack)
    })
    after(async () => {
      await installation?.remove()
      await stack.stop()
    })

    describeScenarios(() => installation)
  })
})
