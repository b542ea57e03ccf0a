import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAssayError } from '../runtime/errors.ts'
import { knownModel, shippedCalibration } from './calibration.ts'
import { createOpenAiEmbedder, filledVector } from './openai-embedder.ts'
import type { ModelEndpoint } from './post-json.ts'
import { pointing, startFakeModelServer } from './testing.ts'

const embedder = (baseUrl: string, options: Partial<ModelEndpoint & { requestDimensions: boolean }> = {}) =>
  createOpenAiEmbedder({
    baseUrl,
    model: 'test-model',
    apiKey: null,
    timeoutMs: 10_000,
    requestDimensions: false,
    ...options,
  })

test('puts answers back in order by their index, and makes unit vectors of them', async t => {
  const requests: unknown[] = []
  const url = await startFakeModelServer(t, ({ path, authorization, body }) => {
    requests.push({ path, authorization, body })
    const input = body.input as string[]
    return { body: { data: input.map((text, index) => ({ index, embedding: pointing(Number(text)) })).reverse() } }
  })
  const vectors = await embedder(`${url}/v1/`, { apiKey: 'a-key' }).embed(['3', '5', '7'])
  assert.deepEqual(
    vectors.map(vector => vector.indexOf(1)),
    [3, 5, 7],
  )
  assert.deepEqual(requests, [
    {
      path: '/v1/embeddings',
      authorization: 'Bearer a-key',
      body: { model: 'test-model', input: ['3', '5', '7'], encoding_format: 'float' },
    },
  ])
})

test('asks for 1024 dimensions only where that is configured', async t => {
  let asked: unknown
  const url = await startFakeModelServer(t, ({ body }) => {
    asked = body.dimensions
    return { body: { data: [{ index: 0, embedding: pointing(1) }] } }
  })
  await embedder(url, { requestDimensions: true }).embed(['text'])
  assert.equal(asked, 1024)
})

for (const [wrong, answer, code, message] of [
  [
    'a model of other dimensions',
    { data: [{ index: 0, embedding: [1, 2, 3] }] },
    'unavailable',
    /3 dimensions.*128 to 1024/,
  ],
  [
    'a null among the numbers',
    { data: [{ index: 0, embedding: [...pointing(0).slice(1), null] }] },
    'internal',
    /NaN at position 1023/,
  ],
  ['nothing but zeros', { data: [{ index: 0, embedding: pointing(0, 0) }] }, 'internal', /vector of zeros/],
  ['too few vectors', { data: [] }, 'internal', /0 vectors for 1 texts/],
  ['an index that is not the text’s', { data: [{ index: 4, embedding: pointing(0) }] }, 'internal', /left text 0 out/],
  ['another shape', { embeddings: [] }, 'internal', /unknown shape/],
  ['no JSON', '<html>', 'internal', /other than JSON/],
] as const) {
  test(`refuses ${wrong}`, async t => {
    const url = await startFakeModelServer(t, () => ({ body: answer }))
    await assert.rejects(embedder(url).embed(['text']), error => {
      assert.ok(isAssayError(error))
      assert.equal(error.code, code)
      assert.match(error.publicMessage, message)
      return true
    })
  })
}

for (const [status, code, retriable] of [
  [400, 'invalid_input', false],
  [401, 'unavailable', true],
  [404, 'unavailable', true],
  [413, 'invalid_input', false],
  [429, 'rate_limited', true],
  [500, 'busy', true],
  [503, 'unavailable', true],
] as const) {
  test(`says ${code} for the status ${status}, and nothing of the body`, async t => {
    const url = await startFakeModelServer(t, () => ({
      status,
      headers: { 'retry-after': '7' },
      body: { error: { message: 'no embedding for: a private text' } },
    }))
    await assert.rejects(embedder(url).embed(['a private text']), error => {
      assert.ok(isAssayError(error))
      assert.deepEqual([error.code, error.retriable, error.retryAfterSeconds], [code, retriable, 7])
      assert.doesNotMatch(error.publicMessage, /private/)
      return true
    })
  })
}

