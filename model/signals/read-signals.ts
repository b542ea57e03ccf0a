import type { Transaction } from '../../infra/postgres/port.ts'
import { isUuid, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import {
  type ActorRole,
  type Channel,
  type Classification,
  type Perhaps,
  SIGNAL_STATES,
  type SignalOrigin,
  type SignalState,
} from '../../schemas/domain/vocabulary.ts'
import { type DeadLetterRow, deadLettersOfSignal } from '../dead-letters/read-dead-letters.ts'
import { type RepeatRow, readRepeat } from '../duplicates/read-repeats.ts'
import { REPEATS_AGAIN } from '../duplicates/taken-out.ts'
import { type Person, personIn } from '../members/people.ts'
import { isStoredTest } from '../test-signals/test-signals.ts'
import { afterSignal, NEWEST_FIRST } from './happened.ts'
import { PERHAPS_OF } from './perhaps.ts'

/** A stored signal with its map node and its claims. */
export interface SignalRow {
  readonly id: SignalId
  readonly number: number
  readonly text: string
  readonly state: SignalState
  readonly classification: Classification
  readonly classification_confidence: number
  /** The likely kind of an unclassified signal; null when it is unknown. */
  readonly perhaps: Perhaps | null
  readonly node: { id: string; name: string; score: number | null } | null
  readonly claims: readonly { id: string; number: number; title: string }[]
  readonly occurrences: number
  readonly channel: Channel
  readonly source: string | null
  readonly source_url: string | null
  readonly event: string | null
  readonly actor_name: string | null
  readonly actor_role: ActorRole
  readonly signal_origin: SignalOrigin
  readonly occurred_at: Date
  readonly received_at: Date
  readonly version: number
  /** The member who looks after it. */
  readonly owner: Person | null
  readonly metadata: Record<string, unknown>
}

/** Selects `SignalRow`s. A statement adds its own `where`, `order by` and `limit`. */
export const SELECT_SIGNALS = `
  select signals.id, number, text, state, classification, classification_confidence,
    ${PERHAPS_OF} as perhaps, channel, source, source_url, event,
    actor_name, actor_role, signal_origin, metadata, occurred_at, received_at, signals.version, ${personIn('signals.owner_id')} as owner,
    (select count(*)::integer from occurrences where signal_id = signals.id) as occurrences,
    (select jsonb_build_object('id', node.id, 'name', node.name, 'score', node_score)
      from map_nodes node where node.id = node_id) as node,
    coalesce(
      (select jsonb_agg(jsonb_build_object('id', claims.id, 'number', claims.number, 'title', title) order by claims.number)
        from claim_evidence join claims on claims.id = claim_id
        where signal_id = signals.id and merged_into is null), '[]') as claims
  from signals`

const OF_IDS = `${SELECT_SIGNALS} where signals.id = any ($1::uuid[])`

/** Signals with these ids, unordered. Missing ids are left out. */
export const readSignals = (transaction: Transaction, ids: readonly string[]): Promise<SignalRow[]> =>
  transaction.query<SignalRow>(OF_IDS, [ids])

const IN_STATE = `where state = $1 and classification = any ($2)`

/**
 * Continues behind a signal instead of a count, so that decisions in between skip nothing. Snoozed signals are not in
 * Triage.
 */
const PAGE = `${SELECT_SIGNALS} ${IN_STATE} and ${afterSignal('$3')}
  and ($1 <> 'dismissed' or signals.id not in ${REPEATS_AGAIN})
  and signals.id not in (select signal_id from snoozed_signals($5)) order by ${NEWEST_FIRST} limit $4`

const COUNT = `
  select (coalesce(sum(signals), 0)
    - (select count(*) from snoozed_signals($3) where $1 = 'triage' and classification = any ($2))
    - (select count(*) from signals where $1 = 'dismissed' and id in ${REPEATS_AGAIN} and state = $1 and classification = any ($2)))::integer as count
  from signal_counts ${IN_STATE}`

interface InState {
  readonly state: SignalState
  readonly classifications: readonly Classification[]
  /** Signals that are snoozed at this time are left out. */
  readonly now: Date
}

/**
 * At most `limit` signals in one state that are not snoozed, newest first, behind the number `below`; 0 starts with the
 * newest.
 */
export const signalsInState = (
  transaction: Transaction,
  { state, classifications, now }: InState,
  page: { readonly below: number; readonly limit: number },
): Promise<SignalRow[]> => transaction.query<SignalRow>(PAGE, [state, classifications, page.below, page.limit, now])

/** Number of signals in one state. In Triage without snoozed ones; dismissed without those that are repeats again. */
export const countSignalsInState = async (
  transaction: Transaction,
  { state, classifications, now }: InState,
): Promise<number> => (await transaction.query<{ count: number }>(COUNT, [state, classifications, now]))[0]?.count ?? 0

// The newest of each state, by the index.
const NEWEST = `${SELECT_SIGNALS}
  where signals.id in (
    select newest.id from unnest($2::text[]) as requested (state)
    cross join lateral (
      select id from signals where state = requested.state and id not in ${REPEATS_AGAIN} order by ${NEWEST_FIRST} limit $1
    ) as newest
  )
  order by ${NEWEST_FIRST} limit $1`

/** Newest signals of the workspace, newest first. */
export const newestSignals = (transaction: Transaction, limit: number): Promise<SignalRow[]> =>
  transaction.query<SignalRow>(NEWEST, [limit, SIGNAL_STATES])

const NEWEST_NUMBER = `select coalesce(max(number), 0) as number from signals where workspace_id = $1`

/** Number of the workspace's newest signal; 0 without one. Numbers start at 1 without gaps. */
export const newestNumber = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<number> => {
  const [newest] = await transaction.query<{ number: number }>(NEWEST_NUMBER, [workspaceId])
  return newest?.number ?? 0
}

/** Postgres' knowledge of an id that a sender got. All null: the id is unknown, or in the pipeline. */
export interface SignalOutcome {
  /** The signal, or the original of the repeat. */
  readonly signal: SignalRow | null
  readonly duplicate: RepeatRow | null
  /** Its newest dead letter. */
  readonly deadLetter: DeadLetterRow | null
  /** All dead letters, oldest first. */
  readonly deadLetters: readonly DeadLetterRow[]
  /** True for a test of a source that arrived. */
  readonly isTest: boolean
}

const ID_OF_NUMBER = `select id from signals where number = $1`

const REFERENCE = /^SIG-(\d{1,9})$/i

/** Looks up a signal by the id that its sender got, or by its reference. */
export const findSignalOutcome = async (transaction: Transaction, given: string): Promise<SignalOutcome> => {
  const number = REFERENCE.exec(given.trim())?.[1]
  const [named] = number === undefined ? [] : await transaction.query<{ id: string }>(ID_OF_NUMBER, [Number(number)])
  const id = named?.id ?? given.trim()
  if (!isUuid(id)) return { signal: null, duplicate: null, deadLetter: null, deadLetters: [], isTest: false }
  const [duplicate, [own], deadLetters] = await Promise.all([
    readRepeat(transaction, id),
    readSignals(transaction, [id]),
    deadLettersOfSignal(transaction, id),
  ])
  const [signal] = duplicate === undefined ? [own] : await readSignals(transaction, [duplicate.signal_id])
  const death = deadLetters.at(-1)
  const isTest = signal === undefined && death === undefined && (await isStoredTest(transaction, id))
  return { signal: signal ?? null, duplicate: duplicate ?? null, deadLetter: death ?? null, deadLetters, isTest }
}
