import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createOpenAiEmbedder } from '../../infra/models/openai-embedder.ts'
import { embeddingsAnswer, startFakeModelServer } from '../../infra/models/testing.ts'
import { createUnchangedEmbedder } from '../../infra/models/unchanged-embedder.ts'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { seededRandom } from '../../infra/runtime/testing.ts'
import { storedFingerprints } from './embedding-fingerprints.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

/** A vector that a text always gets of one kind of model, and another of another. */
const vectorOf = (text: string, kind: number, dimensions: number): number[] => {
  const seed = [...text].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 2_147_483_647, kind + 7) || 1
  const random = seededRandom(seed)
  return Array.from({ length: dimensions }, () => random() - 0.5)
}

const HOUR_MS = 3_600_000

for (const [what, changed] of [
  ['other vectors', { kind: 2, dimensions: 384, noise: 0 }],
  ['vectors of other dimensions', { kind: 1, dimensions: 768, noise: 0 }],
] as const) {
  test(`a server that has ${what} under the same name is refused, at the start and within an hour, with what to do`, async t => {
    let serves = { kind: 1, dimensions: 384, noise: 0 }
    const asked: unknown[] = []
    const baseUrl = await startFakeModelServer(t, ({ body }) => {
      asked.push(body.model)
      const { kind, dimensions, noise } = serves
      return embeddingsAnswer(body, text =>
        vectorOf(text, kind, dimensions).map((value, at) => value + noise * (at % 2)),
      )
    })
    const name = `model of ${what}`
    let now = 0
    const start = (model = name) =>
      createUnchangedEmbedder(
        createOpenAiEmbedder({ baseUrl, model, apiKey: null, timeoutMs: 10_000, requestDimensions: false }),
        storedFingerprints(db.database),
        () => now,
      )
    const running = start()
    assert.equal((await running.embed(['One'])).length, 1)
    // The same model on other hardware.
    serves = { ...serves, noise: 0.001 }
    await start().embed(['One'])
    serves = changed
    await running.embed(['One'])
    now += HOUR_MS
    const refusal = {
      code: 'unavailable',
      publicMessage: `The server of the model ${name} answers other vectors than before: it has another model under this name. Serve the earlier model again, or set EMBEDDINGS_MODEL=${name}#2 for all programs: the server is asked for the same name, and all texts are embedded again.`,
    }
    await assert.rejects(running.embed(['Two']), refusal)
    await assert.rejects(start().embed(['Two']), refusal)
    const other = start(`${name}#2`)
    assert.deepEqual([other.model, (await other.embed(['Two'])).length], [`${name}#2`, 1])
    assert.deepEqual([...new Set(asked)], [name])
    // Where the earlier one is served again, it goes on by itself.
    serves = { kind: 1, dimensions: 384, noise: 0 }
    assert.equal((await running.embed(['Two'])).length, 1)
    await assert.rejects(
      other
        .embed(['Three'])
        .then(() => (now += HOUR_MS))
        .then(() => other.embed(['Three'])),
      /#3/,
    )
  })
}

test('a model is not looked at twice within an hour, however many ask at the same time', async t => {
  let requests = 0
  const baseUrl = await startFakeModelServer(t, ({ body }) => {
    requests += 1
    return embeddingsAnswer(body, text => vectorOf(text, 1, 384))
  })
  const embedder = createUnchangedEmbedder(
    createOpenAiEmbedder({ baseUrl, model: 'calm', apiKey: null, timeoutMs: 10_000, requestDimensions: false }),
    storedFingerprints(db.database),
    () => 0,
  )
  await Promise.all(['One', 'Two', 'Three'].map(text => embedder.embed([text])))
  await embedder.embed(['Four'])
  assert.equal(requests, 5)
})
