import type { Transaction } from '../../infra/postgres/port.ts'
import { SIGNAL_STATES } from '../../schemas/domain/vocabulary.ts'
import { NEWEST_FIRST } from './happened.ts'

/** Names that are compared with a requested one. */
const MAX_NAMES = 2000

// Each look-up continues behind the one before in the index by source, so the cost grows with the names and not with
// the signals.
const labelsIn = (table: string): string => `
  with recursive labels as (
    (select source, 1 as place from ${table} where source > '' order by source limit 1)
    union all
    select (select source from ${table} where source > labels.source order by source limit 1), place + 1
    from labels where labels.source is not null and place < ${MAX_NAMES}
  )
  select source from labels where source is not null
  limit ${MAX_NAMES}`
const LABELS = `(${labelsIn('signals')}) union (${labelsIn('occurrences')}) limit ${MAX_NAMES}`

const hasLabel = (table: string): string => `(select source from ${table} where source = $1 limit 1)`
const HAS_LABEL = `${hasLabel('signals')} union ${hasLabel('occurrences')}`

/** Senders' own words for sources: those equal to `label` without letter case, else the first 2,000. */
export const labelsFor = async (transaction: Transaction, label: string): Promise<readonly string[]> => {
  const statement = (await transaction.query(HAS_LABEL, [label])).length > 0 ? HAS_LABEL : LABELS
  const values = statement === HAS_LABEL ? [label] : []
  return (await transaction.query<{ source: string }>(statement, values)).map(({ source }) => source)
}

/** Newest signals whose names and metadata are compared with an unknown value. */
export const LOOKED_THROUGH = 2000

const newest = (column: string): string => `
  select distinct newest.${column} from unnest($1::text[]) as requested (state)
  cross join lateral (
    select ${column} from signals where state = requested.state order by ${NEWEST_FIRST} limit $2
  ) as newest
  where newest.${column} is not null limit ${MAX_NAMES}`

const among = (column: string): string => `
  select ${column} from signals where id = any ($1::uuid[]) and ${column} is not null
  union select ${column} from occurrences where signal_id = any ($1::uuid[]) and ${column} is not null
  limit ${MAX_NAMES}`

/** Fields that senders name: the actor, and the event. */
export type NamedBySender = 'actor_name' | 'event'

const read = async (
  transaction: Transaction,
  column: NamedBySender,
  statement: (column: NamedBySender) => string,
  values: readonly unknown[],
): Promise<readonly string[]> =>
  (await transaction.query<Record<NamedBySender, string>>(statement(column), values)).map(row => row[column])

/** Names of some signals and their repeats. */
export const namesAmong = (
  transaction: Transaction,
  column: NamedBySender,
  ids: readonly string[],
): Promise<readonly string[]> => read(transaction, column, among, [ids])

/** Names of each state's newest signals. */
export const newestNames = (transaction: Transaction, column: NamedBySender): Promise<readonly string[]> =>
  read(transaction, column, newest, [SIGNAL_STATES, LOOKED_THROUGH])

/** Signals whose metadata are read: given ones, or the newest of each state. */
export type MetadataOf = { readonly ids: readonly string[] } | { readonly newest: number }

/** Stored bytes of metadata that are read, because a sender may fill them in each signal. */
const MAX_STORED_BYTES = 4 * 1024 * 1024
/** Longest value that is compared or shown, in characters. */
const VALUE_CHARACTERS = 301

// The rows are `chosen`. Only the size of other rows is read.
const OF_IDS = 'with chosen as (select metadata from signals where id = any ($1::uuid[]))'
const OF_NEWEST = `
  with chosen as (
    select metadata from unnest($1::text[]) as requested (state)
    cross join lateral (
      select metadata, sum(pg_column_size(metadata)) over (order by place) as bytes
      from (
        select metadata, row_number() over (order by ${NEWEST_FIRST}) as place from signals
        where state = requested.state order by ${NEWEST_FIRST} limit $2
      ) as newest
    ) as summed
    where bytes <= ${MAX_STORED_BYTES}
  )`

const ofSignals = (of: MetadataOf): readonly [chosen: string, values: readonly unknown[]] =>
  'ids' in of ? [OF_IDS, [of.ids]] : [OF_NEWEST, [SIGNAL_STATES, of.newest]]

/**
 * Metadata values under some keys as texts: each once, at most 2,000, each cut at 301 characters. Objects and lists are
 * left out.
 */
export const metadataValues = async (
  transaction: Transaction,
  keys: readonly string[],
  of: MetadataOf,
): Promise<readonly string[]> => {
  const [chosen, values] = ofSignals(of)
  const statement = `${chosen}
    select distinct left(metadata ->> key, ${VALUE_CHARACTERS}) as value
    from chosen cross join unnest($${values.length + 1}::text[]) as key
    where jsonb_typeof(metadata -> key) in ('string', 'number', 'boolean') limit ${MAX_NAMES}`
  return (await transaction.query<{ value: string }>(statement, [...values, keys])).map(({ value }) => value)
}

/** Repeats that are searched for a value. Long metadata are left out, because senders may fill all of them. */
const REPEATS_LOOKED_THROUGH = 20_000
const LONG_METADATA_BYTES = 2000

const REPEATED_WITH = `
  select from (
    select metadata from occurrences
    where ($1::uuid[] is null or signal_id = any ($1)) and pg_column_size(metadata) < ${LONG_METADATA_BYTES}
    limit ${REPEATS_LOOKED_THROUGH}
  ) as repeated
  where exists (select from unnest($2::text[]) as key where lower(metadata ->> key) = lower($3))
  limit 1`

/** True when a repeat, of these signals or of any when `ids` is null, has a value under one of the keys. */
export const isRepeatedWith = async (
  transaction: Transaction,
  ids: readonly string[] | null,
  { keys, value }: { readonly keys: readonly string[]; readonly value: string },
): Promise<boolean> => (await transaction.query(REPEATED_WITH, [ids, keys, value])).length > 0

/** Metadata keys of the newest signals: each once, at most 2,000. */
export const metadataKeys = async (transaction: Transaction): Promise<readonly string[]> => {
  const [chosen, values] = ofSignals({ newest: LOOKED_THROUGH })
  const statement = `${chosen} select distinct key from chosen cross join jsonb_object_keys(metadata) as key limit ${MAX_NAMES}`
  return (await transaction.query<{ key: string }>(statement, values)).map(({ key }) => key)
}
