import assert from 'node:assert/strict'
import { describe, it, type TestContext, test } from 'node:test'
import { type AssayError, isAssayError } from '../runtime/errors.ts'
import { eventually } from '../runtime/testing.ts'
import { type BatchingOptions, createBatchingEmbedder, createLimit, createVectorCache } from './batching-embedder.ts'
import { createOpenAiEmbedder } from './openai-embedder.ts'
import { embeddingsAnswer, type FakeAnswer, pointing, startFakeModelServer } from './testing.ts'

/** Answers texts that are numbers with the axis of that number; anything else points along the first one. */
const axisOf = (text: string): number[] => pointing(Number(text) || 0)

interface Recorded {
  /** The texts of each request, in the order in which they came. */
  readonly requests: (readonly string[])[]
  readonly outcomes: string[]
  cached: number
  asked: number
}

/** An embedder on a server of its own; what `answer` leaves undefined is answered as it should be. */
const start = async (
  t: TestContext,
  known: Partial<BatchingOptions> & { readonly timeoutMs?: number } = {},
  answer: (texts: readonly string[]) => FakeAnswer | null | undefined | Promise<FakeAnswer | null | undefined> = () =>
    undefined,
) => {
  const recorded: Recorded = { requests: [], outcomes: [], cached: 0, asked: 0 }
  const baseUrl = await startFakeModelServer(t, async ({ body }) => {
    const texts = body.input as string[]
    recorded.requests.push(texts)
    const given = await answer(texts)
    // Null: the server never answers.
    return given === null ? undefined : (given ?? embeddingsAnswer(body, axisOf))
  })
  const { timeoutMs = 10_000, ...options } = known
  const model = createOpenAiEmbedder({
    baseUrl,
    model: 'test-model',
    apiKey: null,
    timeoutMs,
    requestDimensions: false,
  })
  const embedder = createBatchingEmbedder(model, {
    batchSize: 2,
    concurrency: 4,
    cachedVectors: 100,
    watch: {
      texts: (cached, asked) => {
        recorded.cached += cached
        recorded.asked += asked
      },
      request: outcome => recorded.outcomes.push(outcome),
    },
    ...options,
  })
  return { embedder, recorded }
}

const axes = (vectors: readonly Float32Array[]): number[] => vectors.map(vector => vector.indexOf(1))

const failure = async (promise: Promise<unknown>): Promise<AssayError> => {
  const error = await promise.then(
    () => null,
    thrown => thrown,
  )
  assert.ok(isAssayError(error), `${error}`)
  return error
}

describe('Batches', () => {
  it('asks for each text once, in batches, and answers in the order of the texts', async t => {
    const { embedder, recorded } = await start(t)
    assert.deepEqual(axes(await embedder.embed(['3', '5', '3', '7', '5'])), [3, 5, 3, 7, 5])
    assert.deepEqual(recorded.requests, [['3', '5'], ['7']])
    assert.deepEqual([recorded.cached, recorded.asked], [2, 3])
    assert.deepEqual(await embedder.embed([]), [])
  })

  it('asks several at a time, for all callers together never more than allowed', async t => {
    let open = 0
    let most = 0
    const held: (() => void)[] = []
    const { embedder } = await start(t, { batchSize: 1, concurrency: 3 }, async () => {
      open += 1
      most = Math.max(most, open)
      await new Promise<void>(resolve => held.push(resolve))
      open -= 1
      return undefined
    })
    const both = Promise.all([embedder.embed(['1', '2', '3', '4']), embedder.embed(['5', '6', '7'])])
    for (let answered = 0; answered < 7; answered += 1) {
      const release = await eventually('a request is there', () => held.shift() ?? null)
      if (answered === 0) await eventually('three are open', () => open === 3)
      release()
    }
    assert.deepEqual((await both).map(axes), [
      [1, 2, 3, 4],
      [5, 6, 7],
    ])
    assert.equal(most, 3)
  })
})

