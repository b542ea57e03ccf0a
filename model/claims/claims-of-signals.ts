import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'

/** A claim with some of the given signals as evidence. */
export interface ClaimOfSignals {
  readonly id: ClaimId
  /** The given signals that are its evidence. */
  readonly signals: readonly SignalId[]
  /** True when it has no other evidence. */
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

/** Standing claims with some of the signals as evidence: most of the signals first, then oldest. */
export const claimsOfSignals = (
  transaction: Transaction,
  signalIds: readonly SignalId[],
): Promise<readonly ClaimOfSignals[]> => transaction.query<ClaimOfSignals>(CLAIMS_OF, [signalIds])
