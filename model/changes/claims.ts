import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState } from '../../schemas/domain/vocabulary.ts'
import { type Changes, counted, type Window } from './window.ts'

export interface NewClaim {
  readonly id: ClaimId
  readonly number: number
  readonly title: string
  readonly kind: ClaimKind
  /** Signals and their repeats, as a claim counts them everywhere. */
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

/** The claims that appeared and are not merged into others, those with the most evidence first. */
export const newClaims = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<NewClaim>> =>
  counted(await transaction.query<NewClaim & { in_all: number }>(APPEARED, [from, to, limit, offset]))

export interface MovedClaim {
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

/** Each change of a claim's state, the newest first. */
export const movedClaims = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<MovedClaim>> =>
  counted(await transaction.query<MovedClaim & { in_all: number }>(MOVED, [from, to, limit, offset]))

/** A merge, or one that was undone. */
export interface MergeRow {
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

/** The merges that were made or undone, the newest first. One that was made and undone since is as if it had not been. */
export const mergesIn = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<MergeRow>> =>
  counted(await transaction.query<MergeRow & { in_all: number }>(MERGES, [from, to, limit, offset]))
