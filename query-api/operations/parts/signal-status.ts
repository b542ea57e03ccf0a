import { isAssayError } from '../../../infra/runtime/errors.ts'
import { refuseErased, type SignalPending } from '../../../model/references/resolve.ts'
import { findSignalOutcome, type SignalOutcome } from '../../../model/signals/read-signals.ts'
import { counted } from '../../../schemas/domain/for-people.ts'
import { isUuid, wasAccepted } from '../../../schemas/domain/ids.ts'
import { FROM_STRANGERS, ownText, quotedStrangers, untrustedText } from '../../../schemas/domain/strangers.ts'
import {
  ACTOR_ROLES,
  FAULTS,
  REFUSED_BY_MODEL,
  reference,
  SIGNAL_ORIGINS,
  STEPS,
} from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type ReadContext, type Static, Type } from '../define.ts'
import { CutsField } from './cuts.ts'
import { instant, nullable, oneOf } from './fields.ts'
import { RepeatShape, toRepeat } from './signal-shape.ts'
import { type SignalStep, stepsOf } from './signal-trace.ts'

/** Status of a signal, in the same words in every answer. */
export const SignalStatus = Type.Object({
  status: oneOf(['inserted', 'duplicate', 'in_pipeline', 'dead', 'test'], {
    description:
      'inserted: a Signal. duplicate: it repeats its original, and is counted there. in_pipeline: on its way. dead: it could not go on. test: a test of its source that came the whole way, and counts nowhere.',
  }),
  message: ownText({ description: 'The status in a sentence.' }),
  step: nullable(Type.String({ description: 'On its way: the step that it came to last, or waits for. Dead: where.' })),
  duplicate: nullable(
    Type.Object({
      ...RepeatShape.properties,
      original: Type.String(),
      similarity: Type.Number({
        description: 'The embedding model’s own cosine; service_support mode pipeline says which is 0.88 of the scale.',
      }),
      actor_role: oneOf(ACTOR_ROLES),
      signal_origin: oneOf(SIGNAL_ORIGINS),
      event: nullable(untrustedText()),
      received_at: instant,
      metadata: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          $comment: FROM_STRANGERS,
          description: 'As the sender sent it; only with depth full.',
        }),
      ),
      cuts: Type.Optional(CutsField),
    }),
  ),
  dead_letter: nullable(
    Type.Object({
      step: Type.String(),
      fault: oneOf(FAULTS),
      error_class: Type.String(),
      message: nullable(untrustedText({ description: 'Null while sealed: it died before personal data was removed.' })),
      attempts: Type.Integer(),
      dead_letter_count: Type.Integer({ description: 'Above 1: a replay died again.' }),
      state: oneOf(['waiting', 'replayed', 'discarded']),
      sealed: Type.Boolean(),
      first_failed_at: instant,
      last_failed_at: instant,
    }),
  ),
})
export type SignalStatus = Static<typeof SignalStatus>

interface LocatedSignal {
  readonly status: SignalStatus
  readonly signalOutcome: SignalOutcome
}

const died = ({ deadLetter }: SignalOutcome): SignalStatus['dead_letter'] => {
  if (deadLetter === null) return null
  const { signal_id: _, next_redrive_at: __, first_failed_at, last_failed_at, ...death } = deadLetter
  return { ...death, first_failed_at: first_failed_at.toISOString(), last_failed_at: last_failed_at.toISOString() }
}

/** Length unless the whole text is requested. */
const DUPLICATE_CHARACTERS = 280

/** Status that Postgres alone can tell; null when the signal is not there. */
const settled = (signalOutcome: SignalOutcome): SignalStatus | null => {
  const original = signalOutcome.signal && reference('signal', signalOutcome.signal.number)
  if (signalOutcome.duplicate !== null && original !== null) {
    const { duplicate } = signalOutcome
    return {
      status: 'duplicate',
      message: duplicate.taken_out
        ? `It repeated ${original} and was taken out: it is on its way to be a Signal of its own. The signal shown is ${original}.`
        : `It repeats ${original} (${duplicate.reason}) and is counted there; the signal shown is the original.`,
      step: null,
      duplicate: {
        ...toRepeat(duplicate, DUPLICATE_CHARACTERS),
        original,
        similarity: duplicate.similarity,
        actor_role: duplicate.actor_role,
        signal_origin: duplicate.signal_origin,
        event: duplicate.event,
        received_at: duplicate.received_at.toISOString(),
      },
      dead_letter: duplicate.taken_out ? died(signalOutcome) : null,
    }
  }
  if (signalOutcome.isTest) {
    const message = 'It is a test of its source. It passed every step, and is not counted anywhere.'
    return { status: 'test', message, step: null, duplicate: null, dead_letter: null }
  }
  const dead_letter = died(signalOutcome)
  if (original !== null) {
    return { status: 'inserted', message: `It is ${original}.`, step: null, duplicate: null, dead_letter }
  }
  if (dead_letter === null || dead_letter.state === 'replayed') return null
  const { message: cause } = dead_letter
  const why = cause === null ? 'the reason is sealed with the record' : quotedStrangers(cause)
  const message = `It died at step ${dead_letter.step} after ${counted(dead_letter.attempts, 'attempt')}, ${dead_letter.error_class}: ${why}${dead_letter.error_class === REFUSED_BY_MODEL ? ` ${REFUSED_TEXT_REMEDY}` : ''}`
  return { status: 'dead', message, step: dead_letter.step, duplicate: null, dead_letter }
}

