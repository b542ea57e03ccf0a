import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createBatchingEmbedder } from '../../../infra/models/batching-embedder.ts'
import { createOpenAiEmbedder } from '../../../infra/models/openai-embedder.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import { embeddingsAnswer, type FakeAnswer, pointing, startFakeModelServer } from '../../../infra/models/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { cosine, fromVectorBytes } from '../../../infra/vectors.ts'
import { passagesOf } from '../../../model/themes/passages.ts'
import { passageHashes } from '../../../model/themes/shared-passages.ts'
import { newId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { REFUSED_BY_MODEL } from '../../../schemas/domain/vocabulary.ts'
import { runStep } from '../../framework/run-step.ts'
import { testContent, testPace, testSignal } from '../../framework/testing.ts'
import { embedder, vectorAt, withContent } from '../testing.ts'
import { createEmbed } from './embed.ts'

const answering = (embed: Embedder['embed']): Embedder => ({ model: 'test-model', limitation: null, embed })

const kinds = (results: readonly { readonly kind: string }[]): string[] => results.map(({ kind }) => kind)

describe('embed', () => {
  it('gives each signal its text’s vector, of length 1, named by its model', async () => {
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

  it('embeds what a text says itself, without what unlike signals of its workspace share', async () => {
    const mail = 'We write to you about our contract.\nThe export fails.'
    const [one, other] = [withContent(mail), { ...withContent(mail), workspace_id: newId<WorkspaceId>() }]
    const keys = passagesOf('We write to you about our contract.').map(({ key }) => key)
    const shared = new Map([[one.workspace_id, new Set(passageHashes(new Set(keys)))]])
    const results = await createEmbed({ embedder, sharedPassages: async () => shared }).run([one, other])
    const embeddings = results.map(result =>
      result.kind === 'next' ? result.adds.embedding : assert.fail(result.kind),
    )
    const expected = await embedder.embed(['The export fails.', mail])
    for (const [at, { vector }] of embeddings.entries())
      assert.ok(cosine(fromVectorBytes(vector), expected[at] ?? new Float32Array()) > 0.9999)
    assert.deepEqual(
      embeddings.map(({ own_text }) => own_text !== 0),
      [true, false],
    )
  })

  const short = (): Float32Array => new Float32Array(768).fill(1)

  for (const [what, vectors, message] of [
    ['no number', [vectorAt(1).fill(Number.NaN)], /NaN at position 0/],
    ['zeros', [new Float32Array(1024)], /vector of zeros/],
    ['nothing', [], /0 vectors for 1 texts/],
  ] as const) {
    it(`a signal for which the model answers ${what} ends as our fault, and says so`, async () => {
      const [result] = await createEmbed({ embedder: answering(async () => vectors) }).run([withContent('a')])
      assert.equal(result?.kind, 'dead')
      assert.equal(result.fault, 'ours')
      assert.match(result.reason, message)
    })
  }

  it('a text that uses up its CPU ends as too costly, and its neighbours are embedded', async () => {
    const costly = answering(async texts => {
      if (texts.includes('endless')) throw new AssayError('too_costly', 'It needs more CPU than it may cost.')
      return texts.map(() => Float32Array.from(pointing(0)))
    })
    const results = await createEmbed({ embedder: costly }).run(['a', 'endless', 'b'].map(text => withContent(text)))
    assert.deepEqual(
      results.map(result => (result.kind === 'dead' ? result.fault : result.kind)),
      ['next', 'too_costly', 'next'],
    )
  })

  it('a model that is away is left to the runtime', async () => {
    const away = new AssayError('unavailable', 'Away.')
    const step = createEmbed({ embedder: answering(() => Promise.reject(away)) })
    await assert.rejects(step.run([withContent('a'), withContent('b')]), away)
  })

  it('an error that nobody foresaw is left to the runtime too', async () => {
    const thrown = new TypeError('broken')
    const step = createEmbed({ embedder: answering(() => Promise.reject(thrown)) })
    await assert.rejects(step.run([withContent('a'), withContent('b')]), thrown)
  })

  it('a model of other dimensions is away as a whole, which the message says', async () => {
    const step = createEmbed({ embedder: answering(async texts => texts.map(short)) })
    await assert.rejects(step.run([withContent('a'), withContent('b')]), {
      code: 'unavailable',
      publicMessage: /768 dimensions\. Configure a model with 128 to 1024 dimensions/,
    })
  })
})

describe('embed, with a model server', () => {
  const start = async (
    t: TestContext,
    answer: (texts: readonly string[]) => FakeAnswer | null | undefined,
    timeoutMs = 10_000,
  ) => {
    const requests: (readonly string[])[] = []
    const baseUrl = await startFakeModelServer(t, ({ body }) => {
      const texts = body.input as string[]
      requests.push(texts)
      const given = answer(texts)
      return given === null ? undefined : (given ?? embeddingsAnswer(body, () => pointing(0)))
    })
    const model = createOpenAiEmbedder({
      baseUrl,
      model: 'test-model',
      apiKey: null,
      timeoutMs,
      requestDimensions: false,
    })
    const batching = createBatchingEmbedder(model, { batchSize: 4, concurrency: 2, cachedVectors: 100 })
    return { step: createEmbed({ embedder: batching }), requests }
  }

  const texts = ['a', 'b', 'c', 'bad', 'e', 'f', 'bad', 'h']

  for (const [what, answer, kind, reason] of [
    ['is refused as too long', { status: 413, body: {} }, 'dead', /HTTP status 413/],
    ['is refused as invalid', { status: 400, body: {} }, 'dead', /HTTP status 400/],
    ['the model answers NaN for', 'NaN', 'dead', /NaN at position 1023/],
    ['makes the server fail', { status: 500, body: {} }, 'retry', /HTTP status 500/],
    ['takes too long', null, 'retry', /did not answer within/],
  ] as const) {
    it(`a text that ${what} is found in its batch, and its neighbours pass`, async t => {
      const nan = (part: readonly string[]) => ({
        body: {
          data: part.map((text, index) => ({
            index,
            embedding: text === 'bad' ? [...pointing(0).slice(1), null] : pointing(0),
          })),
        },
      })
      const { step, requests } = await start(
        t,
        part => (part.includes('bad') ? (answer === 'NaN' ? nan(part) : answer) : undefined),
        answer === null ? 1000 : 10_000,
      )
      const signals = texts.map(text => testSignal(text, { content: testContent(text) }))
      const outcomes = await runStep(step, signals, testPace())
      assert.deepEqual(kinds(outcomes), ['next', 'next', 'next', kind, 'next', 'next', kind, 'next'])
      assert.match((outcomes[3]?.kind === kind && outcomes[3].reason) || '', reason)
      // What the model refuses itself has a class of its own, so that it is shown with what can be done.
      const isRefused = outcomes[3]?.kind === 'dead' && outcomes[3].errorClass === REFUSED_BY_MODEL
      assert.equal(isRefused, /HTTP status 4/.test(String(reason)))
      const alone = requests.filter(part => part.length === 1 && part[0] === 'bad')
      assert.equal(alone.length, 1, 'a text that fails is asked for alone once, however often it comes')
    })
  }

  for (const [what, answer] of [
    ['refuses everything', { status: 400, body: {} }],
    ['fails at everything', { status: 500, body: {} }],
    ['has other dimensions', { body: { data: [{ index: 0, embedding: [1, 2, 3] }] } }],
  ] as const) {
    it(`a server that ${what} is waited for: no signal ends or counts an attempt`, async t => {
      const { step } = await start(t, () => answer)
      await assert.rejects(runStep(step, [testSignal('a', { content: testContent('a') })], testPace()), {
        code: 'unavailable',
      })
    })
  }
})
