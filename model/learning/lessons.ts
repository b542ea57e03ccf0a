import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { MIN_LESSONS } from '../../schemas/domain/limits.ts'
import type { Classification } from '../../schemas/domain/vocabulary.ts'
import type { Terms } from './terms.ts'

/** The fields of a stored signal that classifiers read. */
export interface SignalToRead {
  /** The part of the text that classifiers read. */
  readonly text: string
  readonly event: string | null
  /** `title` and `subject` of the metadata, of any type. */
  readonly title: unknown
  readonly subject: unknown
}

/** A label that people gave or accepted. */
interface Lesson extends SignalToRead {
  readonly label: Classification
  /** True when a person gave the label; false when a person accepted the classifier's. */
  readonly is_correction: boolean
}

/** Only the newest are used, because a product and its people change. */
const MAX_LESSONS = 2000

/** The condition of the index `signals_that_teach`. An accepted, unclassified signal teaches nothing. */
export const TEACHES = `(classification_version = 'member' or (state = 'accepted' and classification <> 'unclassified'))`

const TO_READ = `left(text, 5000) as text, event, metadata->'title' as title, metadata->'subject' as subject`

/** Newest signals among which lessons are looked for: thousands may be accepted without a look at each. */
const MAX_CANDIDATES = 10_000

/** The last decision on a signal in Triage was about others, too: nobody looked at its class. */
const ONE_OF_MANY = (signal: string): string => `
  classification_version <> 'member' and exists (
    select from (
      select decision_id from decision_objects as decided
      where decided.workspace_id = ${signal}.workspace_id and object_kind = 'signal' and object_id = ${signal}.id
        and change ? 'triage'
      order by decided.id desc limit 1
    ) as last join decision_objects as beside using (decision_id)
    where beside.workspace_id = ${signal}.workspace_id and beside.object_kind = 'signal'
      and beside.object_id <> ${signal}.id and beside.change ? 'triage')`

/** The signals of a workspace whose class a person gave or, for each by itself, accepted, newest first. */
const lessonsOf = (workspace: string, columns: string): string => `
  select ${columns} from (
    select * from signals as teaching where teaching.workspace_id = ${workspace} and ${TEACHES}
    order by number desc limit ${MAX_CANDIDATES}
  ) as lesson
  where not (${ONE_OF_MANY('lesson')})
  order by number desc limit ${MAX_LESSONS}`

const READ_LESSONS = lessonsOf(
  '$1',
  `${TO_READ}, classification as label, classification_version = 'member' as is_correction`,
)

/** Lessons of a workspace, newest signal first. */
export const readLessons = (transaction: Transaction, workspaceId: WorkspaceId): Promise<readonly Lesson[]> =>
  transaction.query<Lesson>(READ_LESSONS, [workspaceId])

/** Signals without a lesson that stand for all of them. */
const MAX_LEFT = 500

const READ_LEFT = `
  select ${TO_READ} from signals
  where workspace_id = $1 and state = 'triage' and classification <> 'unclassified' and classification_version <> 'member'
  order by number desc limit ${MAX_LEFT}`

/** The newest signals in Triage that have a label and no lesson. */
export const readLeft = (transaction: Transaction, workspaceId: WorkspaceId): Promise<readonly SignalToRead[]> =>
  transaction.query<SignalToRead>(READ_LEFT, [workspaceId])

/** Number of lessons, up to the limit, of the workspace in a row `workspaces`. */
const LESSON_COUNTS = `
  select count(*)::integer as lessons, (count(*) filter (where is_correction))::integer as corrections from (
    ${lessonsOf('workspaces.id', `classification_version = 'member' as is_correction`)}
  ) as counted`

const NOTE_LESSONS = `
  insert into learned_classifiers as known (workspace_id, taught_at, changes)
  select workspace_id, clock_timestamp(), 1 from signals where id = any ($1::uuid[]) group by workspace_id
  on conflict (workspace_id) do update set taught_at = excluded.taught_at, changes = known.changes + 1`

/** Records that the transaction adds, changes or removes lessons of a workspace. A fit follows soon after. */
export const noteLessons = async (transaction: Transaction, signals: readonly SignalId[]): Promise<void> => {
  await transaction.query(NOTE_LESSONS, [signals])
}

/** People decide one thing after the other, so a fit waits for a pause, but not for long. */
const PAUSE = `interval '10 seconds'`
const LONGEST_PAUSE = `interval '3 minutes'`

/**
 * Workspaces among `$1` whose lessons have changed since the last fit, or whose fit belongs to another built-in
 * classifier than `$2`. The signals themselves show lessons that were imported, or given before lessons existed.
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

/** A text with the built-in classifier's likelihood of each of CLASSIFICATIONS. */
export interface ReadText {
  readonly terms: Terms
  readonly builtIn: readonly number[]
}

/** The label that people gave or accepted. */
export interface ReadLesson extends ReadText {
  readonly label: Classification
  readonly is_correction: boolean
}

export interface LearningProgress {
  /** Present lessons, and the corrections among them. */
  readonly lessons: number
  readonly corrections: number
  /** Lessons of the last fit; 0 before the first. */
  readonly learned_from: number
  readonly learned_at: Date | null
  /**
   * Newest lessons that were tested, each by a fit without it, and the number of right answers. The column of the
   * former is `asked`.
   */
  readonly tested: number
  readonly answered_right: number
  /** Weight beside the built-in classifier, from 0. */
  readonly weight: number
  /** True when an owner has switched learning on. */
  readonly learns: boolean
}

const READ = `
  select counted.lessons, counted.corrections, workspaces.learns, known.learned_at,
    coalesce(known.lessons, 0) as learned_from, coalesce(known.asked, 0) as tested,
    coalesce(known.answered_right, 0) as answered_right, coalesce(known.weight, 0) as weight
  from workspaces
  cross join lateral (${LESSON_COUNTS}) as counted
  left join learned_classifiers as known on known.workspace_id = workspaces.id`

/** Reads the progress of the transaction's workspace. */
export const readLearningProgress = async (transaction: Transaction): Promise<LearningProgress> => {
  const [progress] = await transaction.query<LearningProgress>(READ)
  if (progress === undefined) throw new Error('The workspace of the transaction is not visible in it.')
  return progress
}
