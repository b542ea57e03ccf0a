import { createFakeModelServer, dot, unit, vectorOfItsOwn } from '../../infra/models/testing.ts'

/** A text that holds this is refused by the embedding model for good. */
export const UNREADABLE = 'unreadable to the model'
/** The first two requests for the vector of a text that holds this fail: that of its batch, and that for it alone. */
export const STUMBLES = 'the model stumbles at first'
/** The judge confirms two texts that both hold this, and no others. */
export const SAME_CAUSE = 'since the certificate expired'

/** What a text holds to have this cosine to every `likeness(meaning)`. */
export const likeness = (meaning: string, cosine = 1): string => `(${cosine.toFixed(3)} as ${meaning})`

/**
 * A server of models with OpenAI's API whose vectors are as near to each other as their texts ask for, so that a
 * threshold can be met from both sides, and whose judge can be told what to confirm.
 */
export interface ContractModels {
  /** The variables by which programs find it. */
  readonly environment: Readonly<Record<string, string>>
  stop(): void
}

export const startContractModels = async (): Promise<ContractModels> => {
  let stumbled = 0
  const stumbles = (text: string): boolean => {
    if (!text.includes(STUMBLES) || stumbled === 2) return false
    stumbled += 1
    return true
  }
  const { url, stop } = await createFakeModelServer(({ path, body }) => {
    if (!path.endsWith('/embeddings')) return { body: verdictOf(JSON.stringify(body)) }
    // The embedder sends its texts under this name.
    const texts = body.input as readonly string[]
    if (texts.some(text => text.includes(UNREADABLE))) return { status: 400, body: { error: 'unreadable' } }
    if (texts.some(stumbles)) return { status: 500, body: { error: 'try again' } }
    return { body: { data: texts.map((text, index) => ({ index, embedding: vectorOf(text) })) } }
  })
  return {
    environment: {
      EMBEDDINGS_URL: url,
      EMBEDDINGS_MODEL: 'as-asked',
      JUDGE_URL: url,
      JUDGE_MODEL: 'as-told',
      // What fails is tried again soon, so that a test need not wait for it.
      RETRY_DELAYS: '500ms,1s,2s',
    },
    stop,
  }
}

const verdictOf = (request: string) => {
  const isSame = request.split(SAME_CAUSE).length > 2
  const content = JSON.stringify({ same_root_problem: isSame, reason: isSame ? 'One cause.' : 'Two causes.' })
  return { choices: [{ message: { content } }] }
}

const vectorOf = (text: string): number[] => {
  const own = vectorOfItsOwn(text)
  const [, cosine, meaning] = /\((\d\.\d{3}) as (\w+)\)/.exec(text) ?? []
  if (cosine === undefined || meaning === undefined) return own
  const base = vectorOfItsOwn(`meaning ${meaning}`)
  const share = dot(own, base)
  const apart = unit(own.map((value, at) => value - share * (base[at] ?? 0)))
  const wanted = Number(cosine)
  const rest = Math.sqrt(1 - wanted ** 2)
  return base.map((value, at) => wanted * value + rest * (apart[at] ?? 0))
}
