import { embedEach } from '../../../infra/models/batching-embedder.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import { isTooCostly, withinRemainingCpu } from '../../../infra/runtime/cpu-budget.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { toVectorBytes } from '../../../infra/vectors.ts'
import { textToEmbed } from '../../../model/themes/own-text.ts'
import type { SharedPassages } from '../../../model/themes/shared-passages.ts'
import type { Follow } from '../../../model/workspaces/follow.ts'
import { REFUSED_BY_MODEL } from '../../../schemas/domain/vocabulary.ts'
import type { Embedding } from '../../../schemas/events/signal.ts'
import { dead, next, retry, type StepDefinition, type WithParts } from '../../framework/step.ts'
import { heldApart } from './automatic.ts'

/**
 * Gives each signal the vector of its own text: without what unlike signals of its workspace share. A text that cannot
 * be embedded ends its own signal; the step waits for a model that is away. Mail that a program wrote becomes a dead
 * letter here, at the first step with scrubbed records.
 */
export const createEmbed = ({
  embedder,
  sharedPassages = async () => new Map(),
}: {
  readonly embedder: Embedder
  /** Default: none are shared. */
  readonly sharedPassages?: Follow<SharedPassages>
}): StepDefinition<WithParts<'content'>, { readonly embedding: Embedding }> => ({
  name: 'embed',
  summary: 'Embeds the text, without what unlike signals share, as a unit vector of 1024 dimensions.',
  guarantee: 'Writes nothing; another run asks the model again.',
  version: embedder.model,
  run: async batch => {
    const wanted = batch.filter(({ automatic }) => automatic === null)
    const shared = await sharedPassages(wanted.map(({ workspace_id }) => workspace_id))
    const texts = withinRemainingCpu(() =>
      wanted.map(({ content, workspace_id }) => textToEmbed(content.text, shared.get(workspace_id))),
    )
    const embedded = await embedEach(
      embedder,
      texts.map(({ text }) => text),
    )
    const places = new Map(wanted.map((signal, place) => [signal, place]))
    return batch.map(signal => {
      if (signal.automatic !== null) return heldApart(signal.automatic)
      const place = places.get(signal) ?? -1
      const vector = embedded[place]
      if (vector === undefined) throw new AssayError('internal', 'The model answered fewer vectors than texts.')
      if (!isAssayError(vector)) {
        const { hash } = texts[place] ?? { hash: 0 }
        return next({ embedding: { model: embedder.model, vector: toVectorBytes(vector), own_text: hash } })
      }
      if (vector.retriable) return retry(vector.publicMessage)
      const errorClass = vector.code === 'invalid_input' ? REFUSED_BY_MODEL : undefined
      return dead(vector.publicMessage, isTooCostly(vector) ? 'too_costly' : 'ours', errorClass)
    })
  },
})
