import type { Transaction } from '../../infra/postgres/port.ts'
import type { DEAD_LETTER_STATES, Fault } from '../../schemas/domain/vocabulary.ts'
import { boundSelection, type DeadLetterSelection, SELECTED_DEAD_LETTERS } from './selection.ts'

type DeadLetterState = (typeof DEAD_LETTER_STATES)[number]

/** A dead letter without its record, which everybody of the workspace may see. */
export interface DeadLetterRow {
  readonly signal_id: string
  readonly step: string
  readonly fault: Fault
  readonly error_class: string
  /** Null while sealed. */
  readonly message: string | null
  readonly sealed: boolean
  readonly attempts: number
  readonly dead_letter_count: number
  readonly state: DeadLetterState
  readonly first_failed_at: Date
  readonly last_failed_at: Date
  readonly next_redrive_at: Date | null
}

const COLUMNS = `
  signal_id, step, fault, error_class, case when sealed then null else message end as message, sealed, attempts, deaths as dead_letter_count, state,
  first_failed_at, last_failed_at, case when state = 'waiting' then next_redrive_at end as next_redrive_at`

const OF_SIGNAL = `select ${COLUMNS} from dead_letters where signal_id = $1 order by last_failed_at, step`

/** Dead letters of a signal, oldest first. */
export const deadLettersOfSignal = (transaction: Transaction, signalId: string): Promise<DeadLetterRow[]> =>
  transaction.query<DeadLetterRow>(OF_SIGNAL, [signalId])

export interface OpenedDeadLetter extends DeadLetterRow {
  readonly topic: string
  readonly replay: number
  readonly trace_id: string
  /** Null while sealed. */
  readonly record: Uint8Array | null
  /** Number of the Decision that discarded the letter. */
  readonly decision_number: number | null
}

const OPENED = `
  select ${COLUMNS}, topic, replay, trace_id, case when not sealed then record end as record,
    (select number from decisions where decisions.id = dead_letters.decision_id) as decision_number
  from dead_letters
  where signal_id = $1 and ($2::text is null or step = $2)
  order by last_failed_at desc, step`

/** Dead letters of a signal with their records, latest first; of one step, or of all. */
export const openDeadLetters = (
  transaction: Transaction,
  signalId: string,
  step: string | null,
): Promise<OpenedDeadLetter[]> => transaction.query<OpenedDeadLetter>(OPENED, [signalId, step])

/** Filter of letters. Null fields do not filter, except that automatic mail is left out. */
export interface DeadLetterFilter {
  readonly state: DeadLetterState
  /** Letters that died until then. */
  readonly until: Date | null
  readonly step: string | null
  readonly fault: string | null
  readonly error_class: string | null
}

const FILTERED = `
  where state = $1 and ($2::timestamptz is null or last_failed_at <= $2) and ($3::text is null or step = $3)
    and (case when $4::text is null then fault <> 'automatic' else fault = $4 end)
    and ($5::text is null or error_class = $5)`

const boundFilter = ({ state, until, step, fault, error_class }: DeadLetterFilter): readonly unknown[] => [
  state,
  until,
  step,
  fault,
  error_class,
]

const PAGE = `
  select ${COLUMNS} from dead_letters ${FILTERED}
  order by last_failed_at desc, signal_id
  limit $6 offset $7`

/** A page of letters, newest first. */
export const listDeadLetters = (
  transaction: Transaction,
  filter: DeadLetterFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<DeadLetterRow[]> => transaction.query<DeadLetterRow>(PAGE, [...boundFilter(filter), page.limit, page.offset])

/** Letters with the same cause. */
interface DeadLetterGroup {
  readonly step: string
  readonly fault: Fault
  readonly error_class: string
  readonly dead_letters: number
  readonly max_dead_letter_count: number
  readonly last_failed_at: Date
  /** Beginning of the newest letter's message; null while sealed. */
  readonly last_message: string | null
}

const MESSAGE_CHARACTERS = 200

const GROUPS = `
  select step, fault, error_class, count(*)::integer as dead_letters, max(deaths) as max_dead_letter_count, max(last_failed_at) as last_failed_at,
    (array_agg(case when not sealed then left(message, ${MESSAGE_CHARACTERS}) end order by last_failed_at desc))[1] as last_message
  from dead_letters ${FILTERED}
  group by step, fault, error_class
  order by dead_letters desc, step, error_class`

/** Letters counted by cause, largest group first. */
export const groupDeadLetters = (transaction: Transaction, filter: DeadLetterFilter): Promise<DeadLetterGroup[]> =>
  transaction.query<DeadLetterGroup>(GROUPS, boundFilter(filter))

const SELECTED_GROUPS = `
  select step, fault, error_class, regexp_replace(topic, '\\.bulk$', '') as topic, count(*)::integer as dead_letters
  from dead_letters
  where ${SELECTED_DEAD_LETTERS}
  group by 1, 2, 3, 4
  order by dead_letters desc, step, error_class, topic`

interface SelectedGroup extends Pick<DeadLetterGroup, 'step' | 'fault' | 'error_class' | 'dead_letters'> {
  /** The topic of the head to which the records return, in either lane. */
  readonly topic: string
}

/** Selected letters, counted by cause and by topic. */
export const groupSelected = (transaction: Transaction, selection: DeadLetterSelection): Promise<SelectedGroup[]> =>
  transaction.query<SelectedGroup>(SELECTED_GROUPS, boundSelection(selection))

const ERROR_CLASSES = 'select distinct error_class from dead_letters order by error_class limit 200'

/** Causes of the workspace's dead letters, settled ones included. */
export const knownErrorClasses = async (transaction: Transaction): Promise<string[]> =>
  (await transaction.query<{ error_class: string }>(ERROR_CLASSES)).map(({ error_class }) => error_class)
