import {
  createFakeModelServer,
  embeddingsAnswer,
  type FakeRequest,
  vectorOfItsOwn,
} from '../../../infra/models/testing.ts'

export interface FaultyModels {
  readonly url: string
  /** The embedder refuses this text from now on. */
  refuse(text: string): void
  /** The embedder answers 500 for this text until it is well. */
  stumbleOver(text: string): void
  /** Whether it has answered 500 for this text since it was well. */
  hasStumbledOver(text: string): boolean
  /** The embedder answers nobody until it is well. */
  leave(): void
  recover(): void
  stop(): void
}

const answered = (content: object) => ({ body: { choices: [{ message: { content: JSON.stringify(content) } }] } })
const VERDICT = answered({ same_root_problem: false, reason: 'They are about different things.' })
const LABEL = answered({ label: 'problem', confidence: 0.9 })

const isForLabel = ({ body }: FakeRequest): boolean => JSON.stringify(body.response_format).includes('classification')

/** An embedder, a judge and a classifier behind one server; the embedder can be made to fail. */
export const startFaultyModels = async (): Promise<FaultyModels> => {
  const refused = new Set<string>()
  const stumbling = new Set<string>()
  const stumbledOver = new Set<string>()
  let isAway = false
  const server = await createFakeModelServer(async request => {
    if (!request.path.endsWith('/embeddings')) return isForLabel(request) ? LABEL : VERDICT
    // The embedder sends its texts under this name.
    const texts = request.body.input as readonly string[]
    if (isAway) return { status: 503, body: null }
    if (texts.some(text => refused.has(text))) return { status: 400, body: null }
    const met = texts.filter(text => stumbling.has(text))
    for (const text of met) stumbledOver.add(text)
    if (met.length > 0) return { status: 500, body: null }
    return embeddingsAnswer(request.body, vectorOfItsOwn)
  })
  return {
    ...server,
    refuse: text => void refused.add(text),
    stumbleOver: text => void stumbling.add(text),
    hasStumbledOver: text => stumbledOver.has(text),
    leave() {
      isAway = true
    },
    recover() {
      isAway = false
      stumbling.clear()
      stumbledOver.clear()
    },
  }
}
