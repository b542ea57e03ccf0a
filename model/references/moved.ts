import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { type Referenced, reference } from '../../schemas/domain/vocabulary.ts'

/** A merged claim, a repeat or a former theme, with the claim, Signal or theme that it leads to. */
export interface Moved {
  readonly kind: Referenced
  readonly id: string
  /** A repeat without a row has no reference; this is then its id. */
  readonly named: string
  readonly livesIn: string
}

/** The error of a write that names a merged claim or a repeat: the caller did not decide about the other object. */
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
    return new AssayError('conflict', `${isNoTheme(named, livesIn)}. Nothing was changed.`, { context })
  return new AssayError(
    'conflict',
    `${named} counts as a repeat of ${livesIn}. Nothing was changed. Call again with ${livesIn} if that is what you mean; service_decide mode triage, action not_a_repeat, signal_id ${named}, makes it a Signal of its own.`,
    { context },
  )
}

const isNoTheme = (named: string, livesIn: string): string =>
  `${named} is no theme of its own: most of its Signals were found in ${livesIn}, or a person said that both are one`

const noteOf = ({ kind, named, livesIn }: Moved): string => {
  if (kind === 'claim') return `${named} was merged into ${livesIn}, which is answered.`
  if (kind === 'theme') return `${isNoTheme(named, livesIn)}, which is answered.`
  return `${named} counts as a repeat of ${livesIn}, which is answered.`
}

/** A transaction of a reading call. It follows references, and the answer's note names each one that was followed. */
interface FollowingTransaction extends Transaction {
  readonly followed: Set<string>
}

/** Lets a reading call follow references. Other transactions refuse moved objects. */
export const following = (transaction: Transaction, followed: Set<string>): FollowingTransaction => ({
  query: (statement, values) => transaction.query(statement, values),
  followed,
})

const follows = (transaction: Transaction): transaction is FollowingTransaction => 'followed' in transaction

/** Records a followed reference in a reading call; throws `conflict` in any other transaction. */
export const followMoved = (transaction: Transaction, moved: Moved): void => {
  if (!follows(transaction)) throw refuseMoved(moved)
  transaction.followed.add(noteOf(moved))
}

/** The row of a moved object; null for an object that has not moved. */
export const movedFrom = (
  kind: Referenced,
  row: { readonly named_id?: string | null; readonly named_number?: number | null; readonly lives_in?: number | null },
): Moved | null => {
  const { named_id: id, named_number: number, lives_in: livesIn } = row
  if (id == null || livesIn == null) return null
  return { kind, id, named: number == null ? id : reference(kind, number), livesIn: reference(kind, livesIn) }
}
