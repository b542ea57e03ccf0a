import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import { SPEAKS_AS } from '../signals/perhaps.ts'
import { CLAIM_KIND } from './start-claims.ts'

/** Kinds of claims by what their signals speak as, problems first. */
const KINDS = Object.entries(CLAIM_KIND).filter(([, kind]) => kind !== null)

// Equal numbers make a problem, the first kind. A kind that a person has set stays.
const SET_KINDS = `
  with kinds as (
    select label, kind, rank from unnest($2::text[], $3::text[]) with ordinality as known (label, kind, rank)
  ), mostly as (
    select distinct on (claim_id) claim_id, kinds.kind
    from claim_evidence
    join signals on signals.id = claim_evidence.signal_id and signals.workspace_id = claim_evidence.workspace_id
    join kinds on kinds.label = ${SPEAKS_AS}
    where claim_id = any ($1::uuid[])
    group by claim_id, kinds.kind, kinds.rank
    order by claim_id, count(*) desc, kinds.rank
  )
  update claims set kind = mostly.kind
  from mostly
  where claims.id = mostly.claim_id and claims.kind <> mostly.kind and not kind_decided`

/** Gives claims the kind of most of their evidence, after a judge joined signals of any kind to them. */
export const setKindsOfEvidence = async (transaction: Transaction, claimIds: readonly ClaimId[]): Promise<void> => {
  if (claimIds.length === 0) return
  await transaction.query(SET_KINDS, [claimIds, KINDS.map(([label]) => label), KINDS.map(([, kind]) => kind)])
}
