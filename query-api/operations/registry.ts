import { analyzeActivity } from './analyze/activity.ts'
import { analyzeClaims } from './analyze/claims.ts'
import { captureSignal } from './capture/signal.ts'
import { connectCreate } from './connect/create.ts'
import { discardDeadLetters } from './dead-letters/discard.ts'
import { inspectDeadLetter } from './dead-letters/inspect.ts'
import { replayDeadLetters } from './dead-letters/replay.ts'
import { decideCreateSolution } from './decide/create-solution.ts'
import { decideDecision } from './decide/decision.ts'
import { decidePrioritize } from './decide/prioritize.ts'
import { decideTriage } from './decide/triage.ts'
import { decideUpdateSolution } from './decide/update-solution.ts'
import type { Operation } from './define.ts'
import { cancelJob } from './jobs/cancel-job.ts'
import { listJobs } from './jobs/list-jobs.ts'
import { startJobOperation } from './jobs/start-job.ts'
import { lookupClaim } from './lookup/claim.ts'
import { lookupProposals } from './lookup/proposals.ts'
import { lookupReference } from './lookup/reference.ts'
import { lookupSearch } from './lookup/search.ts'
import { lookupSignal } from './lookup/signal.ts'
import { lookupSolution } from './lookup/solution.ts'
import { lookupTriage } from './lookup/triage.ts'
import { mapAddNode } from './map/add-node.ts'
import { mapBindMetric } from './map/bind-metric.ts'
import { mapRead } from './map/read.ts'
import { mapRemoveNode } from './map/remove-node.ts'
import { mapUnbindMetric } from './map/unbind-metric.ts'
import { mapUpdateNode } from './map/update-node.ts'
import { orientSnapshot } from './orient/snapshot.ts'
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
import { signTestRequest } from './workspace/sign-test-request.ts'
import { sourceHealth } from './workspace/source-health.ts'

/** Every capability, one line each. Primitives, OpenAPI and the app's door come from this list. */
const operations: readonly Operation[] = [
  analyzeActivity,
  analyzeClaims,
  captureSignal,
  connectCreate,
  discardDeadLetters,
  inspectDeadLetter,
  replayDeadLetters,
  decideCreateSolution,
  decideDecision,
  decidePrioritize,
  decideTriage,
  decideUpdateSolution,
  cancelJob,
  listJobs,
  startJobOperation,
  lookupClaim,
  lookupProposals,
  lookupReference,
  lookupSearch,
  lookupSignal,
  lookupSolution,
  lookupTriage,
  mapAddNode,
  mapBindMetric,
  mapRead,
  mapRemoveNode,
  mapUnbindMetric,
  mapUpdateNode,
  orientSnapshot,
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
  signTestRequest,
  sourceHealth,
]

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