const onItsWay = (signalOutcome: SignalOutcome, steps: readonly SignalStep[]): SignalStatus => ({
  status: 'in_pipeline',
  message: `${whereNow(steps.at(-1), signalOutcome.deadLetter?.sealed ?? false)} Call again in a second or two.`,
  step: stepNow(steps.at(-1)),
  duplicate: null,
  dead_letter: died(signalOutcome),
})

const [FIRST_STEP] = STEPS

const stepNow = (last: SignalStep | undefined): string =>
  last === undefined || last.step === 'received' ? FIRST_STEP : last.step

/** `sealed` hides the reason of death, and so every step's reason. */
const whereNow = (last: SignalStep | undefined, sealed: boolean): string => {
  if (last === undefined || last.step === 'received')
    return `It was accepted and waits for the first step, ${FIRST_STEP}.`
  const { step, outcome, attempt } = last
  const why = sealed || last.reason === '' ? '' : `: ${quotedStrangers(last.reason)}`
  if (outcome === 'retry') return `It waits to be tried again at ${step}, where attempt ${attempt} failed${why}.`
  if (outcome === 'dead_letter') return `It died at ${step}${why}, and is on its way again or about to be listed.`
  return `Its last step so far is ${step} (${outcome}${why}).`
}

/** Finds a signal in any state. Throws `not_found` when neither the database nor the activity has it. */
export const locateSignal = async (given: string, { read, services, caller }: ReadContext): Promise<LocatedSignal> => {
  const signalOutcome = await read(transaction => findSignalOutcome(transaction, given))
  const status = settled(signalOutcome)
  if (status !== null) return { status, signalOutcome }
  const id = given.trim().toLowerCase()
  const accepted = wasAccepted(caller.workspaceId, id)
  const steps = isUuid(id) ? await stepsSoFar(id, { services, caller }, accepted) : []
  if (steps.some(cameToItsEnd)) {
    // The signal may have been stored since the first look-up.
    const signalOutcome = await read(transaction => findSignalOutcome(transaction, given))
    const status = settled(signalOutcome)
    if (status === null) throw wasErased(id)
    return { status, signalOutcome }
  }
  if (steps.length > 0 || accepted || signalOutcome.deadLetter !== null)
    return { status: onItsWay(signalOutcome, steps), signalOutcome }
  await read(transaction => refuseErased(transaction, 'signal', given))
  throw new AssayError(
    'not_found',
    `No signal of this workspace is "${given.slice(0, 80)}": give the snippet_id that the sender was answered, or a reference such as SIG-7. service_lookup mode reference tells what any other reference stands for. service_lookup mode search finds signals by their text.`,
  )
}

/** After such a step the signal is stored as a signal, a repeat or a test, unless it was erased. */
const cameToItsEnd = ({ step, outcome }: SignalStep): boolean =>
  outcome === 'erased' || outcome === 'skip' || (step === 'insert' && outcome === 'next')

const isErased = (failed: unknown): failed is AssayError => isAssayError(failed) && failed.code === 'not_found'

const wasErased = (id: string): AssayError =>
  new AssayError('not_found', `The signal ${id} was accepted, and erased since. Nothing was changed.`)

/** Steps in the activity. For an accepted signal the answer does without them while the activity's store is away. */
const stepsSoFar = async (
  id: string,
  { services, caller }: Pick<ReadContext, 'services' | 'caller'>,
  accepted: boolean,
): Promise<readonly SignalStep[]> => {
  try {
    return await stepsOf(services.analytics, caller.workspaceId, { id })
  } catch (error) {
    if (accepted && isAssayError(error) && error.retriable) return []
    throw error
  }
}

/** The same error with the signal's status. */
export const withWhereSignalIs = async (error: SignalPending, context: ReadContext): Promise<AssayError> => {
  const located = await locateSignal(error.signalId, context).catch(failed => (isErased(failed) ? failed : null))
  if (located === null) return error
  if (isAssayError(located)) return located
  const { status, message, step } = located.status
  const facts = { context: { status, step } }
  if (status === 'dead') {
    const next = 'service_support mode replay sends it again, once a human decided so.'
    return new AssayError('conflict', `The signal ${error.signalId} is not stored. ${message} ${next}`, facts)
  }
  const now = status === 'in_pipeline' ? message : `${message} It has just arrived: call again.`
  return new AssayError('conflict', `The signal ${error.signalId} is not stored yet; nothing was changed. ${now}`, {
    ...facts,
    retriable: true,
    retryAfterSeconds: error.retryAfterSeconds ?? 2,
  })
}

/** Advice for a text that a model refuses. */
export const REFUSED_TEXT_REMEDY =
  'The model refuses this text itself, mostly since it is too long for it or against its rules: sent again, it is refused again. Have the sender send it shorter or in parts; or an operator configures a model that takes it, and service_support mode replay sends it through; or a human gives it up with mode discard.'
