import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { shareNextRuns } from '../../infra/runtime/promises.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { accountRequest, type Person, startTestApi, type TestApi } from '../testing.ts'

let kit: TestApi
let person: Person
/** Transactions that look somebody up, and the most of them at once. */
const lookUps = { made: 0, underWay: 0, most: 0 }
before(async () => {
  kit = await startTestApi()
  person = await kit.signUp()
  const { transaction } = kit.database.database
  Object.assign(kit.database.database, {
    transaction: async (...given: Parameters<typeof transaction>) => {
      if (given[0].role !== 'assay_accounts') return transaction(...given)
      lookUps.made += 1
      lookUps.underWay += 1
      lookUps.most = Math.max(lookUps.most, lookUps.underWay)
      try {
        return await transaction(...given)
      } finally {
        lookUps.underWay -= 1
      }
    },
  })
})
after(() => kit.stop())
beforeEach(() => Object.assign(lookUps, { made: 0, underWay: 0, most: 0 }))

const CONCURRENCY = 100

test('a hundred requests of a session at once look it up twice, in each workspace that they name', async () => {
  const refused = await Promise.all(
    Array.from({ length: CONCURRENCY }, () => person.call('lookup_search', { unknown: 1 })),
  )
  assert.deepEqual([...new Set(refused.map(({ status }) => status))], [422])
  assert.ok(lookUps.made <= 4, `${lookUps.made} look-ups`)
  const other = await kit.signUp()
  const elsewhere = await person.call('list_signals', {}, { 'x-workspace-id': crypto.randomUUID() })
  assert.equal(elsewhere.status, 403)
  assert.equal((await other.call('list_signals')).status, 200)
})

test('a stranger who asks without a pause has twenty questions at the database at once', async () => {
  const ask = (address: string) => {
    const request = accountRequest('sign-in-ways')
    request.headers.set(CLIENT_ADDRESS_HEADER, address)
    return kit.api.fetch(request)
  }
  const answers = await Promise.all(Array.from({ length: CONCURRENCY }, () => ask('192.0.2.1')))
  assert.ok(answers.every(({ status }) => status === 200))
  // The programs' own, too, look something up now and then.
  assert.ok(lookUps.most <= 24, `${lookUps.most} at once`)
})

test('whoever asks while a look-up is under way is answered by one that began later', async () => {
  const share = shareNextRuns<number>()
  let begun = 0
  const gates: (() => void)[] = []
  const work = async () => {
    begun += 1
    const own = begun
    await new Promise<void>(resolve => gates.push(resolve))
    return own
  }
  const [first, second, third] = [share('a', work), share('a', work), share('a', work)]
  const apart = share('b', work)
  gates.shift()?.()
  assert.equal(await first, 1)
  await setImmediate()
  // The next has begun: who comes now has another.
  const fourth = share('a', work)
  for (const open of gates.splice(0)) open()
  assert.deepEqual([await second, await third, await apart], [3, 3, 2])
  await setImmediate()
  for (const open of gates.splice(0)) open()
  assert.equal(await fourth, 4)
  const failing = share('a', () => Promise.reject(new Error('no')))
  await assert.rejects(failing)
  const again = share('a', async () => 9)
  assert.equal(await again, 9)
})
