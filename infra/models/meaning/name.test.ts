import assert from 'node:assert/strict'
import { test } from 'node:test'
import builtIn from '../known/built-in.json' with { type: 'json' }
import model from './model.json' with { type: 'json' }
import { BUILT_IN_MODEL, nameOf, READING } from './name.ts'

const DECISIVE = { ...model, ...builtIn, reading: READING }

test('another file, another mean and another way to read are another model each', () => {
  const others = [
    ...Object.keys(model.files).map(file => ({ ...DECISIVE, files: { ...model.files, [file]: '0'.repeat(64) } })),
    { ...DECISIVE, mean: builtIn.mean.with(0, 0.2842) },
    { ...DECISIVE, reading: READING + 1 },
  ].map(nameOf)
  assert.equal(new Set([...others, BUILT_IN_MODEL]).size, others.length + 1)
})

test('the files in another order are the same model', () => {
  const files = Object.fromEntries(Object.entries(model.files).toReversed())
  assert.equal(nameOf({ ...DECISIVE, files }), BUILT_IN_MODEL)
})
