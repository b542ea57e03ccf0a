import { addCounts } from '../../../model/erasures/erasures.ts'
import { removeOldActivity, removeOldDeadLetters, removeOldJobs } from '../../../model/retention/old-rows.ts'
import { ageLimits, beginByAge, readRetention } from '../../../model/retention/retention.ts'
import type { JobId, SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { EraseDependencies, Erasing, PhaseResult } from './phase.ts'

const LETTERS_READ = 500
const JOBS_REMOVED = 500
const DONE: PhaseResult = { after: null, done: 0 }

/**
 * Makes the job an erasure of what is older than the workspace keeps it now. The job is its id, so that it begins once.
 */
export const beginAsErasure = async (
  inside: Erasing['inside'],
  { jobId, workspaceId }: { readonly jobId: JobId; readonly workspaceId: WorkspaceId },
  { sealer }: Pick<EraseDependencies, 'sealer'>,
): Promise<void> => {
  await inside(async transaction => {
    const retention = await readRetention(transaction, workspaceId)
    if (retention === null) return
    const sealed = sealer.seal(JSON.stringify(ageLimits(retention, new Date())))
    await beginByAge(transaction, { id: jobId, workspaceId }, sealed)
  })
}

export const oldDeadLetters = async (
  { id, workspaceId, sought, inside }: Erasing,
  after: string | null,
): Promise<PhaseResult> => {
  const before = sought.what === 'age' ? sought.deadLettersBefore : null
  if (before === null) return DONE
  const [signalId, step = ''] = after?.split(' ') ?? []
  const from = signalId === undefined ? null : { signal_id: signalId as SignalId, step }
  const { last } = await inside(async transaction => {
    const erasure = { workspaceId, erasureId: id }
    const page = await removeOldDeadLetters(transaction, erasure, before, from, LETTERS_READ)
    if (page.removed > 0) await addCounts(transaction, id, { dead_letters: page.removed })
    return page
  })
  return { after: last === null ? null : `${last.signal_id} ${last.step}`, done: 0 }
}

/**
 * Noted apart, as ClickHouse has no part in the transaction: what a crash made it count twice would be known nowhere
 * else.
 */
export const oldActivity = async ({ id, workspaceId, sought, dependencies, inside }: Erasing): Promise<PhaseResult> => {
  const before = sought.what === 'age' ? sought.activityBefore : null
  if (before === null) return DONE
  const removed = await removeOldActivity(dependencies.analytics, workspaceId, before)
  if (removed > 0) await inside(transaction => addCounts(transaction, id, { activity: removed }))
  return DONE
}

export const oldJobs = async ({ id, workspaceId, sought, inside }: Erasing): Promise<PhaseResult> => {
  const before = sought.what === 'age' ? sought.jobsBefore : null
  if (before === null) return DONE
  const removed = await inside(async transaction => {
    const { jobs, exports } = await removeOldJobs(transaction, workspaceId, before, JOBS_REMOVED)
    if (jobs + exports > 0) await addCounts(transaction, id, { jobs, transfers: exports })
    return jobs + exports
  })
  return { after: removed === 0 ? null : 'more', done: 0 }
}
