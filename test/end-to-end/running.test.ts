import { after, before, describe } from 'node:test'
import { type EmbeddedInstallation, startInstallation } from '../support/installation.ts'
import { describeOperator } from './running/operator.ts'
import { describePowerCut } from './running/power-cut.ts'
import { describeBackup } from './running/restored.ts'

describe('A running installation', () => {
  let installation: EmbeddedInstallation
  before(async () => {
    installation = await startInstallation({}, { fromNothing: true })
  })
  after(() => installation?.remove())

  describePowerCut(() => installation)
  describeBackup(() => installation)
  // The last of it counts everything, what was sent around the kills too.
  describeOperator(() => installation)
})
