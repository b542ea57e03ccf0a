import { after, before, describe } from 'node:test'
import { type Installation, startInstallation } from '../support/installation.ts'
import { MAIL_ENVIRONMENT } from '../support/mail.ts'
import { describeContract } from './contract.ts'
import { type ContractModels, startContractModels } from './models.ts'

describe('The contract, in one process on the embedded default', () => {
  let models: ContractModels
  let installation: Installation
  before(async () => {
    models = await startContractModels()
    installation = await startInstallation({ ...MAIL_ENVIRONMENT, ...models.environment })
  })
  after(async () => {
    await installation?.remove()
    models?.stop()
  })

  describeContract(() => installation)
})
