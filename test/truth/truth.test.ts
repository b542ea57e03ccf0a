import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type ContractModels, startContractModels } from '../contract/models.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { askEverything } from './ask.ts'
import { requireFieldsOfKinds } from './fields-of-kinds.ts'
import { allNumbers, numbersBy, numbersOf } from './numbers.ts'
import { RULES } from './rules/index.ts'
import { NEVER_ANSWERED } from './rules/never-answered.ts'
import { type Asked, compare, emptyComparison, ruleFor } from './rules.ts'
import { makeWorld, type World } from './world.ts'

/** Signals of their own; each fifth is repeated two or four times, which makes 500 in all. */
const SIZE = 320

describe('Every number of every answer is the truth', () => {
  let models: ContractModels
  let installation: Installation
  let world: World
  const comparison = emptyComparison()
  const check = (asked: Asked) => compare(numbersOf(asked.data, numbersBy(asked.operation)), asked, RULES, comparison)

  before(async () => {
    models = await startContractModels()
    installation = await startInstallation(models.environment)
    world = await makeWorld(installation.baseUrl, SIZE, check)
    await askEverything(world, check)
  })
  after(async () => {
    await world?.agent.close()
    await installation?.remove()
    models?.stop()
  })

  it('says of every number that an operation declares what it must be, or why the truth cannot know it', () => {
    const names = allNumbers()
    assert.deepEqual(
      names.filter(name => ruleFor(RULES, name) === undefined),
      [],
    )
    const used = new Set(names.map(name => ruleFor(RULES, name)))
    assert.deepEqual(
      RULES.filter(rule => !used.has(rule)).map(({ numbers }) => numbers.source),
      [],
      'rules about numbers that no operation declares',
    )
  })

  it('is what was sent and decided, in the app and as a tool, at every depth', test => {
    const { compared, unknown, wrong } = comparison
    const values = [...compared.values()].reduce((sum, count) => sum + count, 0)
    test.diagnostic(`${values} values of ${compared.size} numbers were compared, of ${allNumbers().length} declared`)
    assert.deepEqual([...unknown], [], 'numbers that no schema declares')
    assert.deepEqual(wrong, [])
  })

  it('is answered at least once, but for a few that are named', () => {
    const isCompared = (name: string): boolean => 'expected' in (ruleFor(RULES, name) ?? {})
    const absent = allNumbers().filter(name => isCompared(name) && !comparison.compared.has(name))
    const isNamed = (name: string): boolean => NEVER_ANSWERED.some(({ numbers }) => numbers.test(name))
    assert.deepEqual(
      absent.filter(name => !isNamed(name)),
      [],
    )
    assert.deepEqual(
      [...comparison.compared.keys()].filter(isNamed),
      [],
      'numbers that are named as never answered, and were',
    )
  })

  it('is nothing only where nothing was: a field that a kind of event does not have is refused', async () => {
    await requireFieldsOfKinds(world.person)
  })
})
