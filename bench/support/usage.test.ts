import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { runParts, usageProblem } from './usage.ts'

const problemOf = (work: () => Promise<unknown>): Promise<string | null> => work().then(() => null, usageProblem)

test('a part that there is not is refused in a sentence, with what was meant, before any part runs', async () => {
  const ran: string[] = []
  const parts = { throughput: async () => void ran.push('throughput'), growth: async () => {} }
  assert.equal(
    await problemOf(() => runParts('pipeline', parts, ['throughput', 'grwth'])),
    'The benchmark pipeline has no part "grwth". Did you mean growth? Choose from: throughput, growth.',
  )
  assert.match((await problemOf(() => runParts('pipeline', parts, ['toString']))) ?? '', /no part "toString"/)
  assert.deepEqual(ran, [])
  await runParts('pipeline', parts, ['throughput'])
  assert.deepEqual(ran, ['throughput'])
})

test('a flag that there is not is a problem of usage, and what fails is none', async () => {
  const flags = async () => parseArgs({ args: ['--nonsense'], options: {} })
  assert.match((await problemOf(flags)) ?? '', /--nonsense/)
  assert.equal(await problemOf(async () => assert.fail('it failed')), null)
})
