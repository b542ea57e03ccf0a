import type { Transaction } from '../../../infra/postgres/port.ts'
import { attachEvidence } from '../../../model/claims/change-evidence.ts'
import { startClaims, statementOf, titleOf } from '../../../model/claims/start-claims.ts'
import type { LockedSignal } from '../../../model/triage/triage.ts'
import { type ClaimId, newId } from '../../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../../schemas/domain/vocabulary.ts'
import { actorLabel } from '../decisions/actor-label.ts'
import type { Caller } from '../define.ts'

/** Starts an emerging claim of a Signal because a person said so. Needs the lock of the workspace. */
export const startClaimOf = async (
  transaction: Transaction,
  caller: Caller,
  signal: LockedSignal,
  claim: { readonly kind: ClaimKind; readonly title?: string | undefined; readonly reason: string },
): Promise<ClaimId> => {
  const { workspaceId } = caller
  const claimId = newId<ClaimId>()
  const title = claim.title?.trim() ?? titleOf(signal.text)
  const statement = statementOf(signal.text)
  await startClaims(transaction, [
    { id: claimId, workspaceId, signalId: signal.id, kind: claim.kind, title, statement },
  ])
  const attached = { attachedBy: 'member', actor: actorLabel(caller), reason: claim.reason } as const
  await attachEvidence(transaction, [{ workspaceId, claimId, signalId: signal.id, ...attached }])
  return claimId
}
