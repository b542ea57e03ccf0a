import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { termsOf } from './terms.ts'
import { createTexts, scoreByDefinition } from './testing.ts'
import { createWordIndex } from './word-index.ts'

const NEAR = 1e-4
const WITHOUT_END = Number.POSITIVE_INFINITY

describe('A word index', () => {
  it('answers what the definition of TF-IDF says, as texts come and go', () => {
    const text = createTexts(5, 3000)
    const index = createWordIndex()
    const stored: (Uint8Array | null)[] = []
    for (let round = 0; round < 4; round += 1) {
      for (let added = 0; added < 150; added += 1) {
        const terms = termsOf(text())
        index.add(terms)
        stored.push(terms)
      }
      for (const key of [round, 70 + round, 149 * round + 9]) {
        index.remove(key)
        stored[key] = null
      }
      for (const asked of [20, 99, 148 * (round + 1)]) {
        const expected = scoreByDefinition(stored, asked)
        const found = index.nearestTo(asked, stored.length, WITHOUT_END)
        for (const { key, words } of found) assert.ok(Math.abs(words - (expected[key] ?? 0)) < NEAR, `${key}: ${words}`)
        const best = expected.map((score, key) => (key === asked ? 0 : score)).toSorted((one, other) => other - one)
        const byWords = found.map(({ words }) => words).toSorted((one, other) => other - one)
        assert.deepEqual(
          byWords.slice(0, 20).map(words => words.toFixed(3)),
          best.slice(0, 20).map(score => score.toFixed(3)),
        )
        const compared = index.compare(asked, [...stored.keys()])
        for (const [key, { words }] of compared.entries()) assert.ok(Math.abs(words - (expected[key] ?? 0)) < NEAR)
      }
    }
    assert.equal(index.removed, 12)
    assert.equal(index.texts, 588)
  })

  it('finds a text by its rare words, whatever else many share with it', () => {
    const index = createWordIndex()
    for (let added = 0; added < 500; added += 1) index.add(termsOf(`The export of page ${added} fails again and again`))
    index.add(termsOf('The export fails for Kowloon. Kowloon is missing'))
    assert.equal(index.nearest(termsOf('Kowloon is not there'), 3)[0]?.key, 500)
    assert.deepEqual(index.nearest(termsOf('nobody knows these'), 3), [])
    assert.deepEqual(createWordIndex().nearest(termsOf('anything'), 3), [])
  })

  it('says how much of each title the other text shares, in its title or behind it', () => {
    const index = createWordIndex()
    index.add(termsOf('Window stays black\nIt happens after waking up'))
    index.add(termsOf('Window stays black. The log says nothing at all'))
    index.add(termsOf('Another thing\nThe window stays black'))
    const [same, behind] = index.compare(0, [1, 2])
    assert.ok(same && behind)
    assert.ok(same.titleShared > 0.9 && same.otherTitleShared > 0.9)
    assert.ok(behind.titleShared > 0.9)
    assert.equal(behind.otherTitleShared, 0)
    assert.ok(behind.words > 0 && behind.words < same.words)
  })

  it('puts a text that shares the title before one that shares more words elsewhere', () => {
    const index = createWordIndex()
    for (let other = 0; other < 30; other += 1) index.add(termsOf(`Page ${other} is slow. Kiosk ${other} shows it`))
    index.add(termsOf('Wallpaper lost. Tablet, marble, copper, walnut, garden, violet, silver, meadow'))
    index.add(termsOf('Update was large. Tablet, marble, copper, walnut, garden, violet, silver, pebble'))
    index.add(
      termsOf('The wallpaper is lost again. Falcon, anchor, harbor, lantern, island, bridge, candle, feather, rocket'),
    )
    const found = index.nearestTo(30, 2)
    assert.deepEqual(
      found.map(({ key }) => key),
      [32, 31],
    )
  })

  it('says what only one of two texts has', () => {
    const index = createWordIndex()
    index.add(termsOf('red green blue'))
    index.add(termsOf('red red green'))
    const whole = Math.log(3) + 1
    const close = (one: number, other: number) => assert.ok(Math.abs(one - other) < NEAR, `${one} is not ${other}`)
    const [first] = index.compare(0, [1])
    assert.ok(first)
    close(first.titleShared, 2 / (2 + Math.log(3 / 2) + 1 + 0.1 * whole))
    close(first.otherTitleShared, 2 / (2 + 0.1 * whole))
    assert.equal(first.titlesDiffer, false)
    close(first.onlyOne, (Math.log(3 / 2) + 1) / whole)
    close(first.onlyOther, 0)
    index.add(termsOf('yellow'))
    assert.equal(index.compare(0, [2])[0]?.titlesDiffer, true)
  })

  it('reads no more of its lists than it is told, and finds a near twin even so', () => {
    const text = createTexts(8, 20_000)
    const index = createWordIndex()
    const texts = Array.from({ length: 6000 }, text)
    for (const one of texts) index.add(termsOf(one))
    const asked = texts.flatMap((one, key) =>
      key % 60 === 0 ? [{ key, probe: one.split(' ').slice(2).join(' ') }] : [],
    )
    const found = asked.filter(({ key, probe }) =>
      index.nearest(termsOf(probe), 10, 500).some(near => near.key === key),
    )
    assert.equal(asked.length, 100)
    assert.ok(found.length >= 98, `${found.length} of 100 were found`)
  })

  it('takes a look-up that costs no more as texts get many, and holds a few bytes a word', () => {
    const text = createTexts(11, 20_000)
    const index = createWordIndex()
    const cost = (): number => {
      const keys = Array.from({ length: 300 }, (_, place) => place * 7)
      const run = () => {
        const before = process.threadCpuUsage()
        for (const key of keys) index.nearestTo(key, 10)
        const { user, system } = process.threadCpuUsage(before)
        return user + system
      }
      run()
      return Math.min(run(), run())
    }
    const costs = [3000, 6000, 12_000].map(size => {
      while (index.texts < size) index.add(termsOf(text()))
      return cost()
    })
    const [first = 0, , last = 0] = costs
    assert.ok(last < 3 * first, `µs of 300 look-ups: ${costs.join(', ')}`)
    const words = 12_000 * 30
    assert.ok(index.bytes < 40 * words, `${index.bytes} bytes`)
  })
})
