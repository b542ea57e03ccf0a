import type { Transaction } from '../../../infra/postgres/port.ts'
import { withinRest } from '../../../infra/runtime/cpu-budget.ts'
import { attachEvidence } from '../../../model/claims/attach-evidence.ts'
import { findClustered } from '../../../model/claims/clustered.ts'
import { lockEvidenceLocations } from '../../../model/claims/evidence-locations.ts'
import { proposeMerges } from '../../../model/claims/propose-merges.ts'
import { startClaims } from '../../../model/claims/start-claims.ts'
import { lockWorkspaces } from '../../../model/signals/lock-workspaces.ts'
import { peopleMerge } from '../../../model/workspaces/who-merges.ts'
import { leftToPeople } from './deliberate.ts'
import { candidatesOf, type Deliberated, type Settlement, settle } from './settle.ts'

/**
 * Writes what was deliberated. While the judge thought, another delivery may have clustered a signal, and a person may have merged a
 * candidate's claim or pulled it apart.
 */
export const write = async (
  transaction: Transaction,
  deliberated: readonly Deliberated[],
  version: string,
): Promise<Settlement> => {
  const workspaceIds = [...new Set(deliberated.map(({ workspaceId }) => workspaceId))]
  await lockWorkspaces(transaction, workspaceIds, 'claims')
  const people = await peopleMerge(transaction, workspaceIds)
  const done = await findClustered(transaction, deliberated)
  const open = deliberated
    .filter(({ signalId }) => !done.has(signalId))
    .map(one => (people.has(one.workspaceId) ? { ...one, outcome: leftToPeople(one.outcome) } : one))
  const locations = await lockEvidenceLocations(
    transaction,
    open.flatMap(({ outcome }) => candidatesOf(outcome)),
  )
  const settlement = withinRest(() => settle(open, locations, version))
  await startClaims(transaction, settlement.claims)
  await attachEvidence(transaction, settlement.evidence)
  await proposeMerges(transaction, settlement.proposals)
  return settlement
}
