import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { describeContract } from '../contract/contract.ts'
import { type ContractModels, startContractModels } from '../contract/models.ts'
import { assay } from '../support/assay.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { MAIL_ENVIRONMENT } from '../support/mail.ts'
import { type ProgramName, type ProgramsInstallation, startPrograms } from '../support/programs.ts'
import { describeSystemCalls } from './edge-system-calls.ts'
import { describeHunt, KEY_ENVIRONMENT, live } from './personal-data/hunt.ts'
import { readEngines } from './personal-data/remains.ts'
import { describeEngineScenarios } from './scenarios/index.ts'
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
    let installation: ProgramsInstallation
    before(async () => {
      // Two that answer, since each has to know what the other was told; two processors share their work in the faults.
      const names: ProgramName[] = ['ingest', 'ingest', 'processors', 'query-api', 'query-api']
      installation = await startPrograms(stack, { ...MAIL_ENVIRONMENT, ...KEY_ENVIRONMENT }, names)
    })
    after(() => installation?.remove())

    describeEngineScenarios(() => installation)
    describeSystemCalls(() => installation)
  })

  describe('In one process, on the real engines', () => {
    let installation: Installation
    before(async () => {
      installation = await startInstallation({ ...stack.urls, ...KEY_ENVIRONMENT })
    })
    after(() => installation?.remove())

    describeJourney(() => installation)
  })

  describe('The contract, in programs of their own on the real engines', () => {
    let models: ContractModels
    let installation: Installation
    before(async () => {
      models = await startContractModels()
      installation = await startPrograms(stack, { ...MAIL_ENVIRONMENT, ...KEY_ENVIRONMENT, ...models.environment }, [
        'ingest',
        'processors',
        'query-api',
      ])
    })
    after(async () => {
      await installation?.remove()
      models?.stop()
    })

    describeContract(() => installation)
  })

  describe('With another key than the databases were sealed with', () => {
    for (const program of ['ingest', 'processors', 'query-api', 'all']) {
      it(`${program} is refused in a sentence`, async () => {
        const directory = await mkdtemp(join(tmpdir(), 'assay-test-'))
        const another = {
          INSTALLATION_KEY: randomBytes(32).toString('base64'),
          BASE_URL: 'http://localhost:8000',
          DATA_DIR: directory,
          PORT: '0',
        }
        const { code, stderr } = await assay([program], { ...stack.urls, ...another })
        await rm(directory, { recursive: true })
        assert.equal(code, 1)
        assert.match(stderr, /^The installation key is not the one that .* was sealed with.*\n$/)
      })
    }
  })

  after(() => stack.stop())
})