for (const [what, header, seconds] of [
  ['a date', () => new Date(Date.now() + 90_000).toUTCString(), [89, 90]],
  ['a date that is over', () => new Date(0).toUTCString(), [null]],
  ['half a second', () => '0.5', [1]],
  ['something else', () => 'soon', [null]],
] as const) {
  test(`reads ${what} in Retry-After`, async t => {
    const url = await startFakeModelServer(t, () => ({ status: 429, headers: { 'retry-after': header() }, body: {} }))
    await assert.rejects(embedder(url).embed(['text']), error => {
      assert.ok(isAssayError(error))
      assert.ok((seconds as readonly (number | null)[]).includes(error.retryAfterSeconds), `${error.retryAfterSeconds}`)
      return true
    })
  })
}

test('gives up on a server that never answers', async t => {
  const url = await startFakeModelServer(t, () => undefined)
  await assert.rejects(embedder(url, { timeoutMs: 50 }).embed(['text']), { code: 'timeout', retriable: true })
})

test('says unavailable when nobody listens', async () => {
  await assert.rejects(embedder('http://127.0.0.1:1').embed(['text']), { code: 'unavailable', retriable: true })
})

const E5 = 'intfloat/multilingual-e5-small'

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

const some = (dimensions: number, seed: number): readonly number[] =>
  Array.from({ length: dimensions }, (_, at) => Math.sin(seed * (at + 1)))

test('a vector of fewer dimensions keeps its cosines, and every sign bit says something', () => {
  const [one, other] = [filledVector('small', some(384, 1)), filledVector('small', some(384, 1.01))]
  const [whole, wholeOther] = [some(384, 1), some(384, 1.01)].map(values => Float32Array.from(values))
  assert.ok(whole && wholeOther)
  const expected = dot(whole, wholeOther) / Math.sqrt(dot(whole, whole) * dot(wholeOther, wholeOther))
  assert.ok(Math.abs(dot(one, other) - expected) < 1e-4)
  assert.equal(one.length, 1024)
  assert.ok(Math.abs(dot(one, one) - 1) < 1e-5)
  const positive = one.slice(384).filter(value => value > 0).length
  assert.ok(positive > 200 && positive < 440, `${positive} of 640 are positive`)
})

test('one of 1024 dimensions stays as it is', () => {
  assert.equal(filledVector('large', pointing(7)).indexOf(1), 7)
})

test('what all vectors of a known model share is taken off', () => {
  const { mean } = knownModel(E5) ?? {}
  assert.ok(mean)
  assert.equal(mean.length, 384)
  const near = (seed: number) => mean.map((shared, at) => shared + 0.02 * Math.sin(seed * (at + 1)))
  const other = near(5)
  assert.ok(dot(filledVector('another', near(3)), filledVector('another', other)) > 0.8)
  assert.ok(Math.abs(dot(filledVector(E5, near(3)), filledVector(E5, other))) < 0.5)
})

test('knows a model by the names that servers give it, and no other one', () => {
  for (const name of [
    'multilingual-e5-small',
    'multilingual-e5-small-q4',
    E5,
    'jeffh/intfloat-multilingual-e5-small:f16',
    'all-minilm',
    'all-minilm:22m',
    'sentence-transformers/all-MiniLM-L6-v2',
  ]) {
    assert.notEqual(shippedCalibration(name), null, name)
  }
  for (const name of ['bge-m3', 'multilingual-e5-large', 'all-minilm:33m', 'cnmoro/portuguese-multilingual-e5-small']) {
    assert.equal(shippedCalibration(name), null, name)
  }
})

test('refuses more dimensions than are stored, and zeros [object-15]', () => {
  assert.throws(() => filledVector('huge', some(1536, 1)), /1536 dimensions.*128 to 1024/)
  assert.throws(
    () =>
      filledVector(
        E5,
        Array.from({ length: 384 }, () => 0),
      ),
    /vector of zeros/,
  )
})
