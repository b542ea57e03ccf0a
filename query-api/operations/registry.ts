import { analyzeActivity } from './analyze/activity.ts'
import { analyzeClaims } from './analyze/claims.ts'
import { analyzePrepareReview } from './analyze/prepare-review.ts'
import { readReviewOperation } from './analyze/read-review.ts'
import { analyzeReview } from './analyze/review.ts'
import { analyzeReviews } from './analyze/reviews.ts'
import { analyzeSolutions } from './analyze/solutions.ts'
import { startReview } from './analyze/start-review.ts'
import { captureEvidence } from './capture/evidence.ts'
import { captureKnowledge } from './capture/knowledge.ts'
import { captureSignal } from './capture/signal.ts'
import { connectCreate } from './connect/create.ts'
import { connectFind } from './connect/find.ts'
import { connectUpdate } from './connect/update.ts'
import { discardDeadLetters } from './dead-letters/discard.ts'
import { inspectDeadLetter } from './dead-letters/inspect.ts'
import { replayDeadLetters } from './dead-letters/replay.ts'
import { decideCreateSolution } from './decide/create-solution.ts'
import { decideDecision } from './decide/decision.ts'
import { decideHandoff } from './decide/handoff.ts'
import { decideLivingDoc } from './decide/living-doc.ts'
import { decideOutcome } from './decide/outcome.ts'
import { decidePrioritize } from './decide/prioritize.ts'
import { rankSolutions } from './decide/rank-solutions.ts'
import { reverseDecision } from './decide/reverse-decision.ts'
import { decideTriage } from './decide/triage.ts'
import { triageSignals } from './decide/triage-signals.ts'
import { decideUpdateClaim } from './decide/update-claim.ts'
import { decideUpdateSolution } from './decide/update-solution.ts'
import type { Operation } from './define.ts'
import { listAdministrationChanges } from './installation/list-administration-changes.ts'
import { listAdministrators } from './installation/list-administrators.ts'
import { listInstallationWorkspaces } from './installation/list-installation-workspaces.ts'
import { makeAdministrator } from './installation/make-administrator.ts'
import { previewAccountDeletion } from './installation/preview-account-deletion.ts'
import { removeAdministrator } from './installation/remove-administrator.ts'
import { cancelJob } from './jobs/cancel-job.ts'
import { listJobs } from './jobs/list-jobs.ts'
import { startJobOperation } from './jobs/start-job.ts'
import { lookupBacklog } from './lookup/backlog.ts'
import { lookupClaim } from './lookup/claim.ts'
import { lookupContext } from './lookup/context.ts'
import { lookupDecision } from './lookup/decision.ts'
import { lookupPriority } from './lookup/explain-priority.ts'
import { lookupGroup } from './lookup/group.ts'
import { listSignals } from './lookup/list-signals.ts'
import { lookupLivingDoc } from './lookup/living-doc.ts'
import { mergeLivingDoc } from './lookup/merge-living-doc.ts'
import { lookupNode } from './lookup/node.ts'
import { lookupOutcome } from './lookup/outcome.ts'
import { lookupProposals } from './lookup/proposals.ts'
import { lookupReference } from './lookup/reference.ts'
import { lookupSearch } from './lookup/search.ts'
import { lookupSignal } from './lookup/signal.ts'
import { lookupSolution } from './lookup/solution.ts'
import { lookupTriage } from './lookup/triage.ts'
import { mapAddNode } from './map/add-node.ts'
import { mapBindMetric } from './map/bind-metric.ts'
import { readMetricPoints } from './map/metric-points.ts'
import { mapMoveNode } from './map/move-node.ts'
import { outlineMap } from './map/outline.ts'
import { mapRead } from './map/read.ts'
import { mapRemoveNode } from './map/remove-node.ts'
import { mapUnbindMetric } from './map/unbind-metric.ts'
import { mapUpdateNode } from './map/update-node.ts'
import { acceptInvitation } from './members/accept-invitation.ts'
import { changeRole } from './members/change-role.ts'
import { inviteMember } from './members/invite-member.ts'
import { listInvitations } from './members/list-invitations.ts'
import { listMembers } from './members/list-members.ts'
import { readInvitation } from './members/read-invitation.ts'
import { removeMember } from './members/remove-member.ts'
import { revokeInvitation } from './members/revoke-invitation.ts'
import { listMergeGroups } from './merges/list-merge-groups.ts'
import { listMergeLog } from './merges/list-merge-log.ts'
import { mergeClaimsOperation } from './merges/merge-claims.ts'
import { splitClaim } from './merges/split-claim.ts'
import { orientChanges } from './orient/changes.ts'
import { listChanges } from './orient/list-changes.ts'
import { orientRoadmap } from './orient/roadmap.ts'
import { orientSnapshot } from './orient/snapshot.ts'
import { orientStrategy } from './orient/strategy.ts'
import { inspectDependencies } from './pipeline/inspect-dependencies.ts'
import { pauseStep } from './pipeline/pause-step.ts'
import { resumeStep } from './pipeline/resume-step.ts'
import { watchPipeline } from './pipeline/watch-pipeline.ts'
import { decideGroup } from './portfolio/group.ts'
import { decideRoadmap } from './portfolio/roadmap.ts'
import { decideStrategy } from './portfolio/strategy.ts'
import { supportDiagnose } from './support/diagnose.ts'
import { supportLedger } from './support/ledger.ts'
import { supportPipeline } from './support/pipeline.ts'
import { supportSignal } from './support/signal.ts'
import { checkImport } from './transfers/check-import.ts'
import { discardTransfer } from './transfers/discard-transfer.ts'
import { listTransfers } from './transfers/list-transfers.ts'
import { previewImport } from './transfers/preview-import.ts'
import { startExport } from './transfers/start-export.ts'
import { startImport } from './transfers/start-import.ts'
import { createKey } from './workspace/create-key.ts'
import { createSource } from './workspace/create-source.ts'
import { createWorkspace } from './workspace/create-workspace.ts'
import { deleteKey } from './workspace/delete-key.ts'
import { deleteSource } from './workspace/delete-source.ts'
import { listKeys } from './workspace/list-keys.ts'
import { listSources } from './workspace/list-sources.ts'
import { listWorkspaces } from './workspace/list-workspaces.ts'
import { readWorkspaceRules } from './workspace/read-workspace-rules.ts'
import { renameWorkspace } from './workspace/rename-workspace.ts'
import { replaceIngestionAddress } from './workspace/replace-ingestion-address.ts'
import { resetSandbox } from './workspace/reset-sandbox.ts'
import { rotateSourceSecret } from './workspace/rotate-source-secret.ts'
import { setWorkspaceRules } from './workspace/set-workspace-rules.ts'
import { signTestRequest } from './workspace/sign-test-request.ts'
import { sourceHealth } from './workspace/source-health.ts'

