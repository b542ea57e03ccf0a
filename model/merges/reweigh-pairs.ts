import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { lockWorkspaces } from '../signals/scope.ts'
import { type FoundPair, foundPairs } from './found-pairs.ts'
import { unjudgedReason } from './pair-reason.ts'
import { keepToBars } from './proposal-bar.ts'
import { apart, proposeMerges } from './propose-merges.ts'

/** Signals of one run; each is compared with all before it. */
export const MAX_REWEIGHED = 1_000
/** Chance of a pair that is no longer among the nearest. */
const HARDLY = 0.001

/** The own text of a signal that shares much of its text with unlike ones. */
export interface OwnSaid {
  readonly signalId: SignalId
  readonly text: string
  readonly vector: Float32Array
}

const CLAIMED = `
  select signal_id, claim_id, occurred_at
  from unnest($1::uuid[]) with ordinality as said (signal_id, place)
    join claim_evidence using (signal_id) join claims on claims.id = claim_id join signals on signals.id = signal_id
  where merged_into is null and claims.state <> 'dismissed' order by place`

interface ClaimedRow {
  readonly signal_id: SignalId
  readonly claim_id: ClaimId
  readonly occurred_at: Date
}

// Settled pairs stay, and so do pairs that a judge found.
const REWEIGH = `
  update merge_proposals set
    chance = coalesce(${apart('measured.chance', 'weighed.id')}, least(weighed.chance, ${apart(`${HARDLY}`, 'weighed.id')}))
  from merge_proposals as weighed left join unnest($3::uuid[], $4::uuid[], $5::real[]) as measured (one, other, chance)
    on least(one, other) = least(weighed.claim_id, weighed.candidate_claim_id)
      and greatest(one, other) = greatest(weighed.claim_id, weighed.candidate_claim_id)
  where merge_proposals.id = weighed.id and weighed.workspace_id = $1 and weighed.claim_id = any ($2::uuid[])
    and weighed.candidate_claim_id = any ($2::uuid[]) and weighed.state in ('waiting', 'set_aside') and not weighed.implied
    and weighed.found_by is null and weighed.chance is not null`

/**
 * Computes the chances again for claims whose signals share much of their text with unlike ones, such as mails of one
 * template, from each signal's own text. `said` is oldest first.
 */
export const reweighPairs = async (
  inside: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>,
  workspaceId: WorkspaceId,
  { said, model }: { readonly said: readonly OwnSaid[]; readonly model: string },
): Promise<void> => {
  if (said.length < 2) return
  const ids = said.map(({ signalId }) => signalId)
  const rows = await inside(transaction => transaction.query<ClaimedRow>(CLAIMED, [ids]))
  const own = new Map(said.map(one => [one.signalId, one]))
  const claimed = rows.flatMap(row => {
    const one = own.get(row.signal_id)
    return one === undefined ? [] : [{ ...one, occurredAt: row.occurred_at, claim: row.claim_id }]
  })
  if (claimed.length < 2) return
  const pairs = await foundPairs(claimed, { model, vectors: claimed.map(({ vector }) => vector) })
  await inside(async transaction => {
    await lockWorkspaces(transaction, [workspaceId], 'claims')
    await transaction.query(REWEIGH, [
      workspaceId,
      claimed.map(({ claim }) => claim),
      pairs.map(({ claim }) => claim),
      pairs.map(({ candidate }) => candidate),
      pairs.map(({ chance }) => chance),
    ])
    // A claim may have been merged or removed meanwhile.
    const left = new Set((await transaction.query<ClaimedRow>(CLAIMED, [ids])).map(row => row.claim_id))
    const proposed = pairs.filter(({ claim, candidate }) => left.has(claim) && left.has(candidate))
    await proposeMerges(transaction, proposed.map(toProposal(workspaceId)))
    await keepToBars(transaction, [workspaceId])
  })
}

/** A new pair is set aside until the workspace's bar lets it wait. */
const toProposal =
  (workspaceId: WorkspaceId) =>
  ({ claim, candidate, score, similarity, chance, isByMeaning }: FoundPair<ClaimId>) => ({
    workspaceId,
    claimId: claim,
    candidateClaimId: candidate,
    score,
    similarity,
    chance,
    reason: unjudgedReason(isByMeaning),
    rejectedBy: null,
    isSetAside: true,
  })
