import { analyzeActivity } from './analyze/activity.ts'
import { analyzeClaims } from './analyze/claims.ts'
import { analyzePrepareReview } from './analyze/prepare-review.ts'
import { analyzeReview } from './analyze/review.ts'
import { analyzeReviews } from './analyze/reviews.ts'
import { analyzeSolutions } from './analyze/solutions.ts'
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
import { decideUpdateSolution } from './decide/update-solution.ts'
import type { Operation } from './define.ts'
import { cancelJob } from './jobs/cancel-job.ts'
import { listJobs } from './jobs/list-jobs.ts'
import { startJobOperation } from './jobs/start-job.ts'
import { lookupBacklog } from './lookup/backlog.ts'
import { lookupClaim } from './lookup/claim.ts'
import { lookupContext } from './lookup/context.ts'
import { lookupDecision } from './lookup/decision.ts'
import { lookupPriority } from './lookup/explain-priority.ts'
import { lookupGroup } from './lookup/group.ts'
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
import { mapMoveNode } from './map/move-node.ts'
import { mapRead } from './map/read.ts'
import { mapRemoveNode } from './map/remove-node.ts'
import { mapUnbindMetric } from './map/unbind-metric.ts'
import { mapUpdateNode } from './map/update-node.ts'
import { orientChanges } from './orient/changes.ts'
import { orientRoadmap } from './orient/roadmap.ts'
import { orientSnapshot } from './orient/snapshot.ts'
import { orientStrategy } from './orient/strategy.ts'
import { decideGroup } from './portfolio/group.ts'
import { decideRoadmap } from './portfolio/roadmap.ts'
import { decideStrategy } from './portfolio/strategy.ts'
import { supportDiagnose } from './support/diagnose.ts'
import { supportLedger } from './support/ledger.ts'
import { supportPipeline } from './support/pipeline.ts'
import { supportSignal } from './support/signal.ts'
import { createKey } from './workspace/create-key.ts'
import { createSource } from './workspace/create-source.ts'
import { createWorkspace } from './workspace/create-workspace.ts'
import { deleteKey } from './workspace/delete-key.ts'
import { deleteSource } from './workspace/delete-source.ts'
import { listKeys } from './workspace/list-keys.ts'
import { listSources } from './workspace/list-sources.ts'
import { listWorkspaces } from './workspace/list-workspaces.ts'
import { replaceIngestionAddress } from './workspace/replace-ingestion-address.ts'
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
  decideUpdateSolution,
  rankSolutions,
  reverseDecision,
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
  lookupSolution,
  lookupTriage,
  mapAddNode,
  mapBindMetric,
  mapMoveNode,
  mapRead,
  mapRemoveNode,
  mapUnbindMetric,
  mapUpdateNode,
  orientChanges,
  orientRoadmap,
  orientSnapshot,
  orientStrategy,
  decideGroup,
  decideRoadmap,
  decideStrategy,
  supportDiagnose,
  supportLedger,
  supportPipeline,
  supportSignal,
  createKey,
  createSource,
  createWorkspace,
  deleteKey,
  deleteSource,
  listKeys,
  listSources,
  listWorkspaces,
  replaceIngestionAddress,
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
