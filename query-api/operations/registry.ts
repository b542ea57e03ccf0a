import { analyzeActivity } from './activity/analyze-activity.ts'
import { listChanges } from './changes/list-changes.ts'
import { orientChanges } from './changes/orient-changes.ts'
import { analyzeClaims } from './claims/analyze-claims.ts'
import { attachEvidence } from './claims/attach-evidence.ts'
import { lookupClaim } from './claims/lookup-claim.ts'
import { updateClaim } from './claims/update-claim.ts'
import { assignOwner } from './comments/assign-owner.ts'
import { deleteComment } from './comments/delete-comment.ts'
import { editComment } from './comments/edit-comment.ts'
import { listComments } from './comments/list-comments.ts'
import { listMentions } from './comments/list-mentions.ts'
import { readMentions } from './comments/read-mentions.ts'
import { writeComment } from './comments/write-comment.ts'
import { lookupContext } from './context/lookup-context.ts'
import { discardDeadLetters } from './dead-letters/discard-dead-letters.ts'
import { inspectDeadLetter } from './dead-letters/inspect-dead-letter.ts'
import { replayDeadLetters } from './dead-letters/replay-dead-letters.ts'
import { listDecisions } from './decisions/list-decisions.ts'
import { logDecision } from './decisions/log-decision.ts'
import { lookupDecision } from './decisions/lookup-decision.ts'
import { reverseDecision } from './decisions/reverse-decision.ts'
import type { Operation } from './define.ts'
import { diagnoseWorkspace } from './diagnosis/diagnose-workspace.ts'
import { editLivingDocument } from './documents/edit-living-document.ts'
import { lookupLivingDocument } from './documents/lookup-living-document.ts'
import { mergeLivingDocument } from './documents/merge-living-document.ts'
import { erasePerson } from './erasures/erase-person.ts'
import { eraseSignal } from './erasures/erase-signal.ts'
import { eraseSource } from './erasures/erase-source.ts'
import { listErasures } from './erasures/list-erasures.ts'
import { previewErasure } from './erasures/preview-erasure.ts'
import { resumeErasure } from './erasures/resume-erasure.ts'
import { changeGroup } from './groups/change-group.ts'
import { lookupGroup } from './groups/lookup-group.ts'
import { listAdministrators } from './installation/list-administrators.ts'
import { listAuditLog } from './installation/list-audit-log.ts'
import { listInstallationWorkspaces } from './installation/list-installation-workspaces.ts'
import { makeAdministrator } from './installation/make-administrator.ts'
import { makeResetLink } from './installation/make-reset-link.ts'
import { previewAccountDeletion } from './installation/preview-account-deletion.ts'
import { removeAdministrator } from './installation/remove-administrator.ts'
import { removeTwoFactor } from './installation/remove-two-factor.ts'
import { cancelJob } from './jobs/cancel-job.ts'
import { listJobs } from './jobs/list-jobs.ts'
import { startJob } from './jobs/start-job.ts'
import { createKey } from './keys/create-key.ts'
import { deleteKey } from './keys/delete-key.ts'
import { listKeys } from './keys/list-keys.ts'
import { saveKnowledge } from './knowledge/save-knowledge.ts'
import { addMapNode } from './map/add-map-node.ts'
import { addMapNodes } from './map/add-map-nodes.ts'
import { listProposedPlaces } from './map/list-proposed-places.ts'
import { lookupNode } from './map/lookup-node.ts'
import { moveMapNode } from './map/move-map-node.ts'
import { moveSignal } from './map/move-signal.ts'
import { outlineMap } from './map/outline-map.ts'
import { placeSignals } from './map/place-signals.ts'
import { previewReAnchor } from './map/preview-re-anchor.ts'
import { readMap } from './map/read-map.ts'
import { removeMapNode } from './map/remove-map-node.ts'
import { updateMapNode } from './map/update-map-node.ts'
import { acceptInvitation } from './members/accept-invitation.ts'
import { changeRole } from './members/change-role.ts'
import { inviteMember } from './members/invite-member.ts'
import { listInvitations } from './members/list-invitations.ts'
import { listMembers } from './members/list-members.ts'
import { readDigest } from './members/read-digest.ts'
import { removeMember } from './members/remove-member.ts'
import { revokeInvitation } from './members/revoke-invitation.ts'
import { setDigest } from './members/set-digest.ts'
import { listMergeGroups } from './merges/list-merge-groups.ts'
import { listMergeLog } from './merges/list-merge-log.ts'
import { lookupProposals } from './merges/lookup-proposals.ts'
import { mergeClaims } from './merges/merge-claims.ts'
import { showLessLikely } from './merges/show-less-likely.ts'
import { splitClaim } from './merges/split-claim.ts'
import { bindMetric } from './metrics/bind-metric.ts'
import { readMetricPoints } from './metrics/read-metric-points.ts'
import { unbindMetric } from './metrics/unbind-metric.ts'
import { lookupOutcome } from './outcomes/lookup-outcome.ts'
import { recordOutcome } from './outcomes/record-outcome.ts'
import { inspectDependencies } from './pipeline/inspect-dependencies.ts'
import { inspectPipeline } from './pipeline/inspect-pipeline.ts'
import { pauseStep } from './pipeline/pause-step.ts'
import { readLedger } from './pipeline/read-ledger.ts'
import { resumeStep } from './pipeline/resume-step.ts'
import { watchPipeline } from './pipeline/watch-pipeline.ts'
import { lookupReference } from './references/lookup-reference.ts'
import { previewRetention } from './retention/preview-retention.ts'
import { readRetention } from './retention/read-retention.ts'
import { setRetention } from './retention/set-retention.ts'
import { prepareReview } from './reviews/prepare-review.ts'
import { readReview } from './reviews/read-review.ts'
import { readReviews } from './reviews/read-reviews.ts'
import { saveReview } from './reviews/save-review.ts'
import { startReview } from './reviews/start-review.ts'
import { changeRoadmap } from './roadmap/change-roadmap.ts'
import { orientRoadmap } from './roadmap/orient-roadmap.ts'
import { listLikelySame } from './search/list-likely-same.ts'
import { lookupSearch } from './search/lookup-search.ts'
import { captureSignal } from './signals/capture-signal.ts'
import { listRepeats } from './signals/list-repeats.ts'
import { listSignals } from './signals/list-signals.ts'
import { lookupSignal } from './signals/lookup-signal.ts'
import { traceSignal } from './signals/trace-signal.ts'
import { countWaiting } from './snapshot/count-waiting.ts'
import { orientSnapshot } from './snapshot/orient-snapshot.ts'
import { analyzeSolutions } from './solutions/analyze-solutions.ts'
import { createSolution } from './solutions/create-solution.ts'
import { explainPriority } from './solutions/explain-priority.ts'
import { handOffSolution } from './solutions/hand-off-solution.ts'
import { listBoard } from './solutions/list-board.ts'
import { lookupBacklog } from './solutions/lookup-backlog.ts'
import { lookupSolution } from './solutions/lookup-solution.ts'
import { prioritizeSolution } from './solutions/prioritize-solution.ts'
import { rankSolutions } from './solutions/rank-solutions.ts'
import { updateSolution } from './solutions/update-solution.ts'
import { createConnection } from './sources/create-connection.ts'
import { createSource } from './sources/create-source.ts'
import { deleteSource } from './sources/delete-source.ts'
import { findSourceKind } from './sources/find-source-kind.ts'
import { listSources } from './sources/list-sources.ts'
import { listTestSignals } from './sources/list-test-signals.ts'
import { removeTestSignals } from './sources/remove-test-signals.ts'
import { rotateSourceSecret } from './sources/rotate-source-secret.ts'
import { signTestRequest } from './sources/sign-test-request.ts'
import { sourceHealth } from './sources/source-health.ts'
import { updateSource } from './sources/update-source.ts'
import { changeStrategy } from './strategy/change-strategy.ts'
import { orientStrategy } from './strategy/orient-strategy.ts'
import { listThemes } from './themes/list-themes.ts'
import { lookupTheme } from './themes/lookup-theme.ts'
import { searchThemes } from './themes/search-themes.ts'
import { updateTheme } from './themes/update-theme.ts'
import { checkImport } from './transfers/check-import.ts'
import { discardTransfer } from './transfers/discard-transfer.ts'
import { listTransfers } from './transfers/list-transfers.ts'
import { previewImport } from './transfers/preview-import.ts'
import { previewTakeBack } from './transfers/preview-take-back.ts'
import { startExport } from './transfers/start-export.ts'
import { startImport } from './transfers/start-import.ts'
import { takeBackImport } from './transfers/take-back-import.ts'
import { lookupTriage } from './triage/lookup-triage.ts'
import { triage } from './triage/triage.ts'
import { triageSignals } from './triage/triage-signals.ts'
import { listMyChanges } from './undo/list-my-changes.ts'
import { undoChange } from './undo/undo-change.ts'
import { createWorkspace } from './workspaces/create-workspace.ts'
import { deleteWorkspace } from './workspaces/delete-workspace.ts'
import { dismissFirstSteps } from './workspaces/dismiss-first-steps.ts'
import { listWorkspaces } from './workspaces/list-workspaces.ts'
import { readFirstSteps } from './workspaces/read-first-steps.ts'
import { readWorkspaceRules } from './workspaces/read-workspace-rules.ts'
import { removeSandbox } from './workspaces/remove-sandbox.ts'
import { renameWorkspace } from './workspaces/rename-workspace.ts'
import { replaceIngestionAddress } from './workspaces/replace-ingestion-address.ts'
import { resetSandbox } from './workspaces/reset-sandbox.ts'
import { setWorkspaceRules } from './workspaces/set-workspace-rules.ts'

