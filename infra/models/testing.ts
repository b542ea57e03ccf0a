import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'

/**
 * What the fake server answers: a status and a body that is sent as JSON, or as it is when it is a string. Undefined:
 * never.
 */
export interface FakeAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface FakeRequest {
  readonly path: string
  readonly authorization: string | undefined
  // What a model server would read; each test knows the shape that it sent.
  readonly body: Record<string, unknown>
}

type Answering = (request: FakeRequest) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>

export interface FakeModelServer {
  readonly url: string
  stop(): void
}

/** A model server on loopback. */
export const createFakeModelServer = async (answer: Answering): Promise<FakeModelServer> => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const given = await answer({
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    })
    if (given === undefined) return
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers })
    response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A model server for a test, that ends with the test. */
export const startFakeModelServer = async (test: TestContext, answer: Answering): Promise<string> => {
  const { url, stop } = await createFakeModelServer(answer)
  test.after(stop)
  return url
}

/** A vector, as a server writes it, that points along one axis. */
export const pointing = (axis: number, length = 2): number[] =>
  Array.from({ length: EMBEDDING_DIMENSIONS }, (_, index) => (index === axis ? length : 0))

/** What `/v1/embeddings` answers for texts that `vectorOf` has a vector for. */
export const embeddingsAnswer = (
  body: FakeRequest['body'],
  vectorOf: (text: string) => readonly unknown[],
): FakeAnswer => {
  // The embedder sends its texts under this name.
  const input = body.input as readonly string[]
  return { body: { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) } }
}

export const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

export const unit = (vector: readonly number[]): number[] => {
  const length = Math.sqrt(dot(vector, vector))
  return vector.map(value => value / length)
}

/**
 * The same for the same words, and across no other: numbers of a congruential generator that begins with a hash of
 * them.
 */
export const vectorOfItsOwn = (words: string): number[] => {
  let state = 2166136261
  for (const character of words) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0
  return unit(
    Array.from({ length: EMBEDDING_DIMENSIONS }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state / 2 ** 31 - 1
    }),
  )
}
