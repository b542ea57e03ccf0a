import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from '../../../infra/models/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { fromVectorBytes } from '../../../model/vectors.ts'
import { embedder, vectorAt, withContent } from '../testing.ts'
import { createEmbed } from './embed.ts'

const answering = (embed: Embedder['embed']): Embedder => ({ model: 'test-model', limitation: null, embed })

test('each signal gets its text’s vector, of length 1, named by its model', async () => {
  const batch = [withContent('The export fails'), withContent('Please add a dark mode')]
  const results = await createEmbed({ embedder }).run(batch)
  const expected = await embedder.embed(batch.map(signal => signal.content.text))
  for (const [index, result] of results.entries()) {
    assert.equal(result.kind, 'next')
    assert.equal(result.adds.embedding.model, embedder.model)
    assert.equal(result.adds.embedding.vector.byteLength, 4096)
    const vector = fromVectorBytes(result.adds.embedding.vector)
    const cosine = vector.reduce((sum, value, at) => sum + value * (expected[index]?.[at] ?? 0), 0)
    assert.ok(Math.abs(cosine - 1) < 1e-5)
  }
})

test('a text that comes twice in a batch is embedded once', async () => {
  const asked: (readonly string[])[] = []
  const counting = answering(async texts => {
    asked.push(texts)
    return texts.map((_, index) => vectorAt(1, index + 1))
  })
  const results = await createEmbed({ embedder: counting }).run(['a', 'b', 'a', 'a'].map(text => withContent(text)))
  assert.deepEqual(asked, [['a', 'b']])
  assert.equal(results.length, 4)
  assert.deepEqual(results[0], results[3])
})

const short = (): Float32Array => new Float32Array(768).fill(1)
for (const [what, vectors, code, message] of [
  ['other dimensions', [short()], 'unavailable', /768 dimensions; 1024/],
  ['no number', [vectorAt(1).fill(Number.NaN)], 'internal', /NaN/],
  ['zeros', [new Float32Array(1024)], 'internal', /zeros/],
  ['nothing', [], 'internal', /0 vectors for 1 texts/],
] as const) {
  test(`a model that answers ${what} is an error that says so`, async () => {
    const wrong = createEmbed({ embedder: answering(async () => vectors) })
    await assert.rejects(wrong.run([withContent('a')]), error => {
      assert.ok(error instanceof AssayError)
      assert.equal(error.code, code)
      assert.match(error.publicMessage, message)
      return true
    })
  })
}

test('a model that is away is left to the runtime', async () => {
  const away = new AssayError('unavailable', 'Away.')
  const step = createEmbed({ embedder: answering(() => Promise.reject(away)) })
  await assert.rejects(step.run([withContent('a')]), away)
})
