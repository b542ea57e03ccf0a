import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'
import type { ActorRole, Channel, OccurrenceReason, SignalOrigin } from '../../schemas/domain/vocabulary.ts'
import { happenedAt, newestRepeatFirst } from '../signals/happened.ts'

/** A repeat of a Signal with its text, sender and time. */
export interface RepeatRow {
  readonly id: SignalId
  /** Original. */
  readonly signal_id: SignalId
  readonly original: number
  /** Own number, when a person marked a stored Signal as a repeat; null otherwise. */
  readonly number: number | null
  /** Null for repeats from before their texts were stored. */
  readonly text: string | null
  readonly reason: OccurrenceReason
  readonly similarity: number
  readonly channel: Channel
  readonly source: string | null
  readonly source_url: string | null
  readonly event: string | null
  readonly actor_name: string | null
  readonly actor_role: ActorRole
  readonly signal_origin: SignalOrigin
  readonly metadata: Record<string, unknown> | null
  readonly occurred_at: Date
  readonly received_at: Date
  /** True while a repeat that was taken out has no row of its own yet. */
  readonly taken_out: boolean
}

const COLUMNS = `
  repeated.id, repeated.signal_id, (select number from signals where signals.id = repeated.signal_id) as original, own.number,
  coalesce(own.text, repeated.text) as text, reason, similarity, channel, source, source_url,
  coalesce(own.event, repeated.event) as event, actor_name, actor_role, signal_origin,
  coalesce(own.metadata, repeated.metadata) as metadata, occurred_at, received_at,
  exists (select from taken_out_repeats where taken_out_repeats.id = repeated.id and in_force) as taken_out`

const OWN = `
  left join lateral (
    select number, text, event, metadata from signals where repeated.reason = 'member' and signals.id = repeated.id offset 0
  ) as own on true`

const ONE = `select ${COLUMNS} from occurrences as repeated ${OWN} where repeated.id = $1`

/** The repeat with this id; undefined for a signal that repeats nothing. */
export const readRepeat = async (transaction: Transaction, id: string): Promise<RepeatRow | undefined> =>
  (await transaction.query<RepeatRow>(ONE, [id]))[0]

const NEWEST = `
  select ${COLUMNS}
  from unnest($1::uuid[]) as requested (id)
  cross join lateral (
    select * from occurrences where signal_id = requested.id order by ${newestRepeatFirst('occurrences')} limit $2
  ) as repeated ${OWN}
  order by ${newestRepeatFirst('repeated')}`

/** The newest repeats of each Signal, at most `limit`. Signals without repeats are missing. */
export const newestRepeats = async (
  transaction: Transaction,
  signalIds: readonly SignalId[],
  most: number,
): Promise<ReadonlyMap<SignalId, readonly RepeatRow[]>> => {
  if (signalIds.length === 0 || most === 0) return new Map()
  const rows = await transaction.query<RepeatRow>(NEWEST, [signalIds, most])
  return Map.groupBy(rows, row => row.signal_id)
}

// Only the newest repeats of each Signal are read, so that a Signal with very many costs no more.
const CLOSEST = `
  select ${COLUMNS}, (select count(*)::integer from occurrences where occurrences.signal_id = repeated.signal_id) as occurrences
  from unnest($1::uuid[]) as requested (id)
  cross join lateral (
    select * from (
      select * from occurrences where signal_id = requested.id order by ${newestRepeatFirst('occurrences')} limit 50
    ) as newest
    order by array_position($2::uuid[], id), ${newestRepeatFirst('newest')}
    limit $3
  ) as repeated ${OWN}`

/** Repeats of each Signal in the order of `found`, then the newest; each with the number of the Signal's repeats. */
export const closestRepeats = async (
  transaction: Transaction,
  signalIds: readonly string[],
  found: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, readonly (RepeatRow & { readonly occurrences: number })[]>> => {
  if (signalIds.length === 0) return new Map()
  const rows = await transaction.query<RepeatRow & { readonly occurrences: number }>(CLOSEST, [signalIds, found, most])
  return Map.groupBy(rows, row => row.signal_id)
}

const IN_TIME = `
  select ${COLUMNS}, claim.number as claim
  from claims as claim cross join lateral (
    select * from occurrences
    where signal_id in (select signal_id from claim_evidence where claim_id = claim.id)
      and ${happenedAt('occurrences')} >= $2 and ${happenedAt('occurrences')} < $3
    order by ${newestRepeatFirst('occurrences')} limit $4
  ) as repeated ${OWN}
  where claim.number = any ($1::integer[])
  order by ${newestRepeatFirst('repeated')}`

/** The newest repeats of a period at each of the claims with these numbers, by the claim's number. */
export const repeatsInTime = async (
  transaction: Transaction,
  claims: readonly number[],
  { from, to }: { readonly from: Date; readonly to: Date },
  most: number,
): Promise<ReadonlyMap<number, readonly RepeatRow[]>> => {
  const rows = await transaction.query<RepeatRow & { readonly claim: number }>(IN_TIME, [claims, from, to, most])
  return Map.groupBy(rows, row => row.claim)
}

const OF_SIGNAL = 'signal_id = $1'
const OF_CLAIM = 'signal_id in (select signal_id from claim_evidence where claim_id = $1)'

const pageOf = (condition: string): string => `
  select ${COLUMNS}
  from (
    select * from occurrences where ${condition} order by ${newestRepeatFirst('occurrences')} limit $2 offset $3
  ) as repeated ${OWN}
  order by ${newestRepeatFirst('repeated')}`

const countOf = (condition: string): string => `select count(*)::integer as count from occurrences where ${condition}`

/** A page of the repeats of a Signal, or of all Signals of a claim, newest first, with their number. */
export const repeatsPage = async (
  transaction: Transaction,
  of: { readonly signal: SignalId } | { readonly claim: ClaimId },
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly count: number; readonly rows: readonly RepeatRow[] }> => {
  const [condition, id] = 'signal' in of ? [OF_SIGNAL, of.signal] : [OF_CLAIM, of.claim]
  const [counted] = await transaction.query<{ count: number }>(countOf(condition), [id])
  const rows = await transaction.query<RepeatRow>(pageOf(condition), [id, page.limit, page.offset])
  return { count: counted?.count ?? 0, rows }
}
