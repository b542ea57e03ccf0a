import type { Embedder } from '../../../infra/models/port.ts'
import { unitVector } from '../../../infra/models/unit-vector.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { toVectorBytes } from '../../../model/vectors.ts'
import type { Embedding } from '../../../schemas/events/signal.ts'
import { next } from '../../framework/results.ts'
import type { StepDefinition, With } from '../../framework/step.ts'

/** Gives each signal the vector of its text; a text that comes more than once in a batch is embedded once. */
export const createEmbed = ({
  embedder,
}: {
  readonly embedder: Embedder
}): StepDefinition<With<'content'>, { readonly embedding: Embedding }> => ({
  name: 'embed',
  summary: 'Embeds the text as a unit vector of 1024 dimensions.',
  guarantee: 'Writes nothing; another run asks the model again.',
  version: embedder.model,
  run: async batch => {
    const texts = [...new Set(batch.map(({ content }) => content.text))]
    const vectors = await embedder.embed(texts)
    if (vectors.length !== texts.length) {
      throw new AssayError(
        'internal',
        `The embedding model ${embedder.model} answered ${vectors.length} vectors for ${texts.length} texts.`,
      )
    }
    const embeddings = new Map<string, Embedding>()
    for (const [index, vector] of vectors.entries()) {
      const bytes = toVectorBytes(unitVector(embedder.model, vector))
      embeddings.set(texts[index] ?? '', { model: embedder.model, vector: bytes })
    }
    return batch.map(({ content }) => {
      const embedding = embeddings.get(content.text)
      if (embedding === undefined) throw new Error('A text of the batch was not embedded.')
      return next({ embedding })
    })
  },
})
