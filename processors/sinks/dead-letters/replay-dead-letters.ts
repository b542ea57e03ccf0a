import type { Codec } from '../../../infra/log/codec.ts'
import type { Log, OutgoingRecord } from '../../../infra/log/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { AssayError, asAssayError } from '../../../infra/runtime/errors.ts'
import type { Sealer } from '../../../infra/runtime/secrets.ts'
import { formatTraceparent, newTrace } from '../../../infra/runtime/traces.ts'
import { headOf, replayableFrom } from '../../../model/dead-letters/selection.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import type { SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { StepName } from '../../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { HEADERS, type Lane, signalsTopic } from '../../../schemas/events/topics.ts'
import type { Pipeline } from '../../framework/pipeline.ts'
import { partitionKey } from '../../framework/topics.ts'

/** The fields of a stored letter that a replay needs. */
export interface WaitingDeadLetter {
  readonly signal_id: SignalId
  readonly step: string
  readonly workspace_id: WorkspaceId
  readonly topic: string
  readonly trace_id: string
  readonly sealed: boolean
  readonly fault: string
  readonly record: Uint8Array
  readonly replay: number
}

export const SELECT_WAITING_DEAD_LETTER =
  'signal_id, step, workspace_id, topic, trace_id, sealed, fault, record, replay'

/** The record as it was on the log. Throws `internal` for a record that another installation's key has sealed. */
export const recordOf = (
  { sealed, record }: Pick<WaitingDeadLetter, 'sealed' | 'record'>,
  { unseal }: Pick<Sealer, 'unseal'>,
): Uint8Array => (sealed ? Buffer.from(unseal(record), 'base64') : record)

export interface ReplayDependencies {
  readonly log: Pick<Log, 'append'>
  readonly database: Database
  readonly signalCodec: Pick<Codec<SignalRecord>, 'encode' | 'decode'>
  readonly sealer: Pick<Sealer, 'unseal'>
  readonly pipeline: Pipeline
}

interface ReplayOptions {
  readonly lane: Lane
  /** Null: each record returns to its own head. */
  readonly fromStep: StepName | null
  /** A person's replay gives a letter all automatic replays again. */
  readonly byPerson: boolean
}

/** A letter that cannot be replayed, and the reason. */
interface Refusal {
  readonly deadLetter: WaitingDeadLetter
  readonly message: string
}

/** A letter that died again meanwhile has a higher replay number and keeps waiting. */
const MARK = `
  update dead_letters set
    state = 'replayed', next_redrive_at = null, earlier_deaths = case when $4 then deaths else earlier_deaths end
  from unnest($1::uuid[], $2::text[], $3::integer[]) as replayed (signal_id, step, replay)
  where dead_letters.signal_id = replayed.signal_id and dead_letters.step = replayed.step
    and dead_letters.replay = replayed.replay and state = 'waiting'`

/**
 * Sends letters through the pipeline again, then records that they were sent. A crash between both sends them again
 * under the same replay number, which every step takes for a redelivery. Answers the letters that cannot be replayed;
 * they stay unchanged.
 */
export const replayWaiting = async (
  deadLetters: readonly WaitingDeadLetter[],
  options: ReplayOptions,
  dependencies: ReplayDependencies,
): Promise<readonly Refusal[]> => {
  const records: OutgoingRecord[] = []
  const replayed: WaitingDeadLetter[] = []
  const refusals: Refusal[] = []
  for (const deadLetter of deadLetters) {
    try {
      records.push(await replayRecord(deadLetter, options, dependencies))
      replayed.push(deadLetter)
    } catch (error) {
      const { retriable, publicMessage } = asAssayError(error)
      if (retriable) throw error
      refusals.push({ deadLetter, message: publicMessage })
    }
  }
  if (replayed.length > 0) {
    await dependencies.log.append(records)
    await dependencies.database.transaction(pipelineScope(replayed), transaction =>
      transaction.query(MARK, [
        replayed.map(deadLetter => deadLetter.signal_id),
        replayed.map(deadLetter => deadLetter.step),
        replayed.map(deadLetter => deadLetter.replay),
        options.byPerson,
      ]),
    )
  }
  return refusals
}

const replayRecord = async (
  deadLetter: WaitingDeadLetter,
  { lane, fromStep }: ReplayOptions,
  { signalCodec, sealer, pipeline }: ReplayDependencies,
): Promise<OutgoingRecord> => {
  const head = entryOf(deadLetter, fromStep, pipeline)
  const stored = recordOf(deadLetter, sealer)
  const signal = await signalCodec.decode(stored)
  // A replay of an automatic mail makes it a signal.
  const value = deadLetter.fault === 'automatic' ? await signalCodec.encode({ ...signal, automatic: null }) : stored
  const trace = newTrace()
  return {
    topic: signalsTopic(head, lane),
    key: partitionKey(signal, pipeline.spreadOf(head)),
    value,
    headers: {
      [HEADERS.traceparent]: formatTraceparent({ ...trace, traceId: deadLetter.trace_id || trace.traceId }),
      [HEADERS.replay]: String(deadLetter.replay + 1),
      [HEADERS.attempt]: '1',
    },
  }
}

/**
 * The last head up to the step at which the record can enter. Steps are idempotent, so those in between may run again.
 */
const entryOf = ({ topic }: WaitingDeadLetter, fromStep: StepName | null, pipeline: Pipeline): StepName => {
  const stands = headOf(topic)
  if (stands === null)
    throw new AssayError('invalid_input', 'The letter does not say at which step it belongs: discard it.')
  const possible = replayableFrom(stands)
  const heads = pipeline.segments.map(({ head }) => head).filter(head => possible.includes(head))
  const wanted = fromStep ?? stands
  const entry = heads.findLast(head => pipeline.ordinalOf(head) <= pipeline.ordinalOf(wanted))
  if (entry !== undefined && possible.includes(wanted)) return entry
  const from = heads.length === 0 ? `none, unless one of ${possible.join(', ')} is a head` : heads.join(', ')
  throw new AssayError(
    'invalid_input',
    `A record that stands at ${stands} cannot be replayed from ${wanted}. Possible: ${from}.`,
  )
}
