import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { DecisionId } from '../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../schemas/domain/vocabulary.ts'

/** Waiting letters without automatic mail, which needs no repair. */
export const WAITING_DEAD_LETTERS = `dead_letters where state = 'waiting' and fault <> 'automatic'`

const orNull = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) => Type.Union([schema, Type.Null()])

/** A selection of waiting letters: they must match every field that is not null. */
export const DeadLetterSelection = Type.Object({
  signal_id: orNull(Type.String({ format: 'uuid' })),
  step: orNull(Type.String()),
  fault: orNull(Type.String()),
  error_class: orNull(Type.String()),
  /**
   * Letters that died until then, milliseconds since the epoch: a letter that dies again during the work is not taken
   * twice.
   */
  until: Type.Number(),
})
export type DeadLetterSelection = Static<typeof DeadLetterSelection>

/**
 * The waiting letters of the selection that `boundSelection` binds to `$1` to `$5`. Automatic mail is selected only by
 * name.
 */
export const SELECTED_DEAD_LETTERS = `
  state = 'waiting' and last_failed_at <= $1::timestamptz
  and ($2::uuid is null or signal_id = $2) and ($3::text is null or step = $3)
  and ($4::text is null or fault = $4) and ($5::text is null or error_class = $5)
  and (fault <> 'automatic' or $4 = 'automatic' or $2 is not null)`

/** The selection in words, for people. */
export const selectionInWords = ({ signal_id, step, fault, error_class }: DeadLetterSelection): string => {
  const parts = Object.entries({ signal_id, step, fault, error_class }).flatMap(([field, value]) =>
    value === null ? [] : [`${field} ${value}`],
  )
  return parts.length === 0 ? 'all that waited' : parts.join(', ')
}

export const boundSelection = (selection: DeadLetterSelection): readonly unknown[] => [
  new Date(selection.until),
  selection.signal_id,
  selection.step,
  selection.fault,
  selection.error_class,
]

const LOCK = `select signal_id, step from dead_letters where ${SELECTED_DEAD_LETTERS} order by signal_id, step for update`

interface LockedDeadLetter {
  readonly signal_id: string
  readonly step: string
}

/** The selected letters, locked until the transaction ends. */
export const lockDeadLetters = (
  transaction: Transaction,
  selection: DeadLetterSelection,
): Promise<LockedDeadLetter[]> => transaction.query<LockedDeadLetter>(LOCK, boundSelection(selection))

const DISCARD = `
  update dead_letters set state = 'discarded', next_redrive_at = null, decision_id = $1
  from unnest($2::uuid[], $3::text[]) as meant (signal_id, step)
  where dead_letters.signal_id = meant.signal_id and dead_letters.step = meant.step`

/** Discards letters by a Decision: they are not replayed any more. */
export const discardDeadLetters = async (
  transaction: Transaction,
  decisionId: DecisionId,
  letters: readonly LockedDeadLetter[],
): Promise<void> => {
  await transaction.query(DISCARD, [
    decisionId,
    letters.map(({ signal_id }) => signal_id),
    letters.map(({ step }) => step),
  ])
}

const TOPIC = /^signals\.([a-z]+)(?:\.bulk)?$/

/** The head at which a letter's record entered, by its topic; null without one. */
export const headOf = (topic: string): StepName | null => STEPS.find(step => step === TOPIC.exec(topic)?.[1]) ?? null

/**
 * The earliest step for which a record still has the fields: normalize removes the received body, scrub personal data.
 */
const earliest = (head: StepName): StepName => {
  if (head === 'validate' || head === 'normalize') return 'validate'
  return head === 'scrub' ? 'scrub' : 'embed'
}

/** Steps from which a record of `head` can be replayed, in order. Later steps lack fields. */
export const replayableFrom = (head: StepName): readonly StepName[] =>
  STEPS.slice(STEPS.indexOf(earliest(head)), STEPS.indexOf(head) + 1)

const ReplayInput = Type.Object({
  selection: DeadLetterSelection,
  /** First step of the replay; null: each record's own head. */
  from_step: Type.Union([Type.Enum([...STEPS]), Type.Null()]),
  /** Most letters a second. */
  per_second: Type.Number({ exclusiveMinimum: 0 }),
})

export type ReplayInput = Static<typeof ReplayInput>

const compiled = Compile(ReplayInput)

export const isReplayInput = (stored: unknown): stored is ReplayInput => compiled.Check(stored)

/** Reads a job's stored input. Throws `invalid_input` for anything that is no replay. */
export const readReplayInput = (stored: unknown): ReplayInput => {
  if (isReplayInput(stored)) return stored
  throw new AssayError('invalid_input', 'The job does not say which dead letters to replay, or how.')
}
