import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { GroupPartition } from '../../../infra/log/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { countActivity, countActivityWith, forgetSubjects } from '../../../model/erasures/activity.ts'
import {
  beforeOf,
  findRunning,
  finishErasure,
  type ProofLine,
  type Sought,
  wordsOf,
} from '../../../model/erasures/erasures.ts'
import { searchPostgres } from '../../../model/erasures/preview.ts'
import { forgetRewrite, NOT_SEARCHED, requestRewrite } from '../../../model/erasures/rewrites.ts'
import { clickHousePattern } from '../../../model/erasures/words.ts'
import { forgetIfNothingWent } from '../../../model/retention/retention.ts'
import { LANES, segmentGroup } from '../../framework/topics.ts'
import { ACTIVITY_GROUP } from '../../sinks/activity/activity.ts'
import { DEAD_LETTERS_GROUP } from '../../sinks/dead-letters/dead-letters.ts'
import { cursorReader, type JobDefinition, type JobSlice, type SliceResult } from '../job-kind.ts'
import { eraseMatchingDeadLetters, find, mark } from './find-phases.ts'
import { quotes, saidByOthers, words } from './mask-phases.ts'
import { DONE, type EraseDependencies, type Erasing, type Phase, type PhaseResult } from './phase.ts'
import { edits } from './put-back-edits.ts'
import {
  activity,
  beginAsErasure,
  claims,
  decisions,
  history,
  note,
  oldActivity,
  oldDeadLetters,
  oldJobs,
  rows,
  temporary,
} from './remove-phases.ts'

const PAUSE_MS = 1000

/** Pairs of "group topic partition" and the offset that the group must reach. */
const PlacesShape = Type.Array(Type.Tuple([Type.String(), Type.Integer()]))
type Places = Static<typeof PlacesShape>
const placesCheck = Compile(PlacesShape)

const nameOf = ({ group, topic, partition }: GroupPartition): string => `${group} ${topic} ${partition}`

/** Offsets of the pipeline and its sinks on the log. */
const readGroups = async ({ log, pipeline }: EraseDependencies): Promise<readonly GroupPartition[]> => {
  const segments = pipeline.segments.flatMap(({ head }) => LANES.map(lane => segmentGroup(head, lane)))
  const groups = [...segments, DEAD_LETTERS_GROUP, ACTIVITY_GROUP]
  return (await Promise.all(groups.map(group => log.lag(group)))).flat()
}

/**
 * Waits until the pipeline has processed the records that were on the log, step by step: each round also waits for the
 * records that the step before has moved on. Earlier accepted records end there as erased, and their activity has
 * reached ClickHouse.
 */
const waitForLog = async (
  { dependencies }: Pick<Erasing, 'dependencies'>,
  after: string | null,
): Promise<PhaseResult> => {
  const places = await readGroups(dependencies)
  const [rounds, wanted] = readRound(after)
  const targets = wanted ?? places.map(place => [nameOf(place), place.highWatermark] as [string, number])
  const committed = new Map(places.map(place => [nameOf(place), place.committed]))
  const isBehind = targets.some(([name, target]) => (committed.get(name) ?? target) < target)
  if (isBehind) return { after: JSON.stringify([rounds, targets]), done: 0, pauseMs: PAUSE_MS }
  // The number of groups that a record can pass. Each may have moved it on a moment ago.
  if (rounds < dependencies.pipeline.segments.length + 2) return { after: JSON.stringify([rounds + 1, null]), done: 0 }
  return DONE
}

const readRound = (after: string | null): readonly [rounds: number, targets: Places | null] => {
  const stored: unknown = after === null ? null : JSON.parse(after)
  if (!Array.isArray(stored)) return [0, null]
  const [rounds, targets]: unknown[] = stored
  return [typeof rounds === 'number' ? rounds : 0, placesCheck.Check(targets) ? targets : null]
}

