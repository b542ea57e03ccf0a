import type { Installation } from '../../support/installation.ts'
import { describeEmail } from './email.ts'
import { describeGithub } from './github.ts'
import { describeHandoff } from './handoff.ts'
import { describeJourney } from './journey.ts'
import { describeMetric } from './metric.ts'
import { describeRefusals } from './refusals.ts'
import { describeSources } from './sources.ts'
import { describeStrangers } from './strangers.ts'

/** What every installation does, whatever it runs on. */
export const describeScenarios = (installation: () => Installation): void => {
  describeJourney(installation)
  describeGithub(installation)
  describeEmail(installation)
  describeHandoff(installation)
  describeMetric(installation)
  describeRefusals(installation)
  describeSources(installation)
  describeStrangers(installation)
}
