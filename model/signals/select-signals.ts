import type { Transaction } from '../../infra/postgres/port.ts'
import {
  type Channel,
  type Classification,
  SIGNAL_STATES,
  type SignalOrigin,
  type SignalState,
} from '../../schemas/domain/vocabulary.ts'
import { REPEATS_AGAIN } from '../duplicates/taken-out.ts'
import { subtreeOf } from '../map/nodes.ts'
import { NOBODY } from '../members/people.ts'
import { afterSignal, type Clock, happenedAt, NEWEST_FIRST, TIME_OF } from './happened.ts'
import { SELECT_SIGNALS, type SignalRow } from './read-signals.ts'

/** What comes first in a list: what happened last, or what was repeated most; then nothing else is in it. */
export const SIGNAL_ORDERS = ['occurred_at', 'occurrences'] as const
type SignalOrder = (typeof SIGNAL_ORDERS)[number]

const occurrencesOf = (row: string): string =>
  `(select count(*) from occurrences where occurrences.signal_id = ${row}.id)`

/** How a list is ordered, and what comes after the signal whose number is bound to a place; all where that is 0. */
const ORDER: Readonly<Record<SignalOrder, { readonly by: string; readonly after: (place: string) => string }>> = {
  occurred_at: { by: NEWEST_FIRST, after: afterSignal },
  occurrences: {
    by: `${occurrencesOf('signals')} desc, ${NEWEST_FIRST}`,
    after: place => `(${place} = 0 or (${occurrencesOf('signals')}, ${happenedAt()}, signals.number) <
      (select ${occurrencesOf('last')}, ${happenedAt('last')}, last.number from signals last where last.number = ${place}))`,
  },
}

/** Which signals are listed; a field that is absent leaves nothing out. */
export interface SignalSelection {
  readonly state?: SignalState | undefined
  readonly classification?: Classification | undefined
  /** The id of a node of the map: signals at it or below it. */
  readonly node?: string | undefined
  readonly source?: NamedSources | undefined
  readonly channel?: Channel | undefined
  readonly signalOrigin?: SignalOrigin | undefined
  /** Who said it, by one of these names in any letter case. */
  readonly actorNames?: readonly string[] | undefined
  /** What happened, by one of these names in any letter case. */
  readonly events?: readonly string[] | undefined
  /** What the sender told beside it: by one of the keys, in any letter case. */
  readonly metadata?: readonly { readonly keys: readonly string[]; readonly value: string }[] | undefined
  readonly time?: { readonly from: Date; readonly to: Date; readonly clock: Clock } | undefined
  /** The id of a claim that they are evidence of. */
  readonly claimId?: string | undefined
  /** Those of them alone that are in each of these; what a search found, say. */
  readonly among?: readonly (readonly string[])[] | undefined
  /** `SIG-7`'s alone. */
  readonly number?: number | undefined
  /** Those that this member, or `NOBODY`, looks after. */
  readonly ownerId?: string | undefined
  readonly claim?: 'with' | 'without' | undefined
  /** What must have come from that source, channel, speaker and time: the signals, or repeats of theirs alone. */
  readonly of?: 'signals' | 'repeats' | undefined
  readonly order: SignalOrder
  /** What becomes of those that are asleep at `now`. */
  readonly snoozed: 'hidden' | 'only' | 'shown'
  readonly now: Date
}

/** What a source's name stands for: the senders' own words for it, and the sources of that name. */
export interface NamedSources {
  readonly labels: readonly string[]
  readonly ids: readonly string[]
}

interface Condition {
  readonly where: string
  readonly values: readonly unknown[]
}

/** What senders say with what they send: conditions on a row of signals or of repeats. */
const cameWith = (
  row: 'signals' | 'occurrences',
  { source, channel, signalOrigin, actorNames, events, metadata = [], time }: SignalSelection,
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

/**
 * The ids of the newest of each state in `states`, at most `limit` each: the index by state finds these without reading
 * all of them.
 */
const newestOfEach = (states: string, where: string, limit: string): string => `
  select newest.id from unnest(${states}::text[]) as requested (state) cross join lateral (
    select signals.id from signals where signals.state = requested.state and ${where} order by ${NEWEST_FIRST} limit ${limit}
  ) as newest`

/** So many at most are listed by their ids at once. */
const MAX_AT_ONCE = 10_001

/** A list of the selected signals, which a page and a count are taken from. */
export const selectSignals = async (transaction: Transaction, selected: SignalSelection) => {
  const { where, values } = await conditionOf(transaction, selected)
  const placeOf = (extra: number) => `$${values.length + extra}`
  const [next, last, states] = [placeOf(1), placeOf(2), placeOf(3)]
  const { by, after: afterPlace } = ORDER[selected.order]
  const isOfAll = selected.state === undefined && selected.order === 'occurred_at'
  // Where they are among few, all are looked at for the first page: then they are for the count, too.
  const isOfFew = (selected.among ?? []).length > 0
  let listed: Promise<readonly { readonly id: string }[]> | undefined
  const allOfFew = () => {
    const statement = `select signals.id from signals where ${where} order by ${by} limit ${next}`
    listed ??= transaction.query<{ readonly id: string }>(statement, [...values, MAX_AT_ONCE])
    return listed
  }
  return {
    /** At most `limit`, after the one of the number `below`; 0 begins with the first. */
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
    /** How many there are, counted to `atMost` and no further. */
    count: async (atMost: number): Promise<number> => {
      if (isOfFew) return Math.min(atMost, (await allOfFew()).length)
      const statement = `select count(*)::integer as count from (select from signals where ${where} limit ${next}) as listed`
      return (await transaction.query<{ count: number }>(statement, [...values, atMost]))[0]?.count ?? 0
    },
  }
}

/** What is kept beside a signal that was put off, or that repeats another by a person's word. */
export interface KeptBesideRow {
  readonly id: string
  readonly until: Date | null
  readonly until_signals: number | null
  readonly signals: number
  readonly is_active: boolean | null
  readonly snoozed_by: string | null
  /** The number of the signal that it repeats. */
  readonly original: number | null
}

const KEPT_BESIDE = `
  select requested.id, until, until_signals, snoozed_by, case when snoozes.signal_id is null then 0 else snooze_signal_count(requested.id) end as signals,
    requested.id in (select signal_id from snoozed_signals($2)) as is_active,
    (select number from signals where signals.id = (select signal_id from occurrences where occurrences.id = requested.id)) as original
  from unnest($1::uuid[]) as requested (id)
  left join snoozes on snoozes.signal_id = requested.id
  where snoozes.signal_id is not null or requested.id in (select id from occurrences where id = any ($1::uuid[]))`

/** What is kept beside the few of a page that were put off or repeat another, as of `now`. */
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

/** The names of the sources that the `newest` signals came from, of a state or of all, the most frequent first. */
export const sourceNamesOf = (
  transaction: Transaction,
  state: SignalState | null,
  newest: number,
): Promise<{ source: string; signals: number }[]> =>
  transaction.query(SOURCES, [state === null ? SIGNAL_STATES : [state], newest])
