import { describe } from 'node:test'
import { startInstallation } from '../support/installation.ts'
import { describeHunt, live } from './personal-data/hunt.ts'
import { readEmbedded } from './personal-data/remains.ts'

describe('Personal data, in one process on the embedded default', () => {
  describeHunt(async (garden, environment) => {
    const installation = await startInstallation(environment)
    try {
      const told = await live(installation, garden, [installation.metricsUrl])
      await installation.stop()
      return { ...told, ...(await readEmbedded(installation.dataDirectory)), printed: installation.output() }
    } finally {
      await installation.remove()
    }
  })
})
