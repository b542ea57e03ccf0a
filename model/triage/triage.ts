import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, DecisionId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Classification, reference, type SignalState } from '../../schemas/domain/vocabulary.ts'
import type { FollowedClaim } from '../claims/follow-evidence.ts'
import { noteLessons } from '../learning/lessons.ts'

/** A Signal that nobody else changes until the transaction ends. */
export interface LockedSignal {
  readonly id: SignalId
  readonly number: number
  readonly reference: string
  readonly text: string
  readonly state: SignalState
  readonly classification: Classification
  readonly classification_confidence: number
  readonly classification_version: string
  readonly version: number
}

const LOCK_SIGNALS = `
  select id, number, text, state, classification, classification_confidence, classification_version, version
  from signals where id = any ($1::uuid[]) order by number for update`

/** Holds the Signals of these ids; one that is not there is not in the answer. */
export const lockSignals = async (
  transaction: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LockedSignal>> => {
  const rows = await transaction.query<Omit<LockedSignal, 'reference'>>(LOCK_SIGNALS, [ids])
  return new Map(rows.map(row => [row.id, { ...row, reference: reference('signal', row.number) }]))
}

export type SignalFields = Pick<
  LockedSignal,
  'state' | 'classification' | 'classification_confidence' | 'classification_version'
>

const SET_SIGNALS = `
  update signals set
    state = coalesce($2, state), classification = coalesce($3, classification),
    classification_confidence = coalesce($4, classification_confidence),
    classification_version = coalesce($5, classification_version),
    version = version + 1
  where id = any ($1::uuid[])`

/** Writes the same fields to all; what is absent stays. The workspace learns from it soon after. */
export const setSignals = async (
  transaction: Transaction,
  signals: readonly Pick<LockedSignal, 'id'>[],
  fields: Partial<SignalFields>,
): Promise<void> => {
  const ids = signals.map(({ id }) => id)
  await transaction.query(SET_SIGNALS, [
    ids,
    fields.state ?? null,
    fields.classification ?? null,
    fields.classification_confidence ?? null,
    fields.classification_version ?? null,
  ])
  await noteLessons(transaction, ids)
}

/**
 * What a Decision in Triage changed of a Signal: enough to take it back. Stored as the `change` of the Decision's
 * object.
 */
export interface TriageChange {
  readonly triage:
    | 'accept'
    | 'dismiss'
    | 'reclassify'
    | 'promote'
    | 'attach'
    | 'pull_out'
    | 'duplicate'
    | 'snooze'
    | 'wake'
  readonly from: SignalFields
  readonly to: SignalFields
  /** The claim that the Signal became evidence of. */
  readonly claim?: { readonly id: ClaimId; readonly is_new: boolean }
  /** Claims that it is evidence of, and that became something else with it. */
  readonly followed?: readonly FollowedClaim[]
  /** What it repeats by a person’s word, and its own repeats that went along. */
  readonly duplicate?: { readonly of: SignalId; readonly repeats: readonly SignalId[] }
  /** How it was put off before and after. */
  readonly snooze?: { readonly from: Snooze | null; readonly to: Snooze | null }
}

/** A Decision that what was counted as a repeat is none: it becomes a Signal of its own, or is one again. */
export interface TakenOutChange {
  readonly triage: 'not_a_repeat'
  readonly original: SignalId
  /** A person had said that it repeats the original: it keeps its claims when it does so again. */
  readonly marked: boolean
}

/** A change that is in force, with the Decision that made it. */
export interface ActiveChange {
  readonly signal_id: SignalId
  readonly decision_id: DecisionId
  readonly decision: number
  readonly made_at: Date
  readonly change: TriageChange | TakenOutChange
}

/** The last that was decided about a Signal and that was not taken back. */
const LAST_CHANGE = `
  select object_id as signal_id, decision_id, decisions.number as decision, made_at, change
  from decision_objects changed join decisions on decisions.id = decision_id
  where object_kind = 'signal' and object_id = $1 and change ? 'triage'
    and not exists (
      select from decision_objects undoing
      where undoing.object_kind = 'signal' and undoing.object_id = changed.object_id
        and undoing.change ->> 'undoes' = changed.decision_id::text)
  order by changed.id desc
  limit 1`

export const lastChange = async (transaction: Transaction, id: SignalId): Promise<ActiveChange | undefined> =>
  (await transaction.query<ActiveChange>(LAST_CHANGE, [id]))[0]

/** A Signal that was pulled out keeps its own claim: of that Decision only the refusal can be taken back. */
const OF_DECISION = `
  select object_id as signal_id, decision_id, decisions.number as decision, made_at, change
  from decision_objects changed join decisions on decisions.id = decision_id
  where decision_id = $1 and object_kind = 'signal' and change ? 'triage' and change ->> 'triage' <> 'pull_out'
  order by changed.id desc`

/** What a Decision in Triage changed of Signals, taken back since or not; the last first, as they are taken back. */
export const changesOfDecision = (transaction: Transaction, decisionId: string): Promise<ActiveChange[]> =>
  transaction.query<ActiveChange>(OF_DECISION, [decisionId])

/**
 * How long a Signal stays out of Triage: until a time (ISO 8601, UTC), or until so many Signals and repeats are at its
 * claim; where both are said, until the first of them. One is.
 */
export interface Snooze {
  readonly until: string | null
  readonly until_signals: number | null
}

interface SnoozedRow {
  readonly signal_id: SignalId
  readonly until: Date | null
  readonly until_signals: number | null
}

const SNOOZES = `select signal_id, until, until_signals from snoozes where signal_id = any ($1::uuid[])`

/** What was said of these Signals the last time, come true since or not. */
export const snoozesOf = async (
  transaction: Transaction,
  ids: readonly SignalId[],
): Promise<ReadonlyMap<SignalId, Snooze>> =>
  new Map((await transaction.query<SnoozedRow>(SNOOZES, [ids])).map(row => [row.signal_id, snoozeOf(row)] as const))

const snoozeOf = ({ until, until_signals }: Omit<SnoozedRow, 'signal_id'>): Snooze => ({
  until: until?.toISOString() ?? null,
  until_signals,
})

const ABOUT = `select id, snooze_signal_count(id) as signals from unnest($1::uuid[]) as id`

/** How much is said of what each Signal says: the Signals and repeats at its claim, or itself and its repeats. */
export const signalsAbout = async (
  transaction: Transaction,
  ids: readonly SignalId[],
): Promise<ReadonlyMap<SignalId, number>> =>
  new Map((await transaction.query<{ id: SignalId; signals: number }>(ABOUT, [ids])).map(row => [row.id, row.signals]))

const SET = `
  insert into snoozes (workspace_id, signal_id, until, until_signals, snoozed_by, snoozed_at)
  select $1, given.id, given.until::timestamptz, given.until_signals, $3, $4
  from jsonb_to_recordset($2::jsonb) as given (id uuid, until text, until_signals integer)
  on conflict (signal_id) do update set until = excluded.until, until_signals = excluded.until_signals,
    snoozed_by = excluded.snoozed_by, snoozed_at = excluded.snoozed_at`

const WAKE = `delete from snoozes where signal_id = any ($1::uuid[])`

interface Sleeper {
  readonly id: SignalId
  /** Null: it is to be in Triage. */
  readonly snooze: Snooze | null
}

/** Puts Signals off, or back into Triage. */
export const setSnoozes = async (
  transaction: Transaction,
  sleepers: readonly Sleeper[],
  snoozing: { readonly workspaceId: WorkspaceId; readonly by: string; readonly at: Date },
): Promise<void> => {
  const woken = sleepers.filter(({ snooze }) => snooze === null)
  if (woken.length > 0) await transaction.query(WAKE, [woken.map(({ id }) => id)])
  const asleep = sleepers.flatMap(({ id, snooze }) => (snooze === null ? [] : [{ id, ...snooze }]))
  if (asleep.length === 0) return
  await transaction.query(SET, [snoozing.workspaceId, JSON.stringify(asleep), snoozing.by, snoozing.at])
}
