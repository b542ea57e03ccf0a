import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'

/** A claim that some signals are evidence of. */
export interface ClaimOfSignals {
  readonly id: ClaimId
  /** Which of the signals are behind it. */
  readonly signals: readonly SignalId[]
  /** Whether nothing else is behind it. */
  readonly isAll: boolean
}

const CLAIMS_OF = `
  select claims.id, behind.signals,
    not exists (
      select from claim_evidence
      where claim_evidence.claim_id = claims.id and not signal_id = any ($1::uuid[])
    ) as "isAll"
  from (
    select claim_id, array_agg(signal_id) as signals from claim_evidence where signal_id = any ($1::uuid[]) group by claim_id
  ) as behind join claims on claims.id = claim_id and merged_into is null and state <> 'dismissed'
  order by cardinality(behind.signals) desc, number`

/** The claims that stand and have some of the signals behind them: that of most of them first, then the oldest. */
export const claimsOfSignals = (
  transaction: Transaction,
  signalIds: readonly SignalId[],
): Promise<readonly ClaimOfSignals[]> => transaction.query<ClaimOfSignals>(CLAIMS_OF, [signalIds])
