import { after, before, describe } from 'node:test'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { MAIL_ENVIRONMENT } from '../support/mail.ts'
import { startPrograms } from '../support/programs.ts'
import { describeScenarios } from './scenarios/index.ts'
import { describeJourney } from './scenarios/journey.ts'

await describeWithStack(['kafka', 'registry', 'postgres', 'clickhouse', 'valkey'], stack => {
  describe('As programs of their own, on the real engines', () => {
    let installation: Installation
    before(async () => {
      installation = await startPrograms(stack, MAIL_ENVIRONMENT)
    })
    after(() => installation?.remove())

    describeScenarios(() => installation)
  })

  describe('In one process, on the real engines', () => {
    let installation: Installation
    before(async () => {
      installation = await startInstallation(stack.urls)
    })
    after(() => installation?.remove())

    describeJourney(() => installation)
  })

  after(() => stack.stop())
})
