import type { Transaction } from '../../infra/postgres/port.ts'
import { type Fact, factIn, isFact } from '../signals/facts.ts'
import { type Clock, TIME_OF } from '../signals/happened.ts'
import { membersIn } from '../themes/read-themes.ts'
import type { PlaceField, SignalPlaces } from './activity-question.ts'

/** Signals and repeats for which places are read at most. */
export const MAX_PLACED = 200_000

export interface WantedPlaces {
  /** The clock and the time whose signals are placed. */
  readonly clock: Clock
  readonly from: Date
  readonly to: Date
  /** Ids of the claims to count; null for all. */
  readonly claims: readonly string[] | null
}

/** Signals and repeats with the same places. */
interface PlacedRow {
  readonly places: readonly string[]
  /** The last eight bytes of each id, which identify it: they are random or a hash. */
  readonly keys: Buffer
  readonly signals: number
  /** An actor's name by its senders; null for other places, and without a name. */
  readonly name: string | null
}

const within = (clock: Clock, row: 'signals' | 'occurrences'): string =>
  `${TIME_OF[clock](row)} >= $1 and ${TIME_OF[clock](row)} < $2`

// A repeat is evidence through its original. Dismissed signals count for no claim.
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

// A repeat is in the themes of its original.
const themesOfSignals = (clock: Clock): string => `
  with member as materialized (select theme_id, signal_id from (${membersIn(null)}) as found)
  select signals_of_themes.id, array_agg(distinct theme_id) as places
  from (
    select signals.id, theme_id from signals join member on member.signal_id = signals.id
    where ${within(clock, 'signals')}
    union all
    select occurrences.id, theme_id from occurrences join member using (signal_id)
    where ${within(clock, 'occurrences')} and not exists (select from signals own where own.id = occurrences.id)
  ) as signals_of_themes
  group by signals_of_themes.id`

// A repeat that a person marked has its own row, with its own node.
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

// A repeat has its original's classification.
const classificationsOfSignals = (clock: Clock): string => `
  select id, array[classification] as places from signals where ${within(clock, 'signals')}
  union all
  select occurrences.id, array[signals.classification]
  from occurrences join signals on signals.id = occurrences.signal_id
  where ${within(clock, 'occurrences')} and not exists (select from signals own where own.id = occurrences.id)`

const factsOfSignals = (clock: Clock, fact: Fact): string => `
  select id, array_remove(array[${factIn(fact, 'signals')}], null) as places from signals
  where ${within(clock, 'signals')}
  union all
  select id, array_remove(array[${factIn(fact, 'occurrences')}], null) from occurrences
  where ${within(clock, 'occurrences')} and not exists (select from signals own where own.id = occurrences.id)`

const placed = (signals: string, name = 'null::text'): string => `
  select places, string_agg(substring(uuid_send(id) from 9), '') as keys, count(*)::integer as signals, max(name) as name
  from (select id, places, ${name} as name from (${signals}) as found limit ${MAX_PLACED + 1}) as placed
  group by places order by places`

const statementOf = (field: PlaceField, { clock, claims }: WantedPlaces): string => {
  if (field === 'node') return placed(nodesOfSignals(clock))
  if (field === 'theme') return placed(themesOfSignals(clock))
  if (field === 'classification') return placed(classificationsOfSignals(clock))
  if (isFact(field)) return placed(factsOfSignals(clock, field))
  if (field === 'actor') return placed(actorsOfSignals(clock), 'name')
  return placed(claimsOfSignals(clock, claims === null ? '' : 'and claim_id = any ($3::uuid[])'))
}

/** Places of signals and their repeats, for a statement on the activity; null when there are more than `MAX_PLACED`. */
export const readPlaces = async (
  transaction: Transaction,
  field: PlaceField,
  wanted: WantedPlaces,
): Promise<SignalPlaces | null> => {
  const { from, to, claims } = wanted
  const values = field !== 'claim' || claims === null ? [from, to] : [from, to, claims]
  const rows = await transaction.query<PlacedRow>(statementOf(field, wanted), values)
  const signals = rows.reduce((sum, row) => sum + row.signals, 0)
  if (signals > MAX_PLACED) return null
  return toPlaces(field, isFact(field) ? inOneSpelling(rows) : rows)
}

