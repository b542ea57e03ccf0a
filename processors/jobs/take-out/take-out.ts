import type { Codec } from '../../../infra/log/codec.ts'
import type { Log, OutgoingRecord } from '../../../infra/log/port.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { formatTraceparent, newTrace } from '../../../infra/runtime/traces.ts'
import { toVectorBytes } from '../../../infra/vectors.ts'
import { markSent, nextTakenOut, type TakenOut } from '../../../model/duplicates/taken-out.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import type { StepName } from '../../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { HEADERS, signalsTopic } from '../../../schemas/events/topics.ts'
import type { Pipeline } from '../../framework/pipeline.ts'
import { partitionKey } from '../../framework/topics.ts'
import type { JobDefinition } from '../job-kind.ts'

const REPEATS_A_SLICE = 50

export interface TakeOutDependencies {
  readonly log: Pick<Log, 'append'>
  readonly database: Database
  readonly embedder: Embedder
  readonly signalCodec: Pick<Codec<SignalRecord>, 'encode'>
  readonly pipeline: Pipeline
}

/**
 * Sends repeats that were taken out through the pipeline as signals of their own, then records that they were sent. A
 * crash between both sends them again, which every step takes for a redelivery. The steps from embed to classify run
 * again, because a repeat has no vector and the map may have changed.
 */
export const createTakeOutJob = (dependencies: TakeOutDependencies): JobDefinition => ({
  kind: 'take_out',
  slice: async ({ workspaceId }) => {
    const { database, log, pipeline } = dependencies
    const scope = pipelineScope([{ workspace_id: workspaceId }])
    const takenOut = await database.transaction(scope, transaction =>
      nextTakenOut(transaction, workspaceId, REPEATS_A_SLICE),
    )
    if (takenOut.length === 0) return { cursor: null, done: 0, failed: 0 }
    const head = entryOf(pipeline)
    await log.append(await Promise.all(takenOut.map(each => recordOf(each, head, dependencies))))
    const ids = takenOut.map(({ signal }) => signal.signal_id)
    await database.transaction(scope, transaction => markSent(transaction, ids, new Date()))
    return { cursor: {}, done: takenOut.length, failed: 0 }
  },
})

/** The head at which a record can enter that is scrubbed and nothing more. */
const entryOf = (pipeline: Pipeline): 'embed' | 'anchor' => {
  const heads: readonly StepName[] = pipeline.segments.map(({ head }) => head)
  if (heads.includes('embed')) return 'embed'
  if (heads.includes('anchor')) return 'anchor'
  throw new AssayError(
    'invalid_configuration',
    'A repeat that was taken out enters the pipeline at embed or anchor, and neither is a head: add one to PIPELINE_HEADS.',
  )
}

const recordOf = async (
  { signal, replay }: TakenOut,
  head: 'embed' | 'anchor',
  { embedder, signalCodec, pipeline }: TakeOutDependencies,
): Promise<OutgoingRecord> => {
  const [vector] = head === 'anchor' ? await embedder.embed([signal.content.text]) : []
  const embedding = vector === undefined ? null : { model: embedder.model, vector: toVectorBytes(vector), own_text: 0 }
  return {
    topic: signalsTopic(head),
    key: partitionKey(signal, pipeline.spreadOf(head)),
    value: await signalCodec.encode({ ...signal, embedding }),
    headers: {
      [HEADERS.traceparent]: formatTraceparent(newTrace()),
      [HEADERS.replay]: String(replay),
      [HEADERS.attempt]: '1',
    },
  }
}
