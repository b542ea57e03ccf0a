import { createServer, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { createFakeModelServer, embeddingsAnswer, vectorOfItsOwn } from '../../infra/models/testing.ts'
import { freePort } from './program.ts'
import { POISON } from './texts.ts'

/**
 * A server of models with OpenAI's API: a vector for each text but `POISON`, across those of all others, and a judge
 * that confirms nothing.
 */
export interface TestModels {
  /** The variables by which programs find it. */
  readonly environment: Readonly<Record<string, string>>
  start(): Promise<void>
  /** Nobody listens there then. */
  stop(): Promise<void>
  /** The next request for the vector of this text fails with 500, whatever else it asks for. */
  failOnce(text: string): void
  /** How many requests failed so. */
  failed(): number
}

const NO = JSON.stringify({ same_root_problem: false, reason: 'They are about different things.' })
const JUDGED = { status: 200, body: { choices: [{ message: { content: NO } }] } }

export const createModels = async (): Promise<TestModels> => {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const failing = new Set<string>()
  let failed = 0
  let server: Server | null = null

  const embed = async (input: readonly string[]) => {
    if (input.includes(POISON)) return { status: 400, body: { error: 'unreadable' } }
    const wanted = input.filter(text => failing.delete(text))
    if (wanted.length > 0) {
      failed += 1
      return { status: 500, body: null }
    }
    return { status: 200, body: { data: input.map((text, index) => ({ index, embedding: vectorOfItsOwn(text) })) } }
  }
  const listening = () =>
    createServer(async (request, response) => {
      // Only the programs' own clients ask here.
      const asked = (await json(request)) as { readonly input?: readonly string[] }
      const { status, body } = request.url === '/v1/embeddings' ? await embed(asked.input ?? []) : JUDGED
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })

  return {
    environment: { EMBEDDINGS_URL: baseUrl, EMBEDDINGS_MODEL: 'test', JUDGE_URL: baseUrl, JUDGE_MODEL: 'test' },
    async start() {
      const starting = listening()
      server = starting
      await new Promise<void>(resolve => starting.listen(port, '127.0.0.1', resolve))
    },
    async stop() {
      const stopping = server
      server = null
      stopping?.closeAllConnections()
      await new Promise(resolve => (stopping === null ? resolve(null) : stopping.close(resolve)))
    },
    failOnce: text => void failing.add(text),
    failed: () => failed,
  }
}

/** A text that holds this is refused by the embedding model, until it is mended. */
export const REFUSED = 'The model cannot read this one'

export interface RefusingModel {
  readonly url: string
  /** It takes every text from then on. */
  remedy(): void
  /** It answers nobody, until it is told otherwise. */
  setUnavailable(isUnavailable: boolean): void
  stop(): void
}

/** A model server that has a vector for each text, across those of all others; it can refuse, and be away. */
export const startRefusingModel = async (): Promise<RefusingModel> => {
  let mended = false
  let away = false
  const server = await createFakeModelServer(async ({ body }) => {
    if (away) return { status: 503, body: { error: 'away' } }
    if (!mended && JSON.stringify(body).includes(REFUSED)) return { status: 400, body: { error: 'unreadable' } }
    return embeddingsAnswer(body, vectorOfItsOwn)
  })
  return {
    ...server,
    remedy: () => {
      mended = true
    },
    setUnavailable: isUnavailable => {
      away = isUnavailable
    },
  }
}
