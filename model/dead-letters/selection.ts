import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { DecisionId } from '../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../schemas/domain/vocabulary.ts'

/** The letters that wait with something wrong: nothing is wrong with automatic mail. */
export const WAITING_DEAD_LETTERS = `dead_letters where state = 'waiting' and fault <> 'automatic'`

const orNull = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) => Type.Union([schema, Type.Null()])

/** Which waiting letters are meant: those that are so in every respect that is not null. */
export const DeadLetterSelection = Type.Object({
  signal_id: orNull(Type.String({ format: 'uuid' })),
  step: orNull(Type.String()),
  fault: orNull(Type.String()),
  error_class: orNull(Type.String()),
  /**
   * Only letters of then: one that dies again while others are worked on is not taken twice. Milliseconds since the
   * epoch.
   */
  until: Type.Number(),
})
export type DeadLetterSelection = Static<typeof DeadLetterSelection>

/**
 * The waiting letters of the selection that `boundSelection` binds to `$1` to `$5`. Automatic mail, which nothing is
 * wrong with, is meant only where somebody names it.
 */
export const SELECTED_DEAD_LETTERS = `
  state = 'waiting' and last_failed_at <= $1::timestamptz
  and ($2::uuid is null or signal_id = $2) and ($3::text is null or step = $3)
  and ($4::text is null or fault = $4) and ($5::text is null or error_class = $5)
  and (fault <> 'automatic' or $4 = 'automatic' or $2 is not null)`

/** The selection for people to read. */
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

/** The selected letters, held until the transaction ends. */
export const lockDeadLetters = (
  transaction: Transaction,
  selection: DeadLetterSelection,
): Promise<LockedDeadLetter[]> => transaction.query<LockedDeadLetter>(LOCK, boundSelection(selection))

const DISCARD = `
  update dead_letters set state = 'discarded', next_redrive_at = null, decision_id = $1
  from unnest($2::uuid[], $3::text[]) as meant (signal_id, step)
  where dead_letters.signal_id = meant.signal_id and dead_letters.step = meant.step`

/** Gives letters up by a Decision: they are neither driven again nor replayed. */
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

/**
 * The step at which a letter's record stands, by the topic that it came from; null for a letter that never was at one.
 */
export const headOf = (topic: string): StepName | null => STEPS.find(step => step === TOPIC.exec(topic)?.[1]) ?? null

/**
 * The earliest step for which a record has the parts: normalize takes away what was received, scrub what nobody may
 * see.
 */
const earliest = (head: StepName): StepName => {
  if (head === 'validate' || head === 'normalize') return 'validate'
  return head === 'scrub' ? 'scrub' : 'embed'
}

/**
 * The steps from which a record that stands at `head` can be replayed, in their order. None behind it: their parts are
 * not there.
 */
export const replayableFrom = (head: StepName): readonly StepName[] =>
  STEPS.slice(STEPS.indexOf(earliest(head)), STEPS.indexOf(head) + 1)

const ReplayInput = Type.Object({
  selection: DeadLetterSelection,
  /** The step to replay from; null: the one at which each record stands. */
  from_step: Type.Union([Type.Enum([...STEPS]), Type.Null()]),
  /** At most so many letters a second. */
  per_second: Type.Number({ exclusiveMinimum: 0 }),
})

/** The input of a job that replays dead letters. */
export type ReplayInput = Static<typeof ReplayInput>

const compiled = Compile(ReplayInput)

export const isReplayInput = (stored: unknown): stored is ReplayInput => compiled.Check(stored)

/** Reads what a job was started with. Throws `invalid_input` for anything that is no replay. */
export const readReplayInput = (stored: unknown): ReplayInput => {
  if (isReplayInput(stored)) return stored
  throw new AssayError('invalid_input', 'The job does not say which dead letters to replay, or how.')
}
