import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { MIN_LESSONS } from '../../schemas/domain/limits.ts'
import type { Classification } from '../../schemas/domain/vocabulary.ts'
import type { Terms } from './terms.ts'

/** What classifiers read of a stored signal. */
export interface SignalToRead {
  /** As far as classifiers read it. */
  readonly text: string
  readonly event: string | null
  /** Of the metadata, whatever the sender put there. */
  readonly title: unknown
  readonly subject: unknown
}

/** What people said that a signal is. */
interface Lesson extends SignalToRead {
  readonly label: Classification
  /** Somebody said so in words of their own; else they accepted what the classifier had said. */
  readonly is_correction: boolean
}

/** The newest are learned from: a product and its people change. */
const MAX_LESSONS = 2000

/** The condition of the index `signals_that_teach`. An accepted signal that nothing was said of teaches nothing. */
export const TEACHES = `(classification_version = 'member' or (state = 'accepted' and classification <> 'unclassified'))`

const TO_READ = `left(text, 5000) as text, event, metadata->'title' as title, metadata->'subject' as subject`

const READ_LESSONS = `
  select ${TO_READ}, classification as label, classification_version = 'member' as is_correction
  from signals
  where workspace_id = $1 and ${TEACHES}
  order by number desc
  limit ${MAX_LESSONS}`

/** The lessons of a workspace, the newest signal first. */
export const readLessons = (transaction: Transaction, workspaceId: WorkspaceId): Promise<readonly Lesson[]> =>
  transaction.query<Lesson>(READ_LESSONS, [workspaceId])

/** So many signals that nobody spoke of stand for all of them. */
const MAX_LEFT = 500

const READ_LEFT = `
  select ${TO_READ} from signals
  where workspace_id = $1 and state = 'triage' and classification <> 'unclassified' and classification_version <> 'member'
  order by number desc limit ${MAX_LEFT}`

/** The newest signals in Triage that got a label, of which nobody said whether it is right. */
export const readLeft = (transaction: Transaction, workspaceId: WorkspaceId): Promise<readonly SignalToRead[]> =>
  transaction.query<SignalToRead>(READ_LEFT, [workspaceId])

/** How many lessons there are of the workspace of a row `workspaces`, as many as are learned from. */
const LESSON_COUNTS = `
  select count(*)::integer as lessons, (count(*) filter (where is_correction))::integer as corrections from (
    select classification_version = 'member' as is_correction from signals
    where workspace_id = workspaces.id and ${TEACHES} order by number desc limit ${MAX_LESSONS}
  ) as lesson`

const NOTE_LESSONS = `
  insert into learned_classifiers as known (workspace_id, taught_at, changes)
  select workspace_id, clock_timestamp(), 1 from signals where id = any ($1::uuid[]) group by workspace_id
  on conflict (workspace_id) do update set taught_at = excluded.taught_at, changes = known.changes + 1`

/** Says that lessons of a workspace come, change or go with the transaction: it is learned from them soon after. */
export const noteLessons = async (transaction: Transaction, signals: readonly SignalId[]): Promise<void> => {
  await transaction.query(NOTE_LESSONS, [signals])
}

/** People decide one thing after the other: what is learned waits for a pause, but not for long. */
const PAUSE = `interval '10 seconds'`
const LONGEST_PAUSE = `interval '3 minutes'`

/**
 * Those of the workspaces `$1` whose lessons are others than those that were learned from, or were learned to speak
 * beside another built-in classifier than `$2`. What was imported, or said before there were lessons, is found by its
 * signals.
 */
export const WITH_NEW_LESSONS = `
  select candidate.id
  from unnest($1::uuid[]) as candidate (id)
  join workspaces on workspaces.id = candidate.id and workspaces.learns
  left join learned_classifiers as known on known.workspace_id = candidate.id
  where case
      when known.learned_at is null then true
      when known.beside is distinct from $2 then true
      else known.changes > known.learned_changes
        and (known.taught_at < now() - ${PAUSE} or known.learned_at < now() - ${LONGEST_PAUSE})
    end
    and (known.terms is not null or exists (
      select from signals where workspace_id = candidate.id and ${TEACHES}
      order by number desc offset ${MIN_LESSONS - 1} limit 1))`

/** A text, and how likely the built-in classifier says each of CLASSIFICATIONS is. */
export interface ReadText {
  readonly terms: Terms
  readonly builtIn: readonly number[]
}

/** What people said of it. */
export interface ReadLesson extends ReadText {
  readonly label: Classification
  readonly is_correction: boolean
}

/** How far a workspace has taught its classifier. */
export interface LearningProgress {
  /** Lessons that there are now, and those of them that are corrections. */
  readonly lessons: number
  readonly corrections: number
  /** The lessons that the last fit learned from; 0 before the first. */
  readonly learned_from: number
  readonly learned_at: Date | null
  /**
   * On how many of the newest of these it was tested, each by a fit that had not seen it, and how many answers were
   * right. The column of the first is `asked`.
   */
  readonly tested: number
  readonly answered_right: number
  /** How much it says beside the built-in classifier, from 0 to 1. */
  readonly weight: number
  /** Whether an owner lets it speak. */
  readonly learns: boolean
}

const READ = `
  select counted.lessons, counted.corrections, workspaces.learns, known.learned_at,
    coalesce(known.lessons, 0) as learned_from, coalesce(known.asked, 0) as tested,
    coalesce(known.answered_right, 0) as answered_right, coalesce(known.weight, 0) as weight
  from workspaces
  cross join lateral (${LESSON_COUNTS}) as counted
  left join learned_classifiers as known on known.workspace_id = workspaces.id`

/** Of the transaction's workspace. */
export const readLearningProgress = async (transaction: Transaction): Promise<LearningProgress> => {
  const [progress] = await transaction.query<LearningProgress>(READ)
  if (progress === undefined) throw new Error('The workspace of the transaction is not visible in it.')
  return progress
}
