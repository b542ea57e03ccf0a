import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMPARED, MAX_COMPARED, nearestNames } from './nearest-names.ts'

/** Values of metadata may be as long as all of it. */
const LONG = 32_000

const cpuOf = (names: readonly string[]): number => {
  const began = process.cpuUsage()
  nearestNames('zendesk', names)
  const { user, system } = process.cpuUsage(began)
  return user + system
}

test('how long senders made their values costs nothing: their beginnings alone are compared', () => {
  const varied = (length: number, at: number) =>
    Array.from({ length }, (_, place) => String.fromCharCode(97 + ((place * place + at) % 2000))).join('')
  const short = Array.from({ length: 200 }, (_, at) => varied(COMPARED, at))
  const long = Array.from({ length: 200 }, (_, at) => varied(LONG, at))
  cpuOf(short)
  const [dear, cheap] = [cpuOf(long), cpuOf(short)]
  assert.ok(dear < 10 * cheap + 20_000, `${dear} µs for long values, ${cheap} µs for short ones`)
  const same = 'a'.repeat(COMPARED)
  assert.deepEqual(nearestNames(`${same}y`, [`${same}z`, `${same}y`, 'b']), [`${same}y`, `${same}z`, 'b'])
})

test('how many names senders made costs nothing: so many of them are compared, and no more are looked at', () => {
  let looked = 0
  function* endless() {
    for (;;) {
      looked += 1
      yield `name ${looked}`
    }
  }
  assert.deepEqual(nearestNames('name 7', endless(), 1), ['name 7'])
  assert.equal(looked, MAX_COMPARED)
})
