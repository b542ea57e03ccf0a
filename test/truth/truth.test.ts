import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { registry } from '../../query-api/operations/registry.ts'
import { type ContractModels, startContractModels } from '../contract/models.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { declaredNumbers, type Json, numbersOf } from './numbers.ts'
import { COUNTS } from './rules/counts.ts'
import { compare, emptyComparison, type Rule } from './rules.ts'
import { makeWorld, type World } from './world.ts'

const RULES: readonly Rule[] = [...COUNTS]
const SIZE = 20

describe('The counts of a snapshot are the truth', () => {
  let models: ContractModels
  let installation: Installation
  let world: World
  before(async () => {
    models = await startContractModels()
    installation = await startInstallation(models.environment)
    world = await makeWorld(installation.baseUrl, SIZE)
  })
  after(async () => {
    await world?.agent.close()
    await installation?.remove()
    models?.stop()
  })

  it('says how much was sent', async () => {
    const comparison = emptyComparison()
    for (const operation of ['orient_snapshot']) {
      const declared = new Set(declaredNumbers(registry.get(operation)?.output ?? {}))
      const data = await world.person.call<Json>(operation)
      compare(
        numbersOf(data, declared),
        { operation, input: {}, via: 'app', data, truth: world.truth },
        RULES,
        comparison,
      )
    }
    assert.equal(comparison.compared.size, COUNTS.length)
    assert.deepEqual(comparison.wrong, [])
  })
})
