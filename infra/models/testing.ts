import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** What the fake server answers: a status and a body that is sent as JSON, or as it is when it is a string. Undefined: never. */
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

/** A model server for a test, on loopback, that ends with the test. */
export const startFakeModelServer = async (
  test: TestContext,
  answer: (request: FakeRequest) => FakeAnswer | undefined,
): Promise<string> => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const given = answer({
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
  test.after(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
