import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'

const INSERT_EVIDENCE = `
  insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[])
  on conflict (claim_id, signal_id) do nothing`

const TOUCH_CLAIMS = `update claims set updated_at = now() where id = any ($1::uuid[])`

export interface Evidence {
  readonly workspaceId: WorkspaceId
  readonly claimId: ClaimId
  readonly signalId: SignalId
  readonly attachedBy: 'cluster' | 'judge'
  /** What did it: the step's version, the judge's model. */
  readonly actor: string
  readonly reason: string
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
  ])
  await transaction.query(TOUCH_CLAIMS, [evidence.map(one => one.claimId)])
}
