import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { holds } from '../holds.ts'
import { likeness, SAME_CAUSE } from '../models.ts'
import type { Beginning, SeenSignal, World } from '../world.ts'

const hasClaim = ({ claims }: SeenSignal): boolean => claims.length > 0

/** Two problems that are alike, the second sent once the first has its claim. */
const sendPair = async (
  { send, signal }: World,
  [one, other]: readonly [string, string],
): Promise<readonly string[]> => {
  const first = await send({ text: one, source: 'one' })
  await signal(first, hasClaim)
  return [first, await send({ text: other, source: 'other' })]
}

export const describeClustering = ({ world, early }: Beginning): void => {
  describe('What signals say together', () => {
    const confirmed = early(inWorld =>
      sendPair(inWorld, [
        `The payment page is broken and fails with an error ${SAME_CAUSE}. ${likeness('payments', 0.9)}`,
        `Nobody can pay, the payment page crashes with an error ${SAME_CAUSE}. ${likeness('payments', 0.9)}`,
      ]),
    )
    const unconfirmed = early(inWorld =>
      sendPair(inWorld, [
        `The search page is broken and fails with an error for every word. ${likeness('searching', 0.93)}`,
        `Nobody can search, the search page crashes with an error for every word. ${likeness('searching', 0.93)}`,
      ]),
    )
    const claimsOf = async (ids: readonly string[]) => {
      const signals = await Promise.all(ids.map(id => world().signal(id, hasClaim)))
      return signals.map(({ claims }) => claims.map(({ id }) => id))
    }

    holds('pipeline-17', async () => {
      const [one] = await claimsOf(confirmed())
      const { data } = await world().agent.call<object>('service_lookup', {
        mode: 'claim',
        id: one?.[0],
        depth: 'full',
      })
      for (const id of confirmed()) assert.ok(JSON.stringify(data).includes(id))
    })
    holds('pipeline-18', async () => {
      const [one, other] = await claimsOf(unconfirmed())
      assert.equal(one?.length, 1)
      assert.notDeepEqual(one, other)
    })
    holds('pipeline-19', async () => {
      const [one, other] = await claimsOf(confirmed())
      assert.equal(one?.length, 1)
      assert.deepEqual(one, other)
    })
  })
}