/** Searches every store for what had to go, and ends the erasure with the findings. */
const prove = async (erasing: Erasing): Promise<PhaseResult> => {
  const { id, workspaceId, sought, askedAt, dependencies, inside } = erasing
  const { analytics, rewritesFiles = false } = dependencies
  const pattern = clickHousePattern(wordsOf(sought))
  const clickHouse: ProofLine[] = [
    {
      store: 'clickhouse',
      place: 'activity, first_receipts',
      looked_for: 'signals',
      found: await countActivity(analytics, { workspaceId, erasureId: id }),
    },
  ]
  if (pattern !== null) {
    const found = await countActivityWith(analytics, workspaceId, pattern)
    clickHouse.push({ store: 'clickhouse', place: 'activity', looked_for: 'words', found })
  }
  // Old records have left the log long ago, so nothing that waits there is too old.
  const groups = sought.what === 'age' ? [] : await readGroups(dependencies)
  const waiting = groups.filter(
    ({ oldestUncommittedAt }) => oldestUncommittedAt !== null && oldestUncommittedAt < askedAt.getTime(),
  )
  const log: ProofLine = {
    store: 'log',
    place: 'records that wait since before',
    looked_for: 'records',
    found: waiting.reduce((sum, { committed, highWatermark }) => sum + highWatermark - committed, 0),
  }
  await inside(async transaction => {
    if (await forgetIfNothingWent(transaction, id)) return forgetRewrite(transaction, id)
    const postgres = await searchPostgres(transaction, erasing)
    await finishErasure(transaction, id, [...postgres, ...clickHouse, log, ...(rewritesFiles ? NOT_SEARCHED : [])])
    if (rewritesFiles) await requestRewrite(transaction, id)
  })
  return DONE
}

/** Phases in their order. The wait for the log is in the middle: dead letters are read again after it. */
const PHASES: readonly Phase[] = [
  { says: 'Notes what must not come back.', slice: mark },
  { says: 'Looks for signals.', slice: find('signals') },
  { says: 'Looks for repeats.', slice: find('occurrences') },
  { says: 'Reads dead letters.', slice: eraseMatchingDeadLetters },
  { says: 'Removes signals and what hangs on them.', slice: rows },
  { says: 'Clears the history of changes.', slice: history },
  { says: 'Masks words in other texts.', slice: words },
  { says: 'Masks words in what others said.', slice: saidByOthers },
  { says: 'Masks quotes.', slice: quotes },
  { says: 'Removes files and answers that are kept for a day.', slice: temporary },
  { says: 'Waits until what is on the log has been worked off.', slice: waitForLog },
  { says: 'Reads dead letters once more.', slice: eraseMatchingDeadLetters },
  { says: 'Tells ClickHouse.', slice: note },
  { says: 'Removes activity.', slice: activity },
  { says: 'Searches every store.', slice: prove },
]

/** Phases by age. No text that people wrote is masked, and nothing that comes again is kept out. */
const PHASES_BY_AGE: readonly Phase[] = [
  { says: 'Looks for signals.', slice: find('signals') },
  { says: 'Looks for repeats.', slice: find('occurrences') },
  { says: 'Removes dead letters.', slice: oldDeadLetters },
  { says: 'Removes signals and what hangs on them.', slice: rows },
  { says: 'Clears the history of changes.', slice: history },
  { says: 'Tells ClickHouse.', slice: note },
  { says: 'Removes activity.', slice: activity },
  { says: 'Removes what happened beside signals.', slice: oldActivity },
  { says: 'Removes jobs and exports.', slice: oldJobs },
  { says: 'Searches every store.', slice: prove },
]

/**
 * Phases of an import that is taken back. Texts that people wrote stay. Signals that die while the job waits for the
 * log are removed with the rest.
 */
