import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, DecisionId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Classification, reference, type SignalState } from '../../schemas/domain/vocabulary.ts'
import type { FollowedClaim } from '../claims/follow-evidence.ts'
import { noteLessons } from '../learning/lessons.ts'
import { SPEAKS_AS } from '../signals/perhaps.ts'

/** A Signal that is locked until the transaction ends. */
export interface LockedSignal {
  readonly id: SignalId
  readonly number: number
  readonly reference: string
  readonly text: string
  readonly state: SignalState
  readonly classification: Classification
  readonly classification_confidence: number
  readonly classification_version: string
  /** Its classification, or the likely need of an unclassified one. */
  readonly speaks_as: Classification
  readonly version: number
}

const LOCK_SIGNALS = `
  select id, number, text, state, classification, classification_confidence, classification_version,
    ${SPEAKS_AS} as speaks_as, version
  from signals where id = any ($1::uuid[]) order by number for update`

/** Locks the Signals with these ids. Missing ids are left out. */
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

/** Sets the same fields of all Signals; absent fields stay. The workspace's classifier learns from it soon after. */
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
 * A Decision's change of a Signal in Triage, with everything that its undo needs. Stored as the `change` of the
 * Decision's object.
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
  /** Claims of the Signal whose kind or state changed with it. */
  readonly followed?: readonly FollowedClaim[]
  /** The original that a person named, and the Signal's own repeats that moved with it. */
  readonly duplicate?: { readonly of: SignalId; readonly repeats: readonly SignalId[] }
  /** Snooze before and after. */
  readonly snooze?: { readonly from: Snooze | null; readonly to: Snooze | null }
}

/** A Decision that a repeat is none: it becomes a Signal of its own, or is one again. */
export interface TakenOutChange {
  readonly triage: 'not_a_repeat'
  readonly original: SignalId
  /** True when a person had marked the repeat: it keeps its claims when it is marked again. */
  readonly marked: boolean
}

/** A standing change with its Decision. */
export interface ActiveChange {
  readonly signal_id: SignalId
  readonly decision_id: DecisionId
  readonly decision: number
  readonly made_at: Date
  readonly change: TriageChange | TakenOutChange
}

/** The last standing change of a Signal. */
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

/** A Signal that was pulled out keeps its own claim; only the refusal of that Decision can be undone. */
const OF_DECISION = `
  select object_id as signal_id, decision_id, decisions.number as decision, made_at, change
  from decision_objects changed join decisions on decisions.id = decision_id
  where decision_id = $1 and object_kind = 'signal' and change ? 'triage' and change ->> 'triage' <> 'pull_out'
  order by changed.id desc`

/** Changes of Signals by a Decision, undone or not, last first, which is the order of an undo. */
export const changesOfDecision = (transaction: Transaction, decisionId: string): Promise<ActiveChange[]> =>
  transaction.query<ActiveChange>(OF_DECISION, [decisionId])

/**
 * A snooze: until a time (ISO 8601, UTC), or until a number of Signals and repeats at the claim, whichever comes first.
 * At least one is set.
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

/** Last snoozes of these Signals, ended ones included. */
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

/** Number of Signals and repeats at each Signal's claim; without a claim, the Signal and its repeats. */
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
  /** Null returns the Signal to Triage. */
  readonly snooze: Snooze | null
}

/** Snoozes Signals, or returns them to Triage. */
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
