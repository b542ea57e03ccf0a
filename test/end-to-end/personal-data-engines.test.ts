import { after, describe } from 'node:test'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { startPrograms } from '../support/programs.ts'
import { describeHunt, live } from './personal-data/hunt.ts'
import { readEngines } from './personal-data/remains.ts'

await describeWithStack(['kafka', 'registry', 'postgres', 'clickhouse', 'valkey'], stack => {
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

  after(() => stack.stop())
})