const PHASES_OF_IMPORT: readonly Phase[] = [
  { says: 'Notes what the import brought.', slice: mark },
  { says: 'Removes signals and what hangs on them.', slice: rows },
  { says: 'Takes edits back.', slice: edits },
  { says: 'Removes claims that nothing is left of.', slice: claims },
  { says: 'Clears the history of changes.', slice: history },
  { says: 'Waits until what is on the log has been worked off.', slice: waitForLog },
  { says: 'Removes what died on its way.', slice: rows },
  { says: 'Removes claims that nothing is left of.', slice: claims },
  { says: 'Removes what Decisions say of the signals.', slice: decisions },
  { says: 'Tells ClickHouse.', slice: note },
  { says: 'Removes activity.', slice: activity },
  { says: 'Searches every store.', slice: prove },
]

const phasesOf = ({ what }: Sought): readonly Phase[] => {
  if (what === 'age') return PHASES_BY_AGE
  return what === 'import' ? PHASES_OF_IMPORT : PHASES
}

const Cursor = Type.Object({ phase: Type.Integer({ minimum: 0 }), after: Type.Union([Type.String(), Type.Null()]) })
const readCursor = cursorReader(Cursor)
const BEGINNING: Static<typeof Cursor> = { phase: 0, after: null }
const SLICE_MS = 500

/**
 * Erases a person, a signal, a whole source, an import or old data from every store, phase by phase. A slice finds its
 * work in the stores, so a slice that is repeated after a crash counts nothing twice. The last phase searches every
 * store and stores its findings.
 */
export const createEraseJob = (dependencies: EraseDependencies): JobDefinition => ({
  kind: 'erase',
  slice: async ({ jobId, workspaceId, input, cursor: stored }) => {
    const { database, sealer, analytics } = dependencies
    const inside: Erasing['inside'] = work => database.transaction({ role: 'assay_erasure', workspaceId }, work)
    if (isByAge(input) && stored === null) await beginAsErasure(inside, { jobId, workspaceId }, dependencies)
    const id = isByAge(input) ? jobId : erasureOf(input)
    const running = await inside(transaction => findRunning(transaction, id))
    if (running === null) {
      await forgetSubjects(analytics, { workspaceId, erasureId: id })
      return { cursor: null, done: 0, failed: 0, message: 'Nothing of it is left.' }
    }
    const sought: Sought = JSON.parse(sealer.unseal(running.sealed))
    const askedAt = running.asked_at
    const erasing = { id, workspaceId, sought, before: beforeOf(sought, askedAt), askedAt, dependencies, inside }
    return runPhases(erasing, readCursor(stored) ?? BEGINNING)
  },
})

/** Runs phases until the slice has used its time, so that small phases share a slice. */
const runPhases = async (erasing: Erasing, from: Static<typeof Cursor>): Promise<SliceResult> => {
  const end = performance.now() + SLICE_MS
  let cursor = from
  let done = 0
  let total: number | undefined
  const phases = phasesOf(erasing.sought)
  for (;;) {
    const phase = phases[cursor.phase]
    // The last phase has ended the erasure. The next slice removes the erasure's notes from ClickHouse.
    if (phase === undefined) return { cursor: BEGINNING, done, failed: 0 }
    const result = await phase.slice(erasing, cursor.after)
    done += result.done
    total = result.total ?? total
    cursor =
      result.after === null ? { phase: cursor.phase + 1, after: null } : { phase: cursor.phase, after: result.after }
    if (result.pauseMs === undefined && performance.now() < end && phases[cursor.phase] !== undefined) continue
    return {
      cursor,
      done,
      failed: 0,
      message: phase.says,
      ...(total === undefined ? {} : { total }),
      ...(result.pauseMs === undefined ? {} : { pauseMs: result.pauseMs }),
    }
  }
}

/** True when maintenance started the job because of the workspace's retention. */
const isByAge = (input: JobSlice['input']): boolean =>
  typeof input === 'object' && input !== null && 'retention' in input

const erasureOf = (input: unknown): string => {
  const id = typeof input === 'object' && input !== null && 'erasure_id' in input ? input.erasure_id : null
  if (typeof id === 'string') return id
  throw new AssayError('internal', 'A job that erases says which erasure it is of.')
}