/** Every capability, one line each, by noun. Primitives, OpenAPI and the app's door come from this list. */
const operations = [
  analyzeActivity,
  listChanges,
  orientChanges,
  analyzeClaims,
  attachEvidence,
  lookupClaim,
  updateClaim,
  assignOwner,
  deleteComment,
  editComment,
  listComments,
  listMentions,
  readMentions,
  writeComment,
  lookupContext,
  discardDeadLetters,
  inspectDeadLetter,
  replayDeadLetters,
  logDecision,
  listDecisions,
  lookupDecision,
  reverseDecision,
  diagnoseWorkspace,
  editLivingDocument,
  lookupLivingDocument,
  mergeLivingDocument,
  erasePerson,
  eraseSignal,
  eraseSource,
  listErasures,
  previewErasure,
  resumeErasure,
  changeGroup,
  lookupGroup,
  listAdministrators,
  listAuditLog,
  listInstallationWorkspaces,
  makeAdministrator,
  makeResetLink,
  previewAccountDeletion,
  removeAdministrator,
  removeTwoFactor,
  cancelJob,
  listJobs,
  startJob,
  createKey,
  deleteKey,
  listKeys,
  saveKnowledge,
  addMapNode,
  addMapNodes,
  listProposedPlaces,
  placeSignals,
  lookupNode,
  moveMapNode,
  moveSignal,
  outlineMap,
  readMap,
  removeMapNode,
  updateMapNode,
  acceptInvitation,
  changeRole,
  inviteMember,
  listInvitations,
  listMembers,
  readDigest,
  removeMember,
  revokeInvitation,
  setDigest,
  listMergeGroups,
  listMergeLog,
  lookupProposals,
  mergeClaims,
  showLessLikely,
  splitClaim,
  bindMetric,
  readMetricPoints,
  unbindMetric,
  lookupOutcome,
  recordOutcome,
  inspectDependencies,
  inspectPipeline,
  pauseStep,
  readLedger,
  resumeStep,
  watchPipeline,
  lookupReference,
  previewRetention,
  readRetention,
  setRetention,
  prepareReview,
  readReview,
  readReviews,
  saveReview,
  startReview,
  changeRoadmap,
  orientRoadmap,
  lookupSearch,
  listLikelySame,
  captureSignal,
  listRepeats,
  listSignals,
  lookupSignal,
  traceSignal,
  countWaiting,
  orientSnapshot,
  analyzeSolutions,
  createSolution,
  explainPriority,
  handOffSolution,
  listBoard,
  lookupBacklog,
  lookupSolution,
  prioritizeSolution,
  rankSolutions,
  updateSolution,
  createConnection,
  createSource,
  deleteSource,
  findSourceKind,
  listSources,
  listTestSignals,
  removeTestSignals,
  rotateSourceSecret,
  signTestRequest,
  sourceHealth,
  updateSource,
  changeStrategy,
  orientStrategy,
  searchThemes,
  listThemes,
  lookupTheme,
  updateTheme,
  checkImport,
  discardTransfer,
  listTransfers,
  previewImport,
  previewReAnchor,
  previewTakeBack,
  startExport,
  startImport,
  takeBackImport,
  lookupTriage,
  triage,
  triageSignals,
  listMyChanges,
  undoChange,
  createWorkspace,
  deleteWorkspace,
  dismissFirstSteps,
  listWorkspaces,
  readFirstSteps,
  readWorkspaceRules,
  removeSandbox,
  renameWorkspace,
  replaceIngestionAddress,
  resetSandbox,
  setWorkspaceRules,
] as const satisfies readonly Operation[]

/** Input and output types of each operation by name: all that the app's client takes from the server. */
export type Operations = {
  readonly [Each in (typeof operations)[number] as Each['name']]: NonNullable<Each['signature']>
}

/** The operations by name. Throws at start for two equal names. */
export const registryOf = (listed: readonly Operation[]): ReadonlyMap<string, Operation> => {
  const byName = new Map<string, Operation>()
  for (const operation of listed) {
    if (byName.has(operation.name)) throw new Error(`Two operations are named ${operation.name}.`)
    byName.set(operation.name, operation)
  }
  return byName
}

export const registry = registryOf(operations)

/** The operations of a tool's modes, by name. */
export const operationsNamed = (
  names: Readonly<Record<string, keyof Operations>>,
): Readonly<Record<string, Operation>> =>
  Object.fromEntries(
    Object.entries(names).map(([mode, name]) => {
      const operation = registry.get(name)
      if (operation === undefined) throw new Error(`No operation is named ${name}.`)
      return [mode, operation]
    }),
  )