/** Every capability, one line each. Primitives, OpenAPI and the app's door come from this list. */
const operations = [
  analyzeActivity,
  analyzeClaims,
  analyzePrepareReview,
  analyzeReview,
  analyzeReviews,
  analyzeSolutions,
  readReviewOperation,
  startReview,
  captureEvidence,
  captureKnowledge,
  captureSignal,
  connectCreate,
  connectFind,
  connectUpdate,
  discardDeadLetters,
  inspectDeadLetter,
  replayDeadLetters,
  decideCreateSolution,
  decideDecision,
  decideHandoff,
  decideLivingDoc,
  decideOutcome,
  decidePrioritize,
  decideTriage,
  triageSignals,
  decideUpdateClaim,
  decideUpdateSolution,
  rankSolutions,
  reverseDecision,
  listAdministrationChanges,
  listAdministrators,
  listInstallationWorkspaces,
  makeAdministrator,
  previewAccountDeletion,
  removeAdministrator,
  cancelJob,
  listJobs,
  startJobOperation,
  lookupBacklog,
  lookupClaim,
  lookupGroup,
  lookupNode,
  lookupContext,
  lookupDecision,
  lookupLivingDoc,
  lookupOutcome,
  lookupPriority,
  mergeLivingDoc,
  lookupProposals,
  lookupReference,
  lookupSearch,
  lookupSignal,
  listSignals,
  lookupSolution,
  lookupTriage,
  mapAddNode,
  mapBindMetric,
  mapMoveNode,
  outlineMap,
  readMetricPoints,
  mapRead,
  mapRemoveNode,
  mapUnbindMetric,
  mapUpdateNode,
  mergeClaimsOperation,
  listMergeGroups,
  listMergeLog,
  splitClaim,
  acceptInvitation,
  changeRole,
  inviteMember,
  listInvitations,
  listMembers,
  readInvitation,
  removeMember,
  revokeInvitation,
  orientChanges,
  listChanges,
  orientRoadmap,
  orientSnapshot,
  orientStrategy,
  inspectDependencies,
  pauseStep,
  resumeStep,
  watchPipeline,
  decideGroup,
  decideRoadmap,
  decideStrategy,
  supportDiagnose,
  supportLedger,
  supportPipeline,
  supportSignal,
  checkImport,
  discardTransfer,
  listTransfers,
  previewImport,
  startExport,
  startImport,
  createKey,
  createSource,
  createWorkspace,
  deleteKey,
  deleteSource,
  listKeys,
  listSources,
  listWorkspaces,
  readWorkspaceRules,
  renameWorkspace,
  replaceIngestionAddress,
  resetSandbox,
  rotateSourceSecret,
  setWorkspaceRules,
  signTestRequest,
  sourceHealth,
] as const satisfies readonly Operation[]

/** What each operation takes and answers, by name: all that the app's client takes from the server. */
export type Operations = {
  readonly [Each in (typeof operations)[number] as Each['name']]: NonNullable<Each['signature']>
}

/** The operations by name. Throws at start when two share one. */
export const registryOf = (listed: readonly Operation[]): ReadonlyMap<string, Operation> => {
  const byName = new Map<string, Operation>()
  for (const operation of listed) {
    if (byName.has(operation.name)) throw new Error(`Two operations are named ${operation.name}.`)
    byName.set(operation.name, operation)
  }
  return byName
}

export const registry = registryOf(operations)
