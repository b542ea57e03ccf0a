import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { RejectedCandidate } from '../merges/rejected-candidates.ts'

const INSERT_EVIDENCE = `
  insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, origins, lost_candidates)
  select added.workspace_id, added.claim_id, added.signal_id, added.attached_by, added.actor, added.reason,
    added.origins::uuid[], added.lost_candidates::jsonb
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
    as added (workspace_id, claim_id, signal_id, attached_by, actor, reason, origins, lost_candidates)
  on conflict (claim_id, signal_id) do nothing`

// A claim that this transaction started is as young as that already.
const TOUCH_CLAIMS = `update claims set updated_at = now() where id = any ($1::uuid[]) and updated_at < now()`

export interface Evidence {
  readonly workspaceId: WorkspaceId
  readonly claimId: ClaimId
  readonly signalId: SignalId
  readonly attachedBy: 'cluster' | 'judge' | 'member'
  /** What or who did it: the step's version, the judge's model, the member. */
  readonly actor: string
  readonly reason: string
  /** Claims merged into `claimId` that the signal belongs to: it goes with them when they are pulled apart. None by default. */
  readonly origins?: readonly ClaimId[]
  /** The candidates that this claim was preferred to. None by default. */
  readonly rejected?: readonly RejectedCandidate[]
}

/** Attaches signals to claims; one that is attached stays as it was. */
export const attachEvidence = async (transaction: Transaction, evidence: readonly Evidence[]): Promise<void> => {
  if (evidence.length === 0) return
  await transaction.query(INSERT_EVIDENCE, [
    evidence.map(one => one.workspaceId),
    evidence.map(one => one.claimId),
    evidence.map(one => one.signalId),
    evidence.map(one => one.attachedBy),
    evidence.map(one => one.actor),
    evidence.map(one => one.reason),
    evidence.map(({ origins = [] }) => `{${origins.join(',')}}`),
    evidence.map(({ rejected = [] }) => JSON.stringify(rejected)),
  ])
  await transaction.query(TOUCH_CLAIMS, [evidence.map(one => one.claimId)])
}
