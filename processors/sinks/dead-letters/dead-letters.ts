import type { Codec } from '../../../infra/log/codec.ts'
import type { Batch, BatchContext, Consumer, Continuation, Log, StoredRecord } from '../../../infra/log/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import type { Sealer } from '../../../infra/runtime/secrets.ts'
import { yieldToEventLoop } from '../../../infra/runtime/yielding.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import type { SignalId, SourceId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { DEAD_LETTERS_TOPIC, HEADERS } from '../../../schemas/events/topics.ts'
import { hostSink } from '../../framework/host-sink.ts'
import { deliveryOf, integerHeader } from '../../framework/outputs.ts'
import type { Observer } from '../../framework/step.ts'
import { storeEach } from '../../framework/thrown.ts'
import type { RetryDelay } from '../../framework/topics.ts'
import { type Breaker, nextOffset } from '../../framework/wait-for-dependency.ts'

/** A row of `dead_letters`. */
interface DeadLetter {
  readonly signal_id: SignalId
  readonly step: string
  readonly workspace_id: WorkspaceId
  readonly source_id: SourceId | null
  readonly topic: string
  readonly fault: string
  readonly error_class: string
  readonly message: string
  readonly attempts: number
  readonly first_failed_at: string
  readonly last_failed_at: string
  readonly trace_id: string
  readonly sealed: boolean
  /** The record in base64. A sealed record is the seal of its base64, in base64 again. */
  readonly record: string
  readonly replay: number
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/**
 * Reads a record of the `dead-letters` topic. Rejects when the record inside is no signal: its workspace is then
 * unknown.
 */
export const readDeadLetter = async (
  stored: StoredRecord,
  codec: Codec<SignalRecord>,
  { seal }: Pick<Sealer, 'seal'>,
): Promise<DeadLetter> => {
  const { headers, value, timestamp } = stored
  const { signal_id, workspace_id, source_id } = await codec.decode(value)
  const { attempt, replay, traceId } = deliveryOf(stored)
  const lastFailedAt = integerHeader(headers, HEADERS.lastFailedAt, timestamp)
  const sealed = headers[HEADERS.personal] !== 'false'
  return {
    signal_id,
    workspace_id,
    source_id,
    step: headers[HEADERS.step] ?? '',
    topic: headers[HEADERS.returnTo] ?? '',
    fault: headers[HEADERS.fault] ?? 'ours',
    error_class: headers[HEADERS.errorClass] ?? '',
    message: headers[HEADERS.errorMessage] ?? '',
    attempts: attempt,
    first_failed_at: new Date(integerHeader(headers, HEADERS.firstFailedAt, lastFailedAt)).toISOString(),
    last_failed_at: new Date(lastFailedAt).toISOString(),
    trace_id: traceId,
    sealed,
    record: sealed ? base64(seal(base64(value))) : base64(value),
    replay,
  }
}

/**
 * An existing dead letter keeps its state, unless a later replay of the signal died. A letter of the fault `transient`
 * is due again after the next delay in `$2` (ms), and never after the last one.
 */
const STORE = `
  insert into dead_letters
    (signal_id, step, workspace_id, topic, fault, error_class, message, attempts, first_failed_at, last_failed_at,
     trace_id, sealed, record, replay, source_id, next_redrive_at)
  select signal_id, step, workspace_id, topic, fault, error_class, message, attempts, first_failed_at, last_failed_at,
     trace_id, sealed, decode(record, 'base64'), replay, source_id,
     case when fault = 'transient' then last_failed_at + ($2::bigint[])[1] * interval '1 millisecond' end
  from jsonb_to_recordset($1::jsonb) as dead_letter
    (signal_id uuid, step text, workspace_id uuid, topic text, fault text, error_class text, message text,
     attempts integer, first_failed_at timestamptz, last_failed_at timestamptz, trace_id text, sealed boolean,
     record text, replay integer, source_id uuid)
  on conflict (signal_id, step) do update set
    topic = excluded.topic,
    fault = excluded.fault,
    error_class = excluded.error_class,
    message = excluded.message,
    attempts = excluded.attempts,
    last_failed_at = excluded.last_failed_at,
    trace_id = excluded.trace_id,
    sealed = excluded.sealed,
    record = excluded.record,
    replay = excluded.replay,
    state = 'waiting',
    decision_id = null,
    deaths = dead_letters.deaths + 1,
    next_redrive_at = case when excluded.fault = 'transient' then
      excluded.last_failed_at
        + ($2::bigint[])[dead_letters.deaths + 1 - dead_letters.earlier_deaths] * interval '1 millisecond' end
  where excluded.replay > dead_letters.replay`

/**
 * Splits dead letters into rounds with each signal and step once, since one statement cannot update a row twice. Order
 * stays.
 */
const rounds = (deadLetters: readonly DeadLetter[]): readonly DeadLetter[][] => {
  const made: DeadLetter[][] = []
  const seen = new Map<string, number>()
  for (const deadLetter of deadLetters) {
    const key = `${deadLetter.signal_id} ${deadLetter.step}`
    const round = seen.get(key) ?? 0
    seen.set(key, round + 1)
    made[round] = [...(made[round] ?? []), deadLetter]
  }
  return made
}

export const storeDeadLetters = async (
  transaction: Transaction,
  deadLetters: readonly DeadLetter[],
  redriveDelaysMs: readonly number[],
): Promise<void> => {
  for (const round of rounds(deadLetters)) await transaction.query(STORE, [JSON.stringify(round), redriveDelaysMs])
}

export const DEAD_LETTERS_GROUP = 'assay.dead-letters'
const MAX_RECORDS = 200

interface DeadLettersOptions {
  readonly log: Log
  readonly database: Database
  readonly signalCodec: Codec<SignalRecord>
  readonly sealer: Pick<Sealer, 'seal'>
  readonly breaker: Breaker
  readonly observer: Observer
  /** Delays after each death until a dead letter of the fault `transient` is replayed. */
  readonly redriveDelays: readonly RetryDelay[]
}

/** Stores dead letters for people and agents. A redelivered dead letter changes nothing. */
export const hostDeadLetters = (options: DeadLettersOptions): Promise<Consumer> =>
  hostSink(
    options,
    { name: 'dead letters', group: DEAD_LETTERS_GROUP, topic: DEAD_LETTERS_TOPIC, maxRecords: MAX_RECORDS },
    (batch, context) => onBatch(options, batch, context),
  )

const onBatch = async (options: DeadLettersOptions, batch: Batch, context: BatchContext): Promise<Continuation> => {
  await store(await readDeadLetters(options, batch), options)
  await context.commit(nextOffset(batch))
  return { next: nextOffset(batch) }
}

const readDeadLetters = async (
  { signalCodec, sealer, observer }: DeadLettersOptions,
  batch: Batch,
): Promise<readonly DeadLetter[]> => {
  const deadLetters: DeadLetter[] = []
  for (const stored of batch.records) {
    await yieldToEventLoop()
    try {
      deadLetters.push(await readDeadLetter(stored, signalCodec, sealer))
    } catch (error) {
      if (!isAssayError(error) || error.code !== 'invalid_input') throw error
      const { topic, partition, offset } = stored
      observer.note('A dead letter cannot be read and stays in its topic only', { topic, partition, offset })
    }
  }
  return deadLetters
}

const store = (
  deadLetters: readonly DeadLetter[],
  { database, observer, redriveDelays }: DeadLettersOptions,
): Promise<void> => {
  const delaysMs = redriveDelays.map(delay => delay.ms)
  return storeEach(
    deadLetters,
    part => database.transaction(pipelineScope(part), transaction => storeDeadLetters(transaction, part, delaysMs)),
    ({ signal_id, step }, errorClass) =>
      observer.note('A dead letter cannot be stored and stays in its topic only', { signal_id, step, errorClass }),
  )
}
