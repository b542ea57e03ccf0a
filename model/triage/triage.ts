import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, DecisionId, SignalId } from '../../schemas/domain/ids.ts'
import { type Classification, reference, type SignalState } from '../../schemas/domain/vocabulary.ts'
import type { FollowedClaim } from '../claims/follow-evidence.ts'
import { noteLessons } from '../learning/lessons.ts'
import type { Snooze } from '../snoozes/snooze.ts'

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

/** What a Decision in Triage changed of a Signal: enough to take it back. Stored as the `change` of the Decision's object. */
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
