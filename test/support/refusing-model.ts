import { createBuiltInEmbedder } from '../../infra/models/built-in-embedder.ts'
import { createFakeModelServer, embeddingsAnswer } from '../../infra/models/testing.ts'

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

/** The built-in embedder behind a model server that can refuse, and be away. */
export const startRefusingModel = async (): Promise<RefusingModel> => {
  const embedder = createBuiltInEmbedder()
  let mended = false
  let away = false
  const server = await createFakeModelServer(async ({ body }) => {
    if (away) return { status: 503, body: { error: 'away' } }
    if (!mended && JSON.stringify(body).includes(REFUSED)) return { status: 400, body: { error: 'unreadable' } }
    // The embedder sends its texts under this name.
    const input = body.input as readonly string[]
    const vectors = await embedder.embed(input)
    const known = new Map(input.map((text, place) => [text, [...(vectors[place] ?? [])]]))
    return embeddingsAnswer(body, text => known.get(text) ?? [])
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
