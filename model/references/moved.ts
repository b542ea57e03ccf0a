import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { type Referenced, reference } from '../../schemas/domain/vocabulary.ts'

/** A merged claim, a repeat or a former theme that was named, and the claim, Signal or theme that it lives on in. */
export interface Moved {
  readonly kind: Referenced
  readonly id: string
  /** A repeat that has no row of its own has no reference: then this is its id. */
  readonly named: string
  readonly livesIn: string
}

/**
 * The refusal of a write that names what was merged or counts as a repeat: whoever decided about the one did not decide
 * about the other.
 */
export const refuseMoved = ({ kind, named, livesIn }: Moved): AssayError => {
  const context = { moved: named, lives_in: livesIn }
  if (kind === 'claim') {
    return new AssayError(
      'conflict',
      `${named} was merged into ${livesIn}. Nothing was changed. Call again with ${livesIn} if that is what you mean; service_decide mode triage, action undo, claim_id ${named}, takes that merge back.`,
      { context },
    )
  }
  if (kind === 'theme')
    return new AssayError('conflict', `${foundNoMore(named, livesIn)}. Nothing was changed.`, { context })
  return new AssayError(
    'conflict',
    `${named} counts as a repeat of ${livesIn}. Nothing was changed. Call again with ${livesIn} if that is what you mean; service_decide mode triage, action not_a_repeat, signal_id ${named}, makes it a Signal of its own.`,
    { context },
  )
}

const foundNoMore = (named: string, livesIn: string): string =>
  `${named} is found no more, and most of its Signals are in ${livesIn} now`

const noteOf = ({ kind, named, livesIn }: Moved): string => {
  if (kind === 'claim') return `${named} was merged into ${livesIn}, which is answered.`
  if (kind === 'theme') return `${foundNoMore(named, livesIn)}, which is answered.`
  return `${named} counts as a repeat of ${livesIn}, which is answered.`
}

/** A transaction of a call that reads: its references are followed, and the answer's note tells of each that was. */
interface FollowingTransaction extends Transaction {
  readonly followed: Set<string>
}

/** Lets a call that reads follow references. Every other transaction refuses what lives elsewhere now. */
export const following = (transaction: Transaction, followed: Set<string>): FollowingTransaction => ({
  query: (statement, values) => transaction.query(statement, values),
  followed,
})

const follows = (transaction: Transaction): transaction is FollowingTransaction => 'followed' in transaction

/** Has a call that reads tell of what it followed; throws `conflict` in every other transaction. */
export const followMoved = (transaction: Transaction, moved: Moved): void => {
  if (!follows(transaction)) throw refuseMoved(moved)
  transaction.followed.add(noteOf(moved))
}

/** The row of a reference whose object lives elsewhere now; null for one that is where it always was. */
export const movedFrom = (
  kind: Referenced,
  row: { readonly named_id?: string | null; readonly named_number?: number | null; readonly lives_in?: number | null },
): Moved | null => {
  const { named_id: id, named_number: number, lives_in: livesIn } = row
  if (id == null || livesIn == null) return null
  return { kind, id, named: number == null ? id : reference(kind, number), livesIn: reference(kind, livesIn) }
}
