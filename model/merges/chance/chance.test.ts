import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chanceOf, logOddsOf } from './chance.ts'
import { corrected, shiftOf } from './correction.ts'
import { type ComparedPair, FEATURES, featuresOf } from './features.ts'
import { fit, pairsOf, type Report } from './fit.ts'
import { fitLogistic } from './logistic-regression.ts'
import weights from './weights.json' with { type: 'json' }

const PAIR: ComparedPair = {
  score: 0.5,
  words: 0.5,
  titles: 0.5,
  around: 0.1,
  overlap: { one: 6, other: 5, rarestShared: 0.9, onlyOne: 0.4, onlyOther: 0.2 },
  title: 'The export of Kowloon 12 fails',
  otherTitle: 'Export fails for Kowloon 12',
  kindsDiffer: false,
  occurredAt: new Date('2026-06-01T12:00:00Z'),
  otherOccurredAt: new Date('2026-06-03T12:00:00Z'),
}
const told = (pair: Partial<ComparedPair>) => {
  const features = featuresOf({ ...PAIR, ...pair })
  return Object.fromEntries(FEATURES.map((name, at) => [name, features[at] ?? Number.NaN]))
}

describe('The chance of a pair', () => {
  it('is made of features that the weights are for, in their order', () => {
    assert.deepEqual(weights.features, [...FEATURES])
    assert.equal(weights.weights.length, FEATURES.length)
    assert.equal(weights.means.length, FEATURES.length)
  })

  it('sees what two texts share and what only one has', () => {
    const same = told({})
    assert.equal(same.rarest_shared_word, 0.9)
    assert.ok(Math.abs((same.nearer_than_others ?? 0) - 0.4) < 1e-9)
    assert.equal(same.names_differ, 0)
    assert.equal(same.numbers_differ, 0)
    assert.equal(same.days_apart, Math.log1p(2))
    const other = told({ otherTitle: 'Export fails for Hongkong 13' })
    assert.deepEqual([other.names_differ, other.numbers_differ], [1, 1])
    assert.equal(told({ title: 'Export', otherTitle: 'Import' }).names_differ, 0, 'capitals of a sentence name nothing')
    assert.equal(told({ overlap: null, otherTitle: '' }).rarest_shared_word, 0)
  })

  it('rises with the likeness, falls where names, numbers and kinds differ, and is never 0 or 1', () => {
    const chances = [0, 0.2, 0.4, 0.6].map(score => chanceOf({ ...PAIR, score }))
    assert.deepEqual(
      chances,
      chances.toSorted((one, other) => one - other),
    )
    assert.ok(chanceOf({ ...PAIR, otherTitle: 'Export fails for Hongkong 13' }) < chanceOf(PAIR))
    assert.ok(chanceOf({ ...PAIR, kindsDiffer: true }) < chanceOf(PAIR))
    for (const score of [-1e9, 0, 1e9]) {
      const chance = chanceOf({ ...PAIR, score })
      assert.ok(chance > 0 && chance < 1)
    }
  })
})

describe('A workspace’s own decisions', () => {
  const settled = (count: number, chance: number, same: boolean) =>
    Array.from({ length: count }, () => ({ chance, same }))

  it('shift the chances towards what people decide, a few of them little', () => {
    assert.equal(shiftOf([]), 0)
    const few = shiftOf(settled(2, 0.1, true))
    const many = shiftOf([...settled(100, 0.1, true), ...settled(100, 0.1, false)])
    assert.ok(few > 0 && few < many)
    assert.ok(Math.abs(corrected(0.1, many) - 0.5) < 0.03, `${corrected(0.1, many)} after 100 of 200`)
    assert.ok(shiftOf(settled(100, 0.1, false)) < -0.5)
    assert.ok(Math.abs(shiftOf([...settled(10, 0.1, true), ...settled(90, 0.1, false)])) < 0.05)
    assert.ok(Number.isFinite(shiftOf(settled(500, 0.995, false))))
  })
})

describe('A logistic regression', () => {
  it('finds the chances that labels were drawn from', () => {
    let state = 7
    const random = () => {
      state = (state * 48_271) % 2_147_483_647
      return state / 2_147_483_647
    }
    const pairs = Array.from({ length: 4000 }, () => {
      const features = [random() * 4 - 2, random()]
      return { features, same: random() < 1 / (1 + Math.exp(-((features[0] ?? 0) * 2 - 1))) }
    })
    const { intercept, means, weights: found } = fitLogistic(pairs)
    const [first = 0, second = 0] = found
    assert.ok(Math.abs(first - 2) < 0.2, `${first}`)
    assert.ok(Math.abs(second) < 0.3, `${second}`)
    assert.ok(Math.abs(intercept - first * (means[0] ?? 0) - second * (means[1] ?? 0) + 1) < 0.3)
  })
})

const reportOf = (id: string, title: string, day: number) => ({
  id,
  title,
  text: 'It was well last week.',
  created_at: new Date(Date.UTC(2026, 5, 1 + day)).toISOString(),
})

describe('A fit', () => {
  const THINGS = ['invoice export', 'login code', 'dark mode', 'order list', 'webhook retry', 'team invitation']
  const reports = THINGS.flatMap((thing, place): Report[] => [
    { ...reportOf(`${place}a`, `The ${thing} is broken`, place), duplicate_of: [`${place}b`] },
    { ...reportOf(`${place}b`, `Broken ${thing} again`, place + 10), duplicate_of: [`${place}a`] },
  ])

  it('sees each report with those before it, and learns which of them people marked', async () => {
    const pairs = await pairsOf(reports)
    assert.equal(pairs.filter(({ same }) => same).length, THINGS.length)
    const model = fit([pairs, pairs])
    const mean = (same: boolean) => {
      const odds = pairs.filter(pair => pair.same === same).map(({ features }) => logOddsOf(model, features))
      return odds.reduce((sum, one) => sum + one, 0) / odds.length
    }
    assert.ok(mean(true) > mean(false))
  })
})
