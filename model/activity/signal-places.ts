import type { Transaction } from '../../infra/postgres/port.ts'
import { type Clock, TIME_OF } from '../signals/happened.ts'
import type { PlaceField, SignalPlaces } from './activity-question.ts'

/** Of so many signals and repeats places are told, and of no more. */
export const MAX_PLACED = 200_000

export interface WantedPlaces {
  /** The places of all that is of this time. */
  readonly clock: Clock
  readonly from: Date
  readonly to: Date
  /** The claims that count, by their ids; null for all. */
  readonly claims: readonly string[] | null
}

/** Some signals and repeats that have the same places. */
interface PlacedRow {
  readonly places: readonly string[]
  /** The last eight bytes of each id, which tell it from all others: they are random or a hash. */
  readonly keys: Buffer
  readonly signals: number
  /** What senders call an actor; null for other places, and where nobody is named. */
  readonly name: string | null
}

const within = (clock: Clock, row: 'signals' | 'occurrences'): string =>
  `${TIME_OF[clock](row)} >= $1 and ${TIME_OF[clock](row)} < $2`

// A repeat is evidence by its original; what was dismissed counts for no claim.
const claimsOfSignals = (clock: Clock, condition: string): string => `
  select signals_of_claims.id, array_agg(distinct claim_id) as places
  from (
    select id, claim_id
    from signals join claim_evidence on claim_evidence.signal_id = signals.id
    where state <> 'dismissed' and ${within(clock, 'signals')} ${condition}
    union all
    select occurrences.id, claim_id
    from occurrences join claim_evidence using (signal_id) join signals on signals.id = occurrences.signal_id
    where signals.state <> 'dismissed' and ${within(clock, 'occurrences')} ${condition}
  ) as signals_of_claims
  group by signals_of_claims.id`

// What a person calls a repeat has its own row, and its own node in it.
const nodesOfSignals = (clock: Clock): string => `
  select id, array_remove(array[node_id], null) as places from signals where ${within(clock, 'signals')}
  union all
  select occurrences.id, array_remove(array[node_id], null)
  from occurrences join signals on signals.id = occurrences.signal_id
  where ${within(clock, 'occurrences')} and not exists (select from signals own where own.id = occurrences.id)`

const actorOfRow = (row: string): string =>
  `array[evidence_actor(${['actor_key', 'source', 'source_id', 'channel', 'actor_name'].map(column => `${row}.${column}`).join(', ')})]`

const actorsOfSignals = (clock: Clock): string => `
  select id, ${actorOfRow('signals')} as places, actor_name as name from signals where ${within(clock, 'signals')}
  union all
  select id, ${actorOfRow('occurrences')}, actor_name from occurrences
  where ${within(clock, 'occurrences')} and not exists (select from signals own where own.id = occurrences.id)`

const placed = (signals: string, name = 'null::text'): string => `
  select places, string_agg(substring(uuid_send(id) from 9), '') as keys, count(*)::integer as signals, max(name) as name
  from (select id, places, ${name} as name from (${signals}) as found limit ${MAX_PLACED + 1}) as placed
  group by places order by places`

const statementOf = (field: PlaceField, { clock, claims }: WantedPlaces): string => {
  if (field === 'node') return placed(nodesOfSignals(clock))
  if (field === 'actor') return placed(actorsOfSignals(clock), 'name')
  return placed(claimsOfSignals(clock, claims === null ? '' : 'and claim_id = any ($3::uuid[])'))
}

/**
 * The places of signals and of their repeats, for a statement on the activity; null where there are too many to tell.
 */
export const readPlaces = async (
  transaction: Transaction,
  field: PlaceField,
  wanted: WantedPlaces,
): Promise<SignalPlaces | null> => {
  const { from, to, claims } = wanted
  const values = field !== 'claim' || claims === null ? [from, to] : [from, to, claims]
  const rows = await transaction.query<PlacedRow>(statementOf(field, wanted), values)
  const signals = rows.reduce((sum, row) => sum + row.signals, 0)
  return signals > MAX_PLACED ? null : toPlaces(field, rows)
}

/** A server takes no longer value of a parameter than 128 KiB. */
const PART_CHARACTERS = 100_000

/** A long text as parameters, and the expression that joins them. */
const inParts = (name: string, text: string) => {
  const count = Math.max(1, Math.ceil(text.length / PART_CHARACTERS))
  const names = Array.from({ length: count }, (_, place) => `${name}_${place}`)
  const parameters = names.map((part, place) => [
    part,
    text.slice(place * PART_CHARACTERS, (place + 1) * PART_CHARACTERS),
  ])
  return {
    expression: `concat('', ${names.map(part => `{${part}: String}`).join(', ')})`,
    parameters: Object.fromEntries(parameters),
  }
}

const KEY_BYTES = 8
const KEY_OF_EVENT = 'unhex(concat(substring(subject_id, 20, 4), substring(subject_id, 25)))'

/**
 * What an event has where its signal is none of those told, or it is of none: one that ended on the way keeps its node,
 * and a call or a Decision has its own actor.
 */
const OTHERS: Readonly<Record<PlaceField, string>> = { claim: `''`, node: 'node_id', actor: 'actor' }

const hasSharedNames = (rows: readonly PlacedRow[]): boolean => {
  const names = rows.flatMap(({ name }) => (name === null ? [] : [name.trim().toLowerCase()]))
  return new Set(names).size < names.length
}

const toPlaces = (field: PlaceField, rows: readonly PlacedRow[]): SignalPlaces => {
  const ids = [...new Set(rows.flatMap(({ places }) => places))]
  // Claims are many, and their numbers in this list shorter than their ids.
  const numbers = new Map(ids.map((id, place) => [id, String(place)]))
  /** An id that no row has stands for itself: that of a member, or of what has nothing in this time. */
  const labelOf = (id: string) => (field === 'node' ? id : (numbers.get(id) ?? id))
  const idOf = (label: string) => (field === 'node' || !/^\d+$/.test(label) ? label : (ids[Number(label)] ?? label))
  const keys = inParts(`${field}_keys`, Buffer.concat(rows.map(row => row.keys)).toString('base64'))
  const labels = inParts(`${field}_labels`, rows.map(({ places }) => places.map(labelOf).join(',')).join(';'))
  const counts = inParts(`${field}_counts`, rows.map(row => row.signals).join(';'))
  // Each in a select of its own, which is computed once for a statement.
  const allKeys = `(SELECT arrayMap(place -> substring(packed, place * ${KEY_BYTES} + 1, ${KEY_BYTES}), range(intDiv(length(packed), ${KEY_BYTES}))) FROM (SELECT base64Decode(${keys.expression}) AS packed))`
  const allLabels = `(SELECT arrayFlatten(arrayMap((label, times) -> arrayWithConstant(toUInt32(times), label), splitByChar(';', ${labels.expression}), splitByChar(';', ${counts.expression}))))`
  const found = `transform(${KEY_OF_EVENT}, ${allKeys}, ${allLabels}, ${OTHERS[field]})`
  const label = rows.length === 0 ? OTHERS[field] : found
  return {
    // Whoever did it is one, whatever signs a code host allows in the name.
    labels: field === 'actor' ? `[${label}]` : `splitByChar(',', ${label})`,
    parameters: rows.length === 0 ? {} : { ...keys.parameters, ...labels.parameters, ...counts.parameters },
    labelOf,
    idOf,
    names: new Map(rows.flatMap(({ places: [id = ''], name }) => (name === null ? [] : [[id, name] as const]))),
    hasSharedNames: hasSharedNames(rows),
  }
}
