import { AssayError } from '../../../infra/runtime/errors.ts'
import { maskActivity, noteSubjects, removeActivityOf } from '../../../model/erasures/activity.ts'
import { forgetDecisionsOn, removeEmptiedClaims } from '../../../model/erasures/emptied-claims.ts'
import { clearTemporary, eraseHistory, eraseSignals, removeTestsOf } from '../../../model/erasures/erase-signals.ts'
import { addCounts, readItems, wordsOf } from '../../../model/erasures/erasures.ts'
import { findPromotedRepeats, hasRepeatsOfOthers, promoteRepeats } from '../../../model/erasures/promoted-repeats.ts'
import { keepExcerpts } from '../../../model/erasures/rewrites.ts'
import { clickHousePattern } from '../../../model/erasures/words.ts'
import { removeOldActivity, removeOldDeadLetters, removeOldJobs } from '../../../model/retention/old-rows.ts'
import { ageLimits, beginByAge, readRetention } from '../../../model/retention/retention.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { JobId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import {
  cursorBehind,
  DONE,
  deadLetterPlaceIn,
  type EraseDependencies,
  type Erasing,
  type PhaseResult,
} from './phase.ts'

const ROWS_READ = 5000
const SIGNALS_ERASED = 200
const IDS_NOTED = 10_000

export const rows = async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
  const { id, workspaceId, sought, dependencies, inside } = erasing
  const { embedder, sealer, rewritesFiles = false } = dependencies
  const { ids, promoted } = await inside(async transaction => {
    const ids = await readItems(transaction, id, after, SIGNALS_ERASED)
    return { ids, promoted: await findPromotedRepeats(transaction, { workspaceId, erasureId: id, ids }) }
  })
  if (ids.length === 0) return DONE
  const embedded = promoted.length === 0 ? [] : await embedder.embed(promoted.map(({ text }) => text))
  const vectors = new Map(
    promoted.flatMap((repeat, index) => (embedded[index] ? [[repeat.id, embedded[index]] as const] : [])),
  )
  const erased = { workspaceId, erasureId: id, ids, keepsDecisions: sought.what === 'import' }
  await inside(async transaction => {
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    await lockWorkspaces(transaction, [workspaceId], 'claims')
    if (rewritesFiles) await keepExcerpts(transaction, id, ids, sealer)
    await promoteRepeats(transaction, erased, promoted, embedder.model, vectors)
    if (await hasRepeatsOfOthers(transaction, erased))
      throw new AssayError('busy', 'A repeat came to a signal that is being erased.')
    await addCounts(transaction, id, await eraseSignals(transaction, erased))
  })
  return { after: ids.length < SIGNALS_ERASED ? null : (ids.at(-1) ?? null), done: ids.length }
}

/** Removes claims of an import without signals, unless somebody worked on them. */
export const claims = async ({ id, workspaceId, inside }: Erasing): Promise<PhaseResult> => {
  await inside(async transaction => {
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    await lockWorkspaces(transaction, [workspaceId], 'claims')
    await removeEmptiedClaims(transaction, { workspaceId, erasureId: id })
  })
  return DONE
}

/** Removes Decisions' references to the signals. Runs after `claims`, which looks at those references. */
export const decisions = async ({ id, inside }: Erasing, after: string | null): Promise<PhaseResult> => {
  const ids = await inside(async transaction => {
    const ids = await readItems(transaction, id, after, ROWS_READ)
    await addCounts(transaction, id, { decision_objects: await forgetDecisionsOn(transaction, ids) })
    return ids
  })
  return { after: ids.length < ROWS_READ ? null : (ids.at(-1) ?? null), done: 0 }
}

export const history = async ({ id, workspaceId, inside }: Erasing, after: string | null): Promise<PhaseResult> => {
  const { last } = await inside(async transaction => {
    const page = await eraseHistory(transaction, { workspaceId, erasureId: id }, after, ROWS_READ)
    if (page.removed > 0) await addCounts(transaction, id, { changed_rows: page.removed })
    return page
  })
  return { after: last, done: 0 }
}

export const temporary = async ({ id, workspaceId, sought, inside }: Erasing): Promise<PhaseResult> => {
  await inside(async transaction => {
    const counts: Record<string, number> = { ...(await clearTemporary(transaction, workspaceId, new Date())) }
    if (sought.what === 'source') counts.test_signals = await removeTestsOf(transaction, workspaceId, sought.sourceId)
    await addCounts(transaction, id, counts)
  })
  return DONE
}

export const note = async (
  { id, workspaceId, dependencies, inside }: Erasing,
  after: string | null,
): Promise<PhaseResult> => {
  const ids = await inside(transaction => readItems(transaction, id, after, IDS_NOTED))
  await noteSubjects(dependencies.analytics, { workspaceId, erasureId: id }, ids)
  return { after: ids.length < IDS_NOTED ? null : (ids.at(-1) ?? null), done: 0 }
}

/**
 * ClickHouse has no part in the transaction. The counts are added after the removal, so a crash in between loses them.
 */
export const activity = async ({ id, workspaceId, sought, dependencies, inside }: Erasing): Promise<PhaseResult> => {
  const { analytics } = dependencies
  const removed = await removeActivityOf(analytics, { workspaceId, erasureId: id })
  const pattern = clickHousePattern(wordsOf(sought))
  const masked = pattern === null ? 0 : await maskActivity(analytics, workspaceId, pattern)
  await inside(transaction => addCounts(transaction, id, { activity: removed + masked }))
  return DONE
}

const DEAD_LETTERS_REMOVED = 500
const JOBS_REMOVED = 500

/** Starts an erasure by the workspace's present retention. The erasure has the job's id, so that it starts once. */
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
  const from = deadLetterPlaceIn(after)
  const { last } = await inside(async transaction => {
    const erasure = { workspaceId, erasureId: id }
    const page = await removeOldDeadLetters(transaction, erasure, before, from, DEAD_LETTERS_REMOVED)
    if (page.removed > 0) await addCounts(transaction, id, { dead_letters: page.removed })
    return page
  })
  return { after: last === null ? null : cursorBehind(last), done: 0 }
}

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
