import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BUILT_IN_MODEL } from '../../../infra/models/meaning/name.ts'
import { chanceByMeaning } from './by-meaning.ts'

const at = (cosine: number | null, model = BUILT_IN_MODEL) => chanceByMeaning({ model, cosine, around: 0.2 })

test('the nearer two are in meaning, and the farther the others, the likelier they are the same', () => {
  const chances = [0.1, 0.3, 0.5, 0.7, 0.9].map(cosine => at(cosine))
  assert.deepEqual(
    chances,
    chances.toSorted((one, other) => one - other),
  )
  assert.ok(at(0.2) < 0.05 && at(0.95) > 0.5, chances.join(' '))
  assert.ok(chanceByMeaning({ model: BUILT_IN_MODEL, cosine: 0.6, around: 0.5 }) < at(0.6))
})

test('nothing is said of a text without a vector, or of a model that nobody fitted', () => {
  assert.equal(at(null), 0)
  assert.equal(at(0.9, 'another-model'), 0)
})