/** Facts are compared without letter case. Most signals' spelling is shown: their row comes last. */
const inOneSpelling = (rows: readonly PlacedRow[]): readonly PlacedRow[] =>
  rows
    .toSorted((one, other) => one.signals - other.signals)
    .map(row => ({ ...row, places: row.places.map(value => value.toLowerCase()), name: row.places[0] ?? null }))

/** ClickHouse accepts a parameter of up to 128 KiB. */
const PART_CHARACTERS = 100_000

/** A long text as parameters, with the expression that joins them. */
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
 * Expression for an event whose signal has no known place, or without a signal: a signal that ended in the pipeline
 * keeps its node, and a call or a Decision its own actor.
 */
const OTHERS: Readonly<Record<PlaceField, string>> = {
  claim: `''`,
  theme: `''`,
  node: 'node_id',
  actor: 'actor',
  classification: 'classification',
  account: `''`,
  plan: `''`,
  language: `''`,
}

const hasSharedNames = (rows: readonly PlacedRow[]): boolean => {
  const names = rows.flatMap(({ name }) => (name === null ? [] : [name.trim().toLowerCase()]))
  return new Set(names).size < names.length
}

const toPlaces = (field: PlaceField, rows: readonly PlacedRow[]): SignalPlaces => {
  const ids = [...new Set(rows.flatMap(({ places }) => places))]
  // Positions in this list are shorter than ids, which matters because claims are many.
  const numbers = new Map(ids.map((id, place) => [id, String(place)]))
  const names = new Map(rows.flatMap(({ places: [id = ''], name }) => (name === null ? [] : [[id, name] as const])))
  const isOfFact = isFact(field)
  /**
   * An id without a row, such as a member's, stands for itself. A fact may look like a position in this list, so it
   * gets a sign.
   */
  const labelOf = (id: string) => {
    if (field === 'node') return id
    return isOfFact ? (numbers.get(id.toLowerCase()) ?? `=${id}`) : (numbers.get(id) ?? id)
  }
  const idOf = (label: string) => {
    if (field === 'node' || !/^\d+$/.test(label)) return label
    const id = ids[Number(label)] ?? label
    return isOfFact ? (names.get(id) ?? id) : id
  }
  const labelsWith = (part: string) =>
    ids.filter(id => id.toLowerCase().includes(part.toLowerCase())).map(id => labelOf(id))
  const keys = inParts(`${field}_keys`, Buffer.concat(rows.map(row => row.keys)).toString('base64'))
  const labels = inParts(`${field}_labels`, rows.map(({ places }) => places.map(labelOf).join(',')).join(';'))
  const counts = inParts(`${field}_counts`, rows.map(row => row.signals).join(';'))
  // Each value has a select of its own, which ClickHouse computes once for a statement.
  const allKeys = `(SELECT arrayMap(place -> substring(packed, place * ${KEY_BYTES} + 1, ${KEY_BYTES}), range(intDiv(length(packed), ${KEY_BYTES}))) FROM (SELECT base64Decode(${keys.expression}) AS packed))`
  const allLabels = `(SELECT arrayFlatten(arrayMap((label, times) -> arrayWithConstant(toUInt32(times), label), splitByChar(';', ${labels.expression}), splitByChar(';', ${counts.expression}))))`
  const found = `transform(${KEY_OF_EVENT}, ${allKeys}, ${allLabels}, ${OTHERS[field]})`
  const label = rows.length === 0 ? OTHERS[field] : found
  return {
    // An actor's name may have a comma on a code host, so it is not split.
    labels: field === 'actor' ? `[${label}]` : `splitByChar(',', ${label})`,
    parameters: rows.length === 0 ? {} : { ...keys.parameters, ...labels.parameters, ...counts.parameters },
    labelOf,
    idOf,
    labelsWith,
    names,
    hasSharedNames: hasSharedNames(rows),
  }
}
