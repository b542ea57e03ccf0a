import type { Transaction } from '../../infra/postgres/port.ts'
import { isUuid, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import {
  type ActorRole,
  type Channel,
  type Classification,
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

/** A stored signal, with where it is on the map and the claims that it is evidence of. */
export interface SignalRow {
  readonly id: SignalId
  readonly number: number
  readonly text: string
  readonly state: SignalState
  readonly classification: Classification
  readonly classification_confidence: number
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
  /** Who looks after it. */
  readonly owner: Person | null
  readonly metadata: Record<string, unknown>
}

/** Selects `SignalRow`s; a statement appends its own `where`, `order by` and `limit`. */
export const SELECT_SIGNALS = `
  select signals.id, number, text, state, classification, classification_confidence, channel, source, source_url, event,
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

/** The signals of these ids, in no order; one that is not there is not in the answer. */
export const readSignals = (transaction: Transaction, ids: readonly string[]): Promise<SignalRow[]> =>
  transaction.query<SignalRow>(OF_IDS, [ids])

const IN_STATE = `where state = $1 and classification = any ($2)`

/**
 * Goes on after a signal, not past a count: signals that are decided on meanwhile leave the list, and nothing is passed
 * over. What was put off is not in Triage.
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
  /** Those that are snoozed at this time are left out. */
  readonly now: Date
}

/**
 * At most `limit` signals in one state that are awake, the newest first, after the one of the number `below`; 0 begins
 * with the newest.
 */
export const signalsInState = (
  transaction: Transaction,
  { state, classifications, now }: InState,
  page: { readonly below: number; readonly limit: number },
): Promise<SignalRow[]> => transaction.query<SignalRow>(PAGE, [state, classifications, page.below, page.limit, now])

/**
 * How many signals there are in one state; in Triage, without those that are asleep, and of the dismissed, without
 * those that are repeats again.
 */
export const countSignalsInState = async (
  transaction: Transaction,
  { state, classifications, now }: InState,
): Promise<number> => (await transaction.query<{ count: number }>(COUNT, [state, classifications, now]))[0]?.count ?? 0

// Each state gives its newest, which the index has in that order.
const NEWEST = `${SELECT_SIGNALS}
  where signals.id in (
    select newest.id from unnest($2::text[]) as requested (state)
    cross join lateral (
      select id from signals where state = requested.state and id not in ${REPEATS_AGAIN} order by ${NEWEST_FIRST} limit $1
    ) as newest
  )
  order by ${NEWEST_FIRST} limit $1`

/** The newest signals of the workspace, the newest first. */
export const newestSignals = (transaction: Transaction, limit: number): Promise<SignalRow[]> =>
  transaction.query<SignalRow>(NEWEST, [limit, SIGNAL_STATES])

const NEWEST_NUMBER = `select coalesce(max(number), 0) as number from signals where workspace_id = $1`

/** The number of the workspace's newest signal; 0 while it has none. Numbers begin at 1 and leave none out. */
export const newestNumber = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<number> => {
  const [newest] = await transaction.query<{ number: number }>(NEWEST_NUMBER, [workspaceId])
  return newest?.number ?? 0
}

/** What Postgres knows of an id that a sender was given. All null: it is unknown, or still on its way. */
export interface SignalOutcome {
  /** The signal, or the original of the duplicate. */
  readonly signal: SignalRow | null
  readonly duplicate: RepeatRow | null
  /** Its newest dead letter. */
  readonly deadLetter: DeadLetterRow | null
  /** All of them, in the order in which it died. */
  readonly deadLetters: readonly DeadLetterRow[]
  /** Whether it is a test of a source, which came through. */
  readonly isTest: boolean
}

const ID_OF_NUMBER = `select id from signals where number = $1`

const REFERENCE = /^SIG-(\d{1,9})$/i

/** Looks up what became of a signal, by the id that its sender was given or by its reference. */
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
