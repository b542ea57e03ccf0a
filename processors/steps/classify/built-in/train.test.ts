import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TUNING } from '../labelled.testing.ts'
import { FEATURES } from './features.ts'
import { train } from './train.ts'

const OWN = TUNING.filter((_, at) => at % 12 === 0)
const STRANGERS = new Map(
  ['one', 'other'].map(name => [
    name,
    TUNING.filter((_, at) => at % 24 === (name === 'one' ? 1 : 7)).map(({ text, label }) => ({
      title: '',
      text,
      label,
    })),
  ]),
)

test('the same texts make the same model, whose weights are of our features alone', () => {
  const { model, unseen } = train(OWN, STRANGERS)
  assert.deepEqual(train(OWN, STRANGERS).model, model)
  assert.deepEqual(Object.keys(model.weights), FEATURES)
  assert.equal(unseen.length, OWN.length + [...STRANGERS.values()].reduce((sum, set) => sum + set.length, 0))
})
