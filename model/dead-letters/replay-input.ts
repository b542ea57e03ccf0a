import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { AssayError } from '../../infra/runtime/errors.ts'
import { STEPS } from '../../schemas/domain/vocabulary.ts'
import { DeadLetterSelection } from './selection.ts'

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
