import type { Transaction } from '../../infra/postgres/port.ts'
import { isUuid } from '../../schemas/domain/ids.ts'
import { type DeadLetterRow, deadLettersOfSignal } from '../dead-letters/read-dead-letters.ts'
import { type RepeatRow, readRepeat } from '../duplicates/read-repeats.ts'
import { isStoredTest } from '../test-signals/test-signals.ts'
import { readSignals, type SignalRow } from './read-signals.ts'

/** What Postgres knows of an id that a sender was given. All null: it is unknown, or still on its way. */
export interface SignalOutcome {
  /** The signal, or the original of the duplicate. */
  readonly signal: SignalRow | null
  readonly duplicate: RepeatRow | null
  /** Its newest dead letter. */
  readonly deadLetter: DeadLetterRow | null
  /** Whether it is a test of a source, which came through. */
  readonly isTest: boolean
}

const ID_OF_NUMBER = `select id from signals where number = $1`

const REFERENCE = /^SIG-(\d{1,9})$/i

/** Looks up what became of a signal, by the id that its sender was given or by its reference. */
export const findSignalOutcome = async (transaction: Transaction, given: string): Promise<SignalOutcome> => {
  const number = REFERENCE.exec(given.trim())?.[1]
  const [named] = number === undefined ? [] : await transaction.query<{ id: string }>(ID_OF_NUMBER, [Number(number)])
  const id = named?.id ?? given.trim()
  if (!isUuid(id)) return { signal: null, duplicate: null, deadLetter: null, isTest: false }
  const duplicate = await readRepeat(transaction, id)
  const [signal] = await readSignals(transaction, [duplicate?.signal_id ?? id])
  const death = (await deadLettersOfSignal(transaction, id)).at(-1)
  const isTest = signal === undefined && death === undefined && (await isStoredTest(transaction, id))
  return { signal: signal ?? null, duplicate: duplicate ?? null, deadLetter: death ?? null, isTest }
}
