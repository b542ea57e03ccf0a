import type { Installation } from '../../support/installation.ts'
import { describeEmail } from './email.ts'
import { describeGithub } from './github.ts'
import { describeHandoff } from './handoff.ts'
import { describeJourney } from './journey.ts'
import { describeMetric } from './metric.ts'
import { describeRefusals } from './refusals.ts'
import { describeSources } from './sources.ts'
import { describeStrangers } from './strangers.ts'

/** What depends on the processes that an installation is made of, and on its engines. */
export const describeEngineScenarios = (installation: () => Installation): void => {
  describeJourney(installation)
  describeHandoff(installation)
  describeMetric(installation)
  describeRefusals(installation)
  describeSources(installation)
}

/**
 * What every installation does. What is read out of payloads, mails and texts is the same on every engine, so it is
 * tried on one.
 */
export const describeScenarios = (installation: () => Installation): void => {
  describeEngineScenarios(installation)
  describeGithub(installation)
  describeEmail(installation)
  describeStrangers(installation)
}
