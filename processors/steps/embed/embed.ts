import { embedEach } from '../../../infra/models/batching-embedder.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import { isTooCostly } from '../../../infra/runtime/cpu-budget.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { toVectorBytes } from '../../../infra/vectors.ts'
import { REFUSED_BY_MODEL } from '../../../schemas/domain/vocabulary.ts'
import type { Embedding } from '../../../schemas/events/signal.ts'
import { dead, next, retry, type StepDefinition, type WithParts } from '../../framework/step.ts'

/**
 * Gives each signal the vector of its text. A text that the model cannot embed ends its own signal; a model that is
 * away is waited for.
 */
export const createEmbed = ({
  embedder,
}: {
  readonly embedder: Embedder
}): StepDefinition<WithParts<'content'>, { readonly embedding: Embedding }> => ({
  name: 'embed',
  summary: 'Embeds the text as a unit vector of 1024 dimensions.',
  guarantee: 'Writes nothing; another run asks the model again.',
  version: embedder.model,
  run: async batch => {
    const embedded = await embedEach(
      embedder,
      batch.map(({ content }) => content.text),
    )
    return embedded.map(vector => {
      if (!isAssayError(vector)) {
        return next({ embedding: { model: embedder.model, vector: toVectorBytes(vector) } })
      }
      if (vector.retriable) return retry(vector.publicMessage)
      const errorClass = vector.code === 'invalid_input' ? REFUSED_BY_MODEL : undefined
      return dead(vector.publicMessage, isTooCostly(vector) ? 'too_costly' : 'ours', errorClass)
    })
  },
})
