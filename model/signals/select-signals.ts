import type { Transaction } from '../../infra/postgres/port.ts'
import {
  type Channel,
  type Classification,
  type Perhaps,
  SIGNAL_STATES,
  type SignalOrigin,
  type SignalState,
} from '../../schemas/domain/vocabulary.ts'
import { REPEATS_AGAIN } from '../duplicates/taken-out.ts'
import { subtreeOf } from '../map/nodes.ts'
import { NOBODY } from '../members/people.ts'
import { membersIn } from '../themes/read-themes.ts'
import { cameWithFact, FACTS, type Fact, factIn, revenueIn } from './facts.ts'
import { afterSignal, type Clock, happenedAt, NEWEST_FIRST, newestOfEach, TIME_OF } from './happened.ts'
import { isPerhaps } from './perhaps.ts'
import { SELECT_SIGNALS, type SignalRow } from './read-signals.ts'

/** Orders of a list: latest first; most repeats first, without signals that have none; or by a fact of the customer. */
export const SIGNAL_ORDERS = ['occurred_at', 'occurrences', ...FACTS, 'revenue'] as const
type SignalOrder = (typeof SIGNAL_ORDERS)[number]

const occurrencesOf = (row: string): string =>
  `(select count(*) from occurrences where occurrences.signal_id = ${row}.id)`

interface Order {
  readonly by: string
  /** Condition: behind the signal whose number is bound to a place; 0 for all. */
  readonly after: (place: string) => string
}

const ofLast = (place: string, columns: string): string =>
  `(select ${columns} from signals last where last.number = ${place})`

/** Alphabetical, rows without the fact last, newest first within a fact. */
const byFact = (fact: Fact): Order => {
  const key = (row: string) => `${factIn(fact, row)} is null, lower(coalesce(${factIn(fact, row)}, ''))`
  return {
    by: `${key('signals')}, ${NEWEST_FIRST}`,
    after: place => `(${place} = 0 or (${key('signals')}) > ${ofLast(place, key('last'))}
      or ((${key('signals')}) = ${ofLast(place, key('last'))} and ${afterSignal(place)}))`,
  }
}

const revenueOf = (row: string): string => `coalesce(${revenueIn(row)}, '-infinity')`

/** SQL of each order. */
const ORDER: Readonly<Record<SignalOrder, Order>> = {
  account: byFact('account'),
  plan: byFact('plan'),
  language: byFact('language'),
  revenue: {
    by: `${revenueOf('signals')} desc, ${NEWEST_FIRST}`,
    after: place => `(${place} = 0 or (${revenueOf('signals')}, ${happenedAt()}, signals.number) <
      ${ofLast(place, `${revenueOf('last')}, ${happenedAt('last')}, last.number`)})`,
  },
  occurred_at: { by: NEWEST_FIRST, after: afterSignal },
  occurrences: {
    by: `${occurrencesOf('signals')} desc, ${NEWEST_FIRST}`,
    after: place => `(${place} = 0 or (${occurrencesOf('signals')}, ${happenedAt()}, signals.number) <
      ${ofLast(place, `${occurrencesOf('last')}, ${happenedAt('last')}, last.number`)})`,
  },
}

/** Filter of a list. Absent fields do not filter. */
export interface SignalSelection {
  readonly state?: SignalState | undefined
  readonly classification?: Classification | undefined
  /** Unclassified signals by their likely kind. */
  readonly perhaps?: Perhaps | undefined
  /** Id of a map node: signals at it or below it. */
  readonly node?: string | undefined
  readonly source?: NamedSources | undefined
  readonly channel?: Channel | undefined
  readonly signalOrigin?: SignalOrigin | undefined
  /** Actor with one of these names, in any letter case. */
  readonly actorNames?: readonly string[] | undefined
  /** Event with one of these names, in any letter case. */
  readonly events?: readonly string[] | undefined
  /** Metadata value under one of the keys, in any letter case. */
  readonly metadata?: readonly { readonly keys: readonly string[]; readonly value: string }[] | undefined
  /** Tag, in any letter case. */
  readonly tag?: string | undefined
  readonly time?: { readonly from: Date; readonly to: Date; readonly clock: Clock } | undefined
  /** Id of a claim with the signals as evidence. */
  readonly claimId?: string | undefined
  /** Id of a theme that has the signals in it. */
  readonly themeId?: string | undefined
  /** Only signals in each of these lists, such as the results of a search. */
  readonly among?: readonly (readonly string[])[] | undefined
  /** Number of a single signal, such as 7 for `SIG-7`. */
  readonly number?: number | undefined
  /** Signals of this owner; `NOBODY` for signals without one. */
  readonly ownerId?: string | undefined
  readonly claim?: 'with' | 'without' | undefined
  /** Rows to which the source, channel, speaker and time apply: the signals, or only their repeats. Default: either. */
  readonly of?: 'signals' | 'repeats' | undefined
  readonly order: SignalOrder
  /** Treatment of signals that are snoozed at `now`. */
  readonly snoozed: 'hidden' | 'only' | 'shown'
  readonly now: Date
}

