import {
  createFakeModelServer,
  embeddingsAnswer,
  type FakeModelServer,
  pointing,
} from '../../../infra/models/testing.ts'
import { EMBEDDING_DIMENSIONS } from '../../../schemas/domain/vocabulary.ts'

/** What a text begins with to make the models do something about it. */
export const MARKS = {
  failsAtFirstAtEmbed: 'This one makes the embedding model stumble at first.',
  refusedAtEmbed: 'This one is too long for the embedding model.',
  failsAtClassify: 'This one makes the classifier stumble every time.',
} as const

export interface Models {
  readonly environment: Readonly<Record<string, string>>
  /** Everything that the models were sent. */
  sent(): string
  stop(): void
}

/**
 * How often the model stumbles over a text that it is asked for alone, which is when the step sees whose fault it is.
 * Twice, since a processor that loses its partition to another right then tells nothing of the first time.
 */
const STUMBLES = 2

/** An embedding model, a classifier and a judge that are somebody else's: what they are sent has left the house. */
export const startModels = async (): Promise<Models> => {
  const bodies: string[] = []
  let stumbles = 0
  const server: FakeModelServer = await createFakeModelServer(({ path, body }) => {
    const text = JSON.stringify(body)
    bodies.push(text)
    if (path === '/v1/embeddings') {
      if (text.includes(MARKS.refusedAtEmbed)) return { status: 413, body: { error: text } }
      if (text.includes(MARKS.failsAtFirstAtEmbed) && stumbles < STUMBLES) {
        if (Array.isArray(body.input) && body.input.length === 1) stumbles += 1
        return { status: 500, body: { error: text } }
      }
      return embeddingsAnswer(body, input => pointing(axisOf(input)))
    }
    if (text.includes(MARKS.failsAtClassify)) return { status: 500, body: { error: text } }
    const content = text.includes('same_root_problem')
      ? { same_root_problem: false, reason: 'They are different.' }
      : { label: 'problem', confidence: 0.9 }
    return { body: { choices: [{ message: { content: JSON.stringify(content) }, finish_reason: 'stop' }] } }
  })
  return {
    environment: { EMBEDDINGS_URL: server.url, CLASSIFIER_URL: server.url, JUDGE_URL: server.url },
    sent: () => bodies.join('\n'),
    stop: server.stop,
  }
}

/** Different texts point in different directions, nearly always. */
const axisOf = (text: string): number =>
  Array.from(text).reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % EMBEDDING_DIMENSIONS, 0)
