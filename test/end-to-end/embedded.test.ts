import { after, before, describe } from 'node:test'
import { type Installation, startInstallation } from '../support/installation.ts'
import { describeScenarios } from './scenarios/index.ts'

describe('In one process, on the embedded default', () => {
  let installation: Installation
  before(async () => {
    installation = await startInstallation()
  })
  after(() => installation?.remove())

  describeScenarios(() => installation)
})
