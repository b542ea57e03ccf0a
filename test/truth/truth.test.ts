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

describe('Every number of every answer is the truth', () => {
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

  it('compares them', async () => {
    const comparison = emptyComparison()
    for (const operation of ['orient_snapshot', 'list_signals', 'lookup_triage']) {
      const declared = new Set(declaredNumbers(registry.get(operation)?.output ?? {}))
      const data = await world.person.call<Json>(operation)
      compare(
        numbersOf(data, declared),
        { operation, input: {}, via: 'app', data, truth: world.truth },
        RULES,
        comparison,
      )
    }
    console.log(comparison)
    assert.deepEqual(comparison.wrong, [])
  })
})
