import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import { CLAIM_KIND } from './start-claims.ts'

/** The kinds of claims by what their signals are classified as: problems first. */
const KINDS = Object.entries(CLAIM_KIND).filter(([, kind]) => kind !== null)

// Of as many of either kind it is a problem, the first of the kinds. A person's word stands.
const SET_KINDS = `
  with kinds as (
    select label, kind, rank from unnest($2::text[], $3::text[]) with ordinality as known (label, kind, rank)
  ), mostly as (
    select distinct on (claim_id) claim_id, kinds.kind
    from claim_evidence
    join signals on signals.id = claim_evidence.signal_id and signals.workspace_id = claim_evidence.workspace_id
    join kinds on kinds.label = signals.classification
    where claim_id = any ($1::uuid[])
    group by claim_id, kinds.kind, kinds.rank
    order by claim_id, count(*) desc, kinds.rank
  )
  update claims set kind = mostly.kind
  from mostly
  where claims.id = mostly.claim_id and claims.kind <> mostly.kind and not kind_decided`

/** Gives claims the kind that their evidence mostly has, once a judge joined signals of any kind to them. */
export const setKindsOfEvidence = async (transaction: Transaction, claimIds: readonly ClaimId[]): Promise<void> => {
  if (claimIds.length === 0) return
  await transaction.query(SET_KINDS, [claimIds, KINDS.map(([label]) => label), KINDS.map(([, kind]) => kind)])
}
