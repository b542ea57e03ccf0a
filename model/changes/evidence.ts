import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import { type ClaimKind, type ClaimState, type Classification, SIGNAL_STATES } from '../../schemas/domain/vocabulary.ts'
import { happenedAt } from '../signals/happened.ts'
import { type Changes, counted, type Window } from './window.ts'

const NEW_SIGNALS = `
  select classification, count(*)::integer as signals
  from signals
  where state = any ($3) and ${happenedAt()} >= $1 and ${happenedAt()} < $2
  group by classification
  order by classification`

/**
 * Number of Signals of each classification that happened in the window, with its start and without its end, as in lists
 * and figures.
 */
export const newSignals = (
  transaction: Transaction,
  { from, to }: Window,
): Promise<{ classification: Classification; signals: number }[]> =>
  transaction.query(NEW_SIGNALS, [from, to, SIGNAL_STATES])

/** Numbers rise with insertion, so reading back from the newest reads only new rows. */
const LAST_BEFORE = 'select number from signals where inserted_at <= $1 order by number desc limit 1'

// The number is bound instead of joined, so that the planner knows how few rows are behind it.
const OLDER_SIGNALS = `
  select count(*)::integer as signals, min(${happenedAt()}) as first, max(${happenedAt()}) as last
  from signals
  where number > $3 and inserted_at > $1 and inserted_at <= $2 and ${happenedAt()} < $1`

/** Signals that came in the window and happened before it: imported history, or late arrivals. */
export const olderSignals = async (
  transaction: Transaction,
  { from, to }: Window,
): Promise<{ readonly signals: number; readonly first: Date; readonly last: Date } | null> => {
  const [before] = await transaction.query<{ number: number }>(LAST_BEFORE, [from])
  const [row] = await transaction.query<{ signals: number; first: Date; last: Date }>(OLDER_SIGNALS, [
    from,
    to,
    before?.number ?? 0,
  ])
  return row === undefined || row.signals === 0 ? null : row
}

/** Waiting dead letters of one step and reason. */
interface DeadLetterGroup {
  readonly step: string
  readonly error_class: string
  readonly waiting: number
  readonly at: Date
}

const DIED = `
  select step, error_class, count(*)::integer as waiting, max(last_failed_at) as at
  from dead_letters
  where state = 'waiting' and last_failed_at > $1 and last_failed_at <= $2
  group by step, error_class
  order by waiting desc, step, error_class`

/** Dead letters of the window that still wait, by step and reason, most first. */
export const deadLetterGroups = (transaction: Transaction, { from, to }: Window): Promise<DeadLetterGroup[]> =>
  transaction.query<DeadLetterGroup>(DIED, [from, to])

interface NewClaim {
  readonly id: ClaimId
  readonly number: number
  readonly title: string
  readonly kind: ClaimKind
  /** Signals and their repeats, as everywhere for a claim. */
  readonly signals: number
  readonly at: Date
}

const APPEARED = `
  select id, number, title, kind, created_at as at, count(*) over ()::integer as in_all,
    coalesce((select signals from priority_totals where target_id = claims.id), 0) as signals
  from claims
  where created_at > $1 and created_at <= $2 and merged_into is null
  order by signals desc, number desc
  limit $3 offset $4`

/** New claims that are not merged, most evidence first. */
export const newClaims = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<NewClaim>> =>
  counted(await transaction.query<NewClaim & { in_all: number }>(APPEARED, [from, to, limit, offset]))

interface MovedClaim {
  readonly id: ClaimId
  readonly number: number
  readonly title: string
  readonly from_state: ClaimState
  readonly to_state: ClaimState
  readonly at: Date
}

const MOVED = `
  select claims.id, number, title, from_state, to_state, changed_at as at, count(*) over ()::integer as in_all
  from state_changes join claims on claims.id = object_id
  where object_kind = 'claim' and changed_at > $1 and changed_at <= $2
  order by changed_at desc, state_changes.id desc
  limit $3 offset $4`

/** Changes of claims' states, newest first. */
export const movedClaims = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<MovedClaim>> =>
  counted(await transaction.query<MovedClaim & { in_all: number }>(MOVED, [from, to, limit, offset]))

/** A merge, or its undo. */
interface MergeRow {
  readonly merged_number: number
  readonly survivor_number: number
  readonly survivor_title: string
  readonly actor: string
  readonly undone: boolean
  readonly at: Date
}

const MERGES = `
  select merged.number as merged_number, survivor.number as survivor_number, survivor.title as survivor_title,
    event.actor, event.undone, event.at, count(*) over ()::integer as in_all
  from (
    select merged_claim_id, survivor_claim_id, actor, false as undone, merged_at as at
    from merges where merged_at > $1 and merged_at <= $2 and (undone_at is null or undone_at > $2)
    union all
    select merged_claim_id, survivor_claim_id, coalesce(undone_by, ''), true, undone_at
    from merges where undone_at > $1 and undone_at <= $2 and merged_at <= $1
  ) event
  join claims merged on merged.id = merged_claim_id
  join claims survivor on survivor.id = survivor_claim_id
  order by at desc, merged_number
  limit $3 offset $4`

/** Merges that were made or undone, newest first. A merge that was made and undone in the window is left out. */
export const mergesIn = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<MergeRow>> =>
  counted(await transaction.query<MergeRow & { in_all: number }>(MERGES, [from, to, limit, offset]))