/** Meaning of a source's name: senders' own words, and sources with that name. */
export interface NamedSources {
  readonly labels: readonly string[]
  readonly ids: readonly string[]
}

interface Condition {
  readonly where: string
  readonly values: readonly unknown[]
}

/** Conditions on the sender's fields in a row of signals or repeats. */
const cameWith = (
  row: 'signals' | 'occurrences',
  { source, channel, signalOrigin, actorNames, events, metadata = [], tag, time }: SignalSelection,
  place: (value: unknown) => string,
): readonly string[] => {
  const isNamed = (column: string, names: readonly string[]): string =>
    `lower(${row}.${column}) = any (array(select lower(name) from unnest(${place(names)}::text[]) as name))`
  const bySource = ({ labels, ids }: NamedSources): string =>
    `(${row}.source = any (${place(labels)}::text[]) or ${row}.source_id = any (${place(ids)}::uuid[]))`
  const at = time && TIME_OF[time.clock](row)
  return [
    ...(source ? [bySource(source)] : []),
    ...(channel ? [`${row}.channel = ${place(channel)}`] : []),
    ...(signalOrigin ? [`${row}.signal_origin = ${place(signalOrigin)}`] : []),
    ...(actorNames ? [isNamed('actor_name', actorNames)] : []),
    ...(events ? [isNamed('event', events)] : []),
    ...metadata.map(
      ({ keys, value }) =>
        `exists (select from unnest(${place(keys)}::text[]) as key
          where lower(${row}.metadata ->> key) = lower(${place(value)}))`,
    ),
    ...(tag === undefined ? [] : [cameWithFact('tag', row, place(tag))]),
    ...(time ? [`${at} >= ${place(time.from)}`, `${at} < ${place(time.to)}`] : []),
  ]
}

