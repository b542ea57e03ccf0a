import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../runtime/secrets.ts'
import { toVectorBytes } from '../../vectors.ts'
import { createBuiltInEmbedder } from '../built-in-embedder.ts'
import builtIn from '../known/built-in.json' with { type: 'json' }
import model from './model.json' with { type: 'json' }
import { BUILT_IN_MODEL, nameOf, VECTORS } from './name.ts'
import reference from './reference.json' with { type: 'json' }

const DECISIVE = { ...model, ...builtIn, vectors: VECTORS }

for (const file of Object.keys(model.files)) {
  test(`another ${file} is another model`, () => {
    assert.notEqual(nameOf({ ...DECISIVE, files: { ...model.files, [file]: '0'.repeat(64) } }), BUILT_IN_MODEL)
  })
}

test('so are layers of another shape, another mean, and other vectors of the same files', () => {
  const others = [
    { ...DECISIVE, layers: model.layers.map(layer => ({ ...layer, shape: layer.shape.toReversed() })) },
    { ...DECISIVE, mean: builtIn.mean.with(0, 0.2842) },
    { ...DECISIVE, vectors: 'others' },
  ].map(nameOf)
  assert.equal(new Set([...others, BUILT_IN_MODEL]).size, others.length + 1)
})

test('the files in another order are the same model', () => {
  const files = Object.fromEntries(Object.entries(model.files).toReversed())
  assert.equal(nameOf({ ...DECISIVE, files }), BUILT_IN_MODEL)
})

/** Beside the reference texts one that is longer than what is read, and two that are compared by spelling. */
const TEXTS = [
  ...reference.map(({ text }) => text),
  reference
    .map(({ text }) => text.toUpperCase())
    .join('\n ')
    .repeat(4),
  'இந்த புலத்தில் மதிப்பு தேவை.',
  '🦀🦀',
]

test('the code makes the vectors that the name is made of', async () => {
  const vectors = await createBuiltInEmbedder().embed(TEXTS)
  const made = sha256(Buffer.concat(vectors.map(toVectorBytes)))
    .toString('hex')
    .slice(0, 16)
  assert.equal(
    made,
    VECTORS,
    `Texts have other vectors than before: write VECTORS = '${made}', and all are embedded anew.`,
  )
})
