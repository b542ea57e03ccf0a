import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, DecisionId, SignalId } from '../../schemas/domain/ids.ts'
import type { Snooze } from '../snoozes/snooze.ts'
import type { SignalFields } from './locked-signals.ts'

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
