import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createByteSearch } from './byte-search.ts'

const bytes = (text: string) => Buffer.from(text, 'utf8')

/** As often as a search that looks at each place finds each string. */
const countPlainly = (text: Buffer, strings: readonly Buffer[]): readonly number[] =>
  strings.map(string => {
    let count = 0
    for (let at = text.indexOf(string); at !== -1; at = text.indexOf(string, at + 1)) count += 1
    return count
  })

test('Strings are found wherever a piece ends, and however they overlap.', async () => {
  const text = bytes(
    'die Spalte ist zu breit, die Spalten sind breit: die Spalte ist zu breit. aaaaaaaaaa größer größer',
  )
  const strings = ['die Spalte ist', 'Spalte', 'breit', 'aaaa', 'größer', 'nirgends'].map(bytes)
  const expected = countPlainly(text, strings)
  const search = createByteSearch(strings)
  for (let length = 1; length <= text.length; length += 1) {
    const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, piece) =>
      text.subarray(piece * length, (piece + 1) * length),
    )
    assert.deepEqual(await search.count(pieces), expected, `in pieces of ${length}`)
  }
})

test('It finds what a plain search finds in bytes of two kinds, where nearly everything overlaps.', async () => {
  let state = 7
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
  for (let round = 0; round < 50; round += 1) {
    const text = Buffer.from(Array.from({ length: 400 }, () => 97 + (next(7) >> 2)))
    const strings = Array.from({ length: 5 }, () => {
      const from = next(380)
      return text.subarray(from, from + 2 + next(12))
    })
    assert.deepEqual(await createByteSearch(strings).count([text]), countPlainly(text, strings))
  }
})

test('Nothing is found of no strings, and a string that is a single byte is refused.', async () => {
  assert.deepEqual(await createByteSearch([]).count([bytes('anything')]), [])
  assert.throws(() => createByteSearch([bytes('a')]), /two bytes/)
})

test('A hundred strings are searched for at the cost of a few, however busy the machine is.', async () => {
  const strings = Array.from({ length: 100 }, (_, number) => bytes(`an excerpt of a text, number ${number}`))
  const piece = Buffer.alloc(1024 * 1024, bytes('Die Spalte ist zu breit für das Fenster, in dem sie steht. '))
  const costOf = async (sought: readonly Buffer[]): Promise<number> => {
    let least = Number.POSITIVE_INFINITY
    for (let run = 0; run < 3; run += 1) {
      const before = process.threadCpuUsage()
      const counts = await createByteSearch(sought).count(Array.from({ length: 20 }, () => piece))
      const { user, system } = process.threadCpuUsage(before)
      assert.ok(counts.every(count => count === 0))
      least = Math.min(least, user + system)
    }
    return least
  }
  const [few, many] = [await costOf(strings.slice(0, 2)), await costOf(strings)]
  // Looking for each by itself would take fifty times as long.
  assert.ok(many < 10 * few + 100_000, `${many} µs for a hundred, ${few} µs for two`)
})
