import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../../../infra/runtime/testing.ts'
import { termsOf } from '../../../infra/word-index/terms.ts'
import { createWordIndex } from '../../../infra/word-index/word-index.ts'
import { type ComparedPair, chanceOf, FEATURES, featuresOf, logOddsOf } from './chance.ts'
import { corrected, shiftOf } from './correction.ts'
import { fit, pairsOf, type Report } from './fit.ts'
import { fitLogistic } from './logistic-regression.ts'
import weights from './weights.json' with { type: 'json' }

/** How two texts compare where many say such things, but none of Kowloon. */
const between = (one: string, other: string) => {
  const index = createWordIndex()
  for (let many = 0; many < 50; many += 1) index.add(termsOf('The export of 12 fails for'))
  for (const text of [one, other]) index.add(termsOf(text))
  const [compared] = index.compare(50, [51])
  assert.ok(compared)
  return compared
}
const TITLE = 'The export of Kowloon 12 fails'
const OTHER_TITLE = 'Export fails for Kowloon 12'

const PAIR: ComparedPair = {
  around: 0.1,
  compared: { ...between(TITLE, OTHER_TITLE), words: 0.5 },
  occurredAt: new Date('2026-06-01T12:00:00Z'),
  otherOccurredAt: new Date('2026-06-03T12:00:00Z'),
  mayBeSeries: true,
}
const pairAt = (words: number) => ({ ...PAIR, compared: { ...between(TITLE, OTHER_TITLE), words } })
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
    assert.ok(Math.abs((same.nearer_than_others ?? 0) - 0.4) < 1e-9)
    assert.equal(same.days_apart, Math.log1p(2))
    const atOnce = { otherOccurredAt: PAIR.occurredAt }
    assert.deepEqual([same.at_once, told(atOnce).at_once], [0, 1])
    assert.equal(told({ ...atOnce, mayBeSeries: false }).at_once, 0)
    assert.equal(told({ compared: null }).title_shared_most, 0)
    const { title_shared_least: least = 0, title_shared_most: most = 0 } = same
    assert.ok(least > 0.7 && most > least && most < 1, `${least} and ${most} of the titles`)
    assert.ok((told({ compared: between('The shop fails', OTHER_TITLE) }).title_shared_least ?? 1) < least)
  })

  it('tells copies with another title, such as for another platform, from copies', () => {
    const copied = (one: string, other: string, words = 0.9) => ({
      ...PAIR,
      compared: { ...between(one, other), words },
    })
    const feature = (pair: ComparedPair) => told(pair).copied_with_another_title ?? Number.NaN
    const twins = copied('iOS: Kowloon fails', 'Android: Kowloon fails')
    assert.ok(Math.abs(feature(twins) - 0.4) < 1e-9)
    assert.equal(feature(copied('iOS: Kowloon fails', 'Kowloon fails')), 0)
    assert.equal(feature(copied('iOS: Kowloon fails', 'Android: Kowloon fails', 0.4)), 0)
    assert.ok(chanceOf(twins) < chanceOf(copied('iOS: Kowloon fails', 'iOS Kowloon fails')))
  })

  it('rises with the likeness, and is never 0 or 1', () => {
    const chances = [0, 0.2, 0.4, 0.6].map(words => chanceOf(pairAt(words)))
    assert.deepEqual(
      chances,
      chances.toSorted((one, other) => one - other),
    )
    assert.ok(
      chanceOf({ ...PAIR, compared: { ...between(TITLE, 'Login loops for Hongkong'), words: 0.5 } }) < chanceOf(PAIR),
    )
    for (const words of [-1e9, 0, 1e9]) {
      const chance = chanceOf(pairAt(words))
      assert.ok(chance > 0 && chance < 1)
    }
  })
})

const HISTORIES = 100_000

describe('A workspace’s own decisions', () => {
  const settled = (count: number, chance: number, same: boolean) =>
    Array.from({ length: count }, () => ({ chance, same, weight: 1 }))

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

  it('shift them to where all decisions and the expectation are in balance, whatever was decided', () => {
    assert.equal(shiftOf(settled(30, 0.02, true)).toFixed(2), '5.41')
    assert.equal(shiftOf([...settled(18, 0.02, true), ...settled(1, 0.6, false)]).toFixed(2), '4.67')
    const random = seededRandom(11)
    for (let history = 0; history < HISTORIES; history += 1) {
      const leaning = random()
      const decided = Array.from({ length: 1 + Math.floor(random() ** 6 * 60) }, () => ({
        chance: 0.005 + 0.99 * random() ** (1 + 4 * leaning),
        same: random() < leaning,
        weight: 1 / (1 + Math.floor(4 * random())),
      }))
      const shift = shiftOf(decided)
      const pulled = decided.reduce(
        (sum, { chance, same, weight }) => sum + weight * ((same ? 1 : 0) - corrected(chance, shift)),
        0,
      )
      assert.ok(Math.abs(pulled - shift) < 1e-9, `${JSON.stringify(decided)}: ${shift}, pulled ${pulled}`)
    }
  })
})

describe('A logistic regression', () => {
  it('finds the chances that labels were drawn from', () => {
    const random = seededRandom(7)
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
    const model = fit(['one', 'other'].map(tracker => ({ tracker, pairs })))
    const mean = (same: boolean) => {
      const odds = pairs.filter(pair => pair.same === same).map(({ features }) => logOddsOf(model, features))
      return odds.reduce((sum, one) => sum + one, 0) / odds.length
    }
    assert.ok(mean(true) > mean(false))
  })
})
