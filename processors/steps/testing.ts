import { createBuiltInEmbedder } from '../../infra/models/built-in-embedder.ts'
import { toVectorBytes } from '../../infra/vectors.ts'
import { createNeighbours } from '../../model/neighbours/neighbours.ts'
import { textHash } from '../../model/signals/normalize.ts'
import { createWords } from '../../model/words/words.ts'
import { newId, type SignalId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Channel, Classification, Need } from '../../schemas/domain/vocabulary.ts'
import type { Content, Received } from '../../schemas/events/signal.ts'
import type { WithParts } from '../framework/step.ts'
import { RECEIVED_AT, testContent } from '../framework/testing.ts'

/** Signals before a step, for the steps' tests. */

export const embedder = createBuiltInEmbedder()

/** Neighbours of a processor that has just started. */
export const freshNeighbours = () => createNeighbours({ maxBytes: 64 * 1024 * 1024 })
export const freshWords = () => createWords({ maxBytes: 64 * 1024 * 1024 })

const identity = (workspaceId = newId<WorkspaceId>(), channel: Channel = 'webhook') => ({
  signal_id: newId<SignalId>(),
  tenant_id: newId<TenantId>(),
  workspace_id: workspaceId,
  source_id: null,
  channel,
  received_at: RECEIVED_AT,
  is_test: false,
  automatic: null,
})

export const received = (body: unknown, format: Received['format'] = 'signal'): WithParts<'received'> => ({
  ...identity(),
  received: { format, body: typeof body === 'string' ? body : JSON.stringify(body) },
})

const content = (text: string, known: Partial<Content> = {}): Content =>
  testContent(text, { text_hash: textHash(text), ...known })

export const withContent = (text: string, known: Partial<Content> = {}, channel?: Channel): WithParts<'content'> => ({
  ...identity(undefined, channel),
  content: content(text, known),
})

/** Fields that may differ from a signal that has passed every step before insert. */
export interface FinishedFields {
  readonly id?: SignalId
  readonly channel?: Channel
  readonly label?: Classification
  readonly confidence?: number
  readonly perhaps?: Need
  readonly vector?: Float32Array
  readonly model?: string
  readonly content?: Partial<Content>
  readonly checkedThrough?: number
}

export type Finished = WithParts<'content' | 'embedding' | 'anchor' | 'deduplication' | 'classification'>

export const finished = async (
  workspaceId: WorkspaceId,
  text: string,
  finish: FinishedFields = {},
): Promise<Finished> => {
  const [embedded] = await embedder.embed([text])
  const vector = finish.vector ?? embedded
  if (vector === undefined) throw new Error('The embedder answered nothing.')
  return {
    ...identity(workspaceId, finish.channel),
    ...(finish.id === undefined ? {} : { signal_id: finish.id }),
    content: content(text, finish.content),
    embedding: { model: finish.model ?? embedder.model, vector: toVectorBytes(vector), own_text: 0 },
    anchor: { node_id: null, score: null },
    deduplication: { checked_through: finish.checkedThrough ?? 0 },
    classification: {
      label: finish.label ?? 'problem',
      confidence: finish.confidence ?? 0.75,
      version: 'test',
      perhaps: finish.perhaps ?? null,
    },
  }
}

/** A unit vector with the given cosine to the first axis; `axis` is the second one, so that several vectors differ. */
export const vectorAt = (cosine: number, axis = 1): Float32Array => {
  const vector = new Float32Array(1024)
  vector[0] = cosine
  vector[axis] = Math.sqrt(1 - cosine * cosine)
  return vector
}