const conditionOf = async (transaction: Transaction, selected: SignalSelection): Promise<Condition> => {
  const conditions: string[] = []
  const values: unknown[] = []
  const add = (condition: (place: string) => string, value: unknown) => {
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  if (selected.state !== undefined) add(place => `state = ${place}`, selected.state)
  if (selected.state === undefined || selected.state === 'dismissed')
    conditions.push(`signals.id not in ${REPEATS_AGAIN}`)
  if (selected.classification !== undefined) add(place => `classification = ${place}`, selected.classification)
  if (selected.perhaps !== undefined) conditions.push(isPerhaps(selected.perhaps))
  if (selected.node !== undefined) {
    add(place => `node_id = any (${place}::uuid[])`, await subtreeOf(transaction, selected.node))
  }
  const bound = (value: unknown): string => `$${values.push(value)}`
  const ofSignals = cameWith('signals', selected, bound)
  if (selected.of !== 'repeats') conditions.push(...ofSignals)
  else {
    const ofRepeats = ['occurrences.signal_id = signals.id', ...cameWith('occurrences', selected, bound)]
    conditions.push(`(${['true', ...ofSignals].join(' and ')}) is not true`)
    conditions.push(`exists (select from occurrences where ${ofRepeats.join(' and ')})`)
  }
  if (selected.claimId !== undefined) {
    add(place => `signals.id in (select signal_id from claim_evidence where claim_id = ${place})`, selected.claimId)
  }
  if (selected.themeId !== undefined) {
    add(place => `signals.id in (select signal_id from (${membersIn(place)}) as member)`, selected.themeId)
  }
  if (selected.ownerId === NOBODY) conditions.push('owner_id is null')
  else if (selected.ownerId !== undefined) add(place => `owner_id = ${place}`, selected.ownerId)
  if (selected.number !== undefined) add(place => `number = ${place}`, selected.number)
  for (const ids of selected.among ?? []) add(place => `signals.id = any (${place}::uuid[])`, ids)
  if (selected.claim !== undefined) {
    conditions.push(
      `${selected.claim === 'with' ? '' : 'not '}exists (select from claim_evidence where claim_evidence.signal_id = signals.id)`,
    )
  }
  if (selected.order === 'occurrences') conditions.push('signals.id in (select signal_id from occurrences)')
  if (selected.snoozed !== 'shown') {
    const isIn = selected.snoozed === 'only' ? 'in' : 'not in'
    add(place => `signals.id ${isIn} (select signal_id from snoozed_signals(${place}))`, selected.now)
  }
  return { where: conditions.join(' and '), values }
}

/** Most signals that are listed by their ids. */
const MAX_BY_ID = 10_001

/** A list of the selected signals, with pages and a count. */
export const selectSignals = async (transaction: Transaction, selected: SignalSelection) => {
  const { where, values } = await conditionOf(transaction, selected)
  const placeOf = (extra: number) => `$${values.length + extra}`
  const [next, last, states] = [placeOf(1), placeOf(2), placeOf(3)]
  const { by, after: afterPlace } = ORDER[selected.order]
  const isOfAll = selected.state === undefined && selected.order === 'occurred_at'
  // With `among`, the first page needs all matches, which the count then uses.
  const isOfFew = (selected.among ?? []).length > 0
  let listed: Promise<readonly { readonly id: string }[]> | undefined
  const allOfFew = () => {
    const statement = `select signals.id from signals where ${where} order by ${by} limit ${next}`
    listed ??= transaction.query<{ readonly id: string }>(statement, [...values, MAX_BY_ID])
    return listed
  }
  return {
    /** At most `limit` signals behind the number `below`; 0 starts with the first. */
    page: async (page: { readonly below: number; readonly limit: number }): Promise<SignalRow[]> => {
      if (isOfFew && page.below === 0) {
        const ids = (await allOfFew()).slice(0, page.limit).map(({ id }) => id)
        const ofThese = `${SELECT_SIGNALS} where signals.id = any ($1::uuid[]) order by ${by}`
        return transaction.query<SignalRow>(ofThese, [ids])
      }
      const after = `${where} and ${afterPlace(next)}`
      const isShown = isOfAll ? `signals.id in (${newestOfEach(states, after, last)})` : after
      return transaction.query<SignalRow>(`${SELECT_SIGNALS} where ${isShown} order by ${by} limit ${last}`, [
        ...values,
        page.below,
        page.limit,
        ...(isOfAll ? [SIGNAL_STATES] : []),
      ])
    },
    /** Number of signals, counted up to `atMost`. */
    count: async (atMost: number): Promise<number> => {
      if (isOfFew) return Math.min(atMost, (await allOfFew()).length)
      const statement = `select count(*)::integer as count from (select from signals where ${where} limit ${next}) as listed`
      return (await transaction.query<{ count: number }>(statement, [...values, atMost]))[0]?.count ?? 0
    },
  }
}

/** Facts that are stored beside a snoozed signal or a marked repeat. */
export interface KeptBesideRow {
  readonly id: string
  readonly until: Date | null
  readonly until_signals: number | null
  readonly signals: number
  readonly is_active: boolean | null
  readonly snoozed_by: string | null
  /** Number of the signal that it repeats. */
  readonly original: number | null
}

const KEPT_BESIDE = `
  select requested.id, until, until_signals, snoozed_by, case when snoozes.signal_id is null then 0 else snooze_signal_count(requested.id) end as signals,
    requested.id in (select signal_id from snoozed_signals($2)) as is_active,
    (select number from signals where signals.id = (select signal_id from occurrences where occurrences.id = requested.id)) as original
  from unnest($1::uuid[]) as requested (id)
  left join snoozes on snoozes.signal_id = requested.id
  where snoozes.signal_id is not null or requested.id in (select id from occurrences where id = any ($1::uuid[]))`

/** Facts beside the snoozed signals and marked repeats of a page, as of `now`. */
export const keptBesideSignals = (
  transaction: Transaction,
  ids: readonly string[],
  now: Date,
): Promise<KeptBesideRow[]> => transaction.query<KeptBesideRow>(KEPT_BESIDE, [ids, now])

const SOURCES = `
  select source, count(*)::integer as signals
  from (
    select source from signals where id in (${newestOfEach('$1', 'true', '$2')}) order by ${NEWEST_FIRST} limit $2
  ) as newest
  where source is not null group by source order by signals desc, source limit 50`

/** Names of the sources of the `newest` signals, of a state or of all, most frequent first. */
export const sourceNamesOf = (
  transaction: Transaction,
  state: SignalState | null,
  newest: number,
): Promise<{ source: string; signals: number }[]> =>
  transaction.query(SOURCES, [state === null ? SIGNAL_STATES : [state], newest])
