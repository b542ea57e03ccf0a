import type { Codec } from '../../../infra/log/codec.ts'
import type { Batch, BatchContext, Consumer, Continuation, Log } from '../../../infra/log/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import type { Sealer } from '../../../infra/runtime/secrets.ts'
import { yieldToEventLoop } from '../../../infra/runtime/turns.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { DEAD_LETTERS_TOPIC } from '../../../schemas/events/topics.ts'
import type { Breaker } from '../../framework/breaker.ts'
import type { Observer } from '../../framework/observer.ts'
import type { RetryDelay } from '../../framework/retry-delays.ts'
import { nextOffset, waitForDependency } from '../../framework/wait-for-dependency.ts'
import { storeEach } from '../store-each.ts'
import { type DeadLetter, readDeadLetter } from './dead-letter.ts'
import { storeDeadLetters } from './store-dead-letters.ts'

export const DEAD_LETTERS_GROUP = 'assay.dead-letters'
const MAX_RECORDS = 200

export interface DeadLettersOptions {
  readonly log: Log
  readonly database: Database
  readonly signalCodec: Codec<SignalRecord>
  readonly sealer: Pick<Sealer, 'seal'>
  readonly breaker: Breaker
  readonly observer: Observer
  /** How long after each death a letter of the fault `transient` is due to be driven again. */
  readonly redriveDelays: readonly RetryDelay[]
}

/** Keeps the dead letters where people and agents find them. Delivered again, a letter changes nothing. */
export const hostDeadLetters = (options: DeadLettersOptions): Promise<Consumer> =>
  options.log.consume({
    group: DEAD_LETTERS_GROUP,
    topics: [DEAD_LETTERS_TOPIC],
    maxRecords: MAX_RECORDS,
    onBatch: waitForDependency(DEAD_LETTERS_GROUP, options.breaker, options.observer, (batch, context) =>
      onBatch(options, batch, context),
    ),
  })

const onBatch = async (options: DeadLettersOptions, batch: Batch, context: BatchContext): Promise<Continuation> => {
  await store(await readLetters(options, batch), options)
  await context.commit(nextOffset(batch))
  return { next: nextOffset(batch) }
}

const readLetters = async (
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
