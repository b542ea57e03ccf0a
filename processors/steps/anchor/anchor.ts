import type { Embedder } from '../../../infra/models/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { fromVectorBytes } from '../../../infra/vectors.ts'
import { readCalibrations } from '../../../model/calibrations/calibrations.ts'
import { anchorTo, findNearestNodes } from '../../../model/map/anchor.ts'
import { ATTACH_AT } from '../../../model/map/fit.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import type { Anchor } from '../../../schemas/events/signal.ts'
import { next, type StepDefinition, type WithParts } from '../../framework/step.ts'

/** Attaches each signal to the nearest node of its workspace's map. The score is stored, however low it is. */
export const createAnchor = ({
  database,
  embedder,
}: {
  readonly database: Database
  readonly embedder: Embedder
}): StepDefinition<WithParts<'embedding'>, { readonly anchor: Anchor }> => ({
  name: 'anchor',
  summary: `Attaches the signal to the node of the map that it fits best, at a score of at least ${ATTACH_AT.toFixed(2)}.`,
  guarantee: 'Writes nothing; another run sees the map as it is then.',
  version: `${embedder.model} at ${ATTACH_AT}`,
  run: async batch => {
    const probes = batch.map(({ workspace_id, embedding }) => ({
      workspaceId: workspace_id,
      model: embedding.model,
      vector: fromVectorBytes(embedding.vector),
    }))
    return database.transaction(pipelineScope(batch), async transaction => {
      const [calibrationOf, nearest] = await Promise.all([
        readCalibrations(transaction, probes),
        findNearestNodes(transaction, probes),
      ])
      return probes.map((probe, index) =>
        next({ anchor: anchorTo(nearest[index] ?? null, probe.model, calibrationOf(probe)) }),
      )
    })
  },
})
