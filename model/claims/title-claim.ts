import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'

/** What a claim is called, and how much is behind it beside some signals. */
interface TitledClaim {
  readonly title: string
  readonly statement: string
  /** Its evidence that is not of these signals. */
  readonly others: number
}

const READ = `
  select title, statement, (
    select count(*)::integer from claim_evidence where claim_id = claims.id and not signal_id = any ($2::uuid[])
  ) as others
  from claims where id = $1`

export const readTitled = async (
  transaction: Transaction,
  id: ClaimId,
  signals: readonly SignalId[],
): Promise<TitledClaim | undefined> => (await transaction.query<TitledClaim>(READ, [id, signals]))[0]

const SET = `update claims set title = $2, version = version + 1, updated_at = $3 where id = $1`

export const setTitle = async (transaction: Transaction, id: ClaimId, title: string, at: Date): Promise<void> => {
  await transaction.query(SET, [id, title, at])
}

// Whoever renamed it since has the last word.
const TAKE_BACK = `
  update claims set title = change #>> '{title,from}', version = version + 1, updated_at = $2
  from decision_objects
  where decision_id = $1 and object_kind = 'claim' and object_id = claims.id
    and change ? 'promoted_signals' and title = change #>> '{title,to}'`

/** Has claims called again what they were before a Decision gathered signals to them under the name of a theme. */
export const takeTitlesBack = async (transaction: Transaction, decisionId: string, at: Date): Promise<void> => {
  await transaction.query(TAKE_BACK, [decisionId, at])
}
