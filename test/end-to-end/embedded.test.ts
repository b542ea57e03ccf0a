import { after, before, describe } from 'node:test'
import { type Installation, startInstallation } from '../support/installation.ts'
import { MAIL_ENVIRONMENT } from '../support/mail.ts'
import { describeScenarios } from './scenarios/index.ts'

describe('In one process, on the embedded default', () => {
  let installation: Installation
  before(async () => {
    installation = await startInstallation(MAIL_ENVIRONMENT)
  })
  after(() => installation?.remove())

  describeScenarios(() => installation)
})
