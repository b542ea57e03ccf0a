import type { Installation } from '../../support/installation.ts'
import { describeGithub } from './github.ts'
import { describeJourney } from './journey.ts'
import { describeRefusals } from './refusals.ts'

/** What every installation does, whatever it runs on. */
export const describeScenarios = (installation: () => Installation): void => {
  describeJourney(installation)
  describeGithub(installation)
  describeRefusals(installation)
}
