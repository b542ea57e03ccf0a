import { after, before, describe } from 'node:test'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { MAIL_ENVIRONMENT } from '../support/mail.ts'
import { startPrograms } from '../support/programs.ts'
import { describeHunt, live } from './personal-data/hunt.ts'
import { readEngines } from './personal-data/remains.ts'
import { describeScenarios } from './scenarios/index.ts'
import { describeJourney } from './scenarios/journey.ts'

await describeWithStack(['kafka', 'registry', 'postgres', 'clickhouse', 'valkey'], stack => {
  // First, as it looks at everything that the engines hold.
  describe('Personal data, in programs of their own on the real engines', () => {
    describeHunt(async (garden, environment) => {
      const installation = await startPrograms(stack, environment, ['ingest', 'processors', 'query-api'])
      try {
        const addresses = Object.values(installation.programs).flatMap(all => all.map(({ baseUrl }) => baseUrl))
        const told = await live(installation, garden, addresses)
        return { ...told, ...(await readEngines(stack.urls)), printed: installation.output() }
      } finally {
        await installation.remove()
      }
    })
  })

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