describe('The cache', () => {
  it('answers what it has, counts it, and forgets what was used longest ago', async t => {
    const { embedder, recorded } = await start(t, { batchSize: 10, cachedVectors: 2 })
    await embedder.embed(['1', '2'])
    assert.deepEqual(axes(await embedder.embed(['1'])), [1])
    await embedder.embed(['3'])
    await embedder.embed(['1', '2'])
    assert.deepEqual(recorded.requests, [['1', '2'], ['3'], ['2']])
    assert.deepEqual([recorded.cached, recorded.asked], [2, 4])
  })

  it('keeps what was answered while another batch failed, so that a second try asks for the rest only', async t => {
    let isUnavailable = true
    const { embedder, recorded } = await start(t, { concurrency: 1 }, texts =>
      isUnavailable && texts.includes('3') ? { status: 503, body: {} } : undefined,
    )
    await assert.rejects(embedder.embed(['1', '2', '3', '4', '5']), { code: 'unavailable' })
    isUnavailable = false
    assert.deepEqual(axes(await embedder.embed(['1', '2', '3', '4', '5'])), [1, 2, 3, 4, 5])
    assert.deepEqual(recorded.requests, [['1', '2'], ['3', '4'], ['3', '4'], ['5']])
  })
})

const broken = { body: { data: [{ index: 0, embedding: pointing(0).map(() => null) }] } }

describe('Whose fault it is', () => {
  for (const [what, answer, code] of [
    ['refuses', { status: 413, body: {} }, 'invalid_input'],
    ['fails on', { status: 500, body: {} }, 'busy'],
    ['answers NaN for', broken, 'internal'],
    ['never answers', null, 'timeout'],
  ] as const) {
    it(`a model that ${what} one text is blamed for that text`, async t => {
      const timeoutMs = answer === null ? 1000 : 10_000
      const { embedder, recorded } = await start(t, { batchSize: 1, timeoutMs }, texts =>
        texts[0] === '2' ? answer : undefined,
      )
      const error = await failure(embedder.embed(['1', '2', '3']))
      assert.equal(error.code, code)
      assert.deepEqual(recorded.outcomes.toSorted(), ['ok', 'ok', 'ok', code].toSorted())
      assert.deepEqual(axes(await embedder.embed(['1', '3'])), [1, 3])
      assert.equal(recorded.requests.length, 4, 'the neighbours are in the cache')
    })

    it(`a model that ${what} every text is away`, async t => {
      const timeoutMs = answer === null ? 1000 : 10_000
      const { embedder, recorded } = await start(t, { concurrency: 1, timeoutMs }, () => answer)
      const error = await failure(embedder.embed(['1', '2', '3', '4', '5']))
      assert.deepEqual([error.code, error.retriable], ['unavailable', true])
      assert.match(error.publicMessage, /It fails for every text\.$/)
      assert.deepEqual(recorded.requests, [['1', '2'], ['test']], 'nothing else was tried')
    })
  }

  it('a server that asks for patience is asked nothing more, and its wait is passed on', async t => {
    const { embedder, recorded } = await start(t, { concurrency: 1 }, () => ({
      status: 429,
      headers: { 'retry-after': '7' },
      body: {},
    }))
    const error = await failure(embedder.embed(['1', '2', '3', '4', '5']))
    assert.deepEqual([error.code, error.retryAfterSeconds], ['unavailable', 7])
    assert.equal(recorded.requests.length, 1)
  })

  it('what the model itself throws unforeseen is passed on as it is', async () => {
    const thrown = new TypeError('broken')
    const model = { model: 'm', limitation: null, embed: () => Promise.reject(thrown) }
    await assert.rejects(
      createBatchingEmbedder(model, { batchSize: 1, concurrency: 1, cachedVectors: 1 }).embed(['a']),
      thrown,
    )
  })
})

test('no more than so many run at once, in the order in which they came, and one that fails gives its place back', async () => {
  const limit = createLimit(2)
  const started: number[] = []
  let running = 0
  let most = 0
  const work = (index: number) => async () => {
    started.push(index)
    running += 1
    most = Math.max(most, running)
    await new Promise(resolve => setImmediate(resolve))
    running -= 1
    if (index === 1) throw new Error('one')
    return index
  }
  const settled = await Promise.allSettled([0, 1, 2, 3, 4].map(index => limit(work(index))))
  assert.equal(most, 2)
  assert.deepEqual(started, [0, 1, 2, 3, 4])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
})

const vector = (value: number) => new Float32Array(1024).fill(value)

test('the least recently used goes when there are too many', () => {
  const cache = createVectorCache('model', 2)
  cache.set('a', vector(1))
  cache.set('b', vector(2))
  assert.deepEqual(cache.get('a'), vector(1))
  cache.set('c', vector(3))
  assert.equal(cache.get('b'), undefined)
  assert.deepEqual([cache.get('a')?.[0], cache.get('c')?.[0]], [1, 3])
})

test('a text that is put again counts once', () => {
  const cache = createVectorCache('model', 2)
  for (const text of ['a', 'b', 'b', 'b']) cache.set(text, vector(1))
  assert.ok(cache.get('a'))
})
