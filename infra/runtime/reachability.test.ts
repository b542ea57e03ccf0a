import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AssayError } from './errors.ts'
import { createReachability } from './reachability.ts'

const kit = () => {
  let clock = 1000
  const reach = createReachability(() => clock)
  const fails = (error: Error) => assert.rejects(reach.through(() => Promise.reject(error)))
  return {
    reach,
    fails,
    pass: (milliseconds: number) => {
      clock += milliseconds
    },
  }
}
const AWAY = new AssayError('unavailable', 'The model is away.')

describe('whether a service can be reached', () => {
  it('is known by its calls: away since the first failure in a row, and back with the first answer', async () => {
    const { reach, fails, pass } = kit()
    assert.equal(reach.away(), null)
    await fails(AWAY)
    pass(5000)
    await fails(new AssayError('timeout', 'It took too long.'))
    assert.deepEqual(reach.away(), { since: 1000, reason: 'It took too long.' })
    assert.equal(await reach.through(async () => 7), 7)
    assert.equal(reach.away(), null)
  })

  it('takes a refusal for an answer', async () => {
    const { reach, fails } = kit()
    await fails(AWAY)
    await fails(new AssayError('invalid_input', 'The text is too long.'))
    assert.equal(reach.away(), null)
  })

  it('is not known when nobody has called for long', async () => {
    const { reach, fails, pass } = kit()
    await fails(AWAY)
    pass(2 * 60_000 + 1)
    assert.equal(reach.away(), null)
  })
})
