import type { Transaction } from '../../infra/postgres/port.ts'
import { isUuid } from '../../schemas/domain/ids.ts'
import { REFERENCE_PREFIXES } from '../../schemas/domain/vocabulary.ts'
import type { Neighbours } from '../neighbours/neighbours.ts'
import { requireNoPendingSignal, resolve } from '../references/resolve.ts'
import { type Meaning, meaningCounts, nearestMeanings } from './meanings.ts'
import type { HeldTexts } from './search-texts.ts'
import { passable, passingRows, SEARCHED_ROWS, type SearchedType, type SearchFilters } from './searched.ts'
import type { FoundText } from './workspace-texts.ts'

interface Query {
  readonly text: string
  readonly meaning: Meaning
  readonly types: readonly SearchedType[]
  readonly filters: SearchFilters
}

/** A match in a ranking. Texts are read only for shown matches. */
export interface Ranked {
  readonly type: SearchedType
  readonly id: string
  /** Field with most of the words. For a match without words: `meaning` when it means the same, `near` otherwise. */
  readonly matched: FoundText['field'] | 'meaning' | 'near' | 'reference'
  /** Repeats of a Signal that have the words, best first. */
  readonly repeats: readonly string[]
  /** Comparable within one answer only. */
  readonly score: number
}

/** Most matches. */
export const CANDIDATES = 200
/** Signals that are compared by meaning. */
const NEAR = 100
/** Candidates when filters may leave few of them, and when they leave fewer than the answer has room for. */
const FILTERED_CANDIDATES = 1000
const MAX_CANDIDATES = 20_000
const MEASURED = 60

/** Matches on the first screen. */
const FIRST = 10
const NEARLY_AS_GOOD = 0.5

/** Part of the best score below which a match is left out: it has a common word and no more. */
const RELEVANT = 0.3

interface SearchMemory {
  readonly texts: HeldTexts
  readonly neighbours: Neighbours
}

/** Matches of a query by words and meaning together, best first. Call `SearchTexts.refresh` before. */
export const searchRanked = async (
  transaction: Transaction,
  { text, meaning, types, filters }: Query,
  { texts, neighbours }: SearchMemory,
): Promise<readonly Ranked[]> => {
  const searched = passable(types, filters)
  const near = filters.length > 0 ? FILTERED_CANDIDATES : NEAR
  const rank = async (most: number): Promise<readonly Ranked[]> => {
    const words = await storedWords(transaction, texts, () => texts.search(text, searched, most))
    const signals = words.flatMap(({ type, id }) => (type === 'signal' ? [id] : [])).slice(0, MEASURED)
    const meanings = await nearestMeanings(transaction, meaning, neighbours, searched, { signals, count: near })
    const ranked = new Map<string, Ranked>(words.map(({ field, ...found }) => [found.id, { ...found, matched: field }]))
    const { share, sameCosine } = meaningCounts(meaning.model)
    for (const { type, id, cosine } of meanings) {
      const matched = cosine >= sameCosine ? 'meaning' : 'near'
      const known = ranked.get(id) ?? { type, id, matched, repeats: [], score: 0 }
      ranked.set(id, { ...known, score: known.score + share * cosine })
    }
    const passed = await passing(transaction, searched, [...ranked.values()], filters)
    const mayMiss = filters.length > 0 && most < MAX_CANDIDATES && words.length >= most && passed.length < CANDIDATES
    if (mayMiss) return rank(MAX_CANDIDATES)
    const best = passed.toSorted((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1)).slice(0, most)
    const floor = RELEVANT * (best[0]?.score ?? 0)
    return withEachKind(best.filter(({ score }) => score >= floor))
  }
  return rank(filters.length > 0 ? FILTERED_CANDIDATES : CANDIDATES)
}

/** Repetitions of the word search without erased texts. */
const MAX_ROUNDS = 5

/**
 * Found texts that are stored. Nothing tells the index about erasures, so erased texts are removed when they are found.
 * After `MAX_ROUNDS` the rest is left out.
 */
const storedWords = async (
  transaction: Transaction,
  texts: HeldTexts,
  search: () => readonly FoundText[],
): Promise<readonly FoundText[]> => {
  for (let round = 1; ; round += 1) {
    const words = search()
    const stored = await storedIds(transaction, words)
    const missing = words.flatMap(({ id, repeats }) => [id, ...repeats].filter(one => !stored.has(one)))
    if (missing.length === 0 || round === MAX_ROUNDS) return words.filter(({ id }) => stored.has(id))
    texts.remove(missing)
  }
}

/** Ids of matches and of their repeats that are stored and shown. */
const storedIds = async (transaction: Transaction, found: readonly FoundText[]): Promise<ReadonlySet<string>> => {
  const types = [...new Set(found.map(({ type }) => type))]
  const tables = types.map(type => {
    const { table, shown } = SEARCHED_ROWS[type]
    return { table, shown, ids: found.flatMap(match => (match.type === type ? [match.id] : [])) }
  })
  const repeats = found.flatMap(match => match.repeats)
  if (repeats.length > 0) tables.push({ table: 'occurrences', shown: 'true', ids: repeats })
  if (tables.length === 0) return new Set()
  const statement = tables.map(
    ({ table, shown }, place) => `select id from ${table} where id = any ($${place + 1}::uuid[]) and ${shown}`,
  )
  const rows = await transaction.query<{ id: string }>(
    statement.join(' union all '),
    tables.map(({ ids }) => ids),
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Moves the best match of each kind among the first ones when it is nearly as good: otherwise a word that many signals
 * have would hide the Solution of that name. It replaces the last match of a kind that is there already.
 */
const withEachKind = (ranked: readonly Ranked[]): readonly Ranked[] => {
  const least = (ranked[0]?.score ?? 0) * NEARLY_AS_GOOD
  const bests = new Map<SearchedType, Ranked>()
  for (const match of ranked) if (!bests.has(match.type) && match.score >= least) bests.set(match.type, match)
  const first = ranked.slice(0, FIRST)
  const lifted = [...bests.values()].filter(match => !first.includes(match))
  const others = first.filter(match => bests.get(match.type) !== match)
  const moved = new Set([...others.slice(others.length - lifted.length), ...lifted])
  const [stay, rest] = [first.filter(match => !moved.has(match)), ranked.slice(FIRST)]
  return [...stay, ...lifted, ...others.filter(match => moved.has(match)), ...rest.filter(match => !moved.has(match))]
}

/** Matches that pass the filters. */
export const passingFilters = (
  transaction: Transaction,
  types: readonly SearchedType[],
  ranked: readonly Ranked[],
  filters: SearchFilters,
): Promise<readonly Ranked[]> => {
  const searched = passable(types, filters)
  const ofTypes = ranked.filter(({ type }) => searched.includes(type))
  return passing(transaction, searched, ofTypes, filters)
}

const passing = async (
  transaction: Transaction,
  types: readonly SearchedType[],
  ranked: readonly Ranked[],
  filters: SearchFilters,
): Promise<readonly Ranked[]> => {
  if (filters.length === 0) return ranked
  const passed = new Set<string>()
  for (const type of types) {
    const ids = ranked.flatMap(match => (match.type === type ? [match.id] : []))
    for (const id of await passingRows(transaction, { type, table: SEARCHED_ROWS[type].table }, ids, filters))
      passed.add(id)
  }
  return ranked.filter(({ id }) => passed.has(id))
}

export interface Match extends Ranked {
  readonly number: number | null
  readonly title: string
  readonly text: string
  /** Number of a claim's only Signal; null when it has several. */
  readonly only_signal?: number | null
  /** For a Signal: its actor, its source or else its channel, and its time. */
  readonly actor_name?: string | null
  readonly source?: string
  readonly occurred_at?: Date
}

const REFERENCED = ['signal', 'claim', 'solution', 'decision'] as const
const MAX_REFERENCES = 10

/**
 * Objects whose references are in the query, in its order, or the object with the query as its id. Throws
 * `SignalPending` for a signal in the pipeline.
 */
export const namedIn = async (
  transaction: Transaction,
  text: string,
  types: readonly SearchedType[],
): Promise<Ranked[]> => {
  const named: Ranked[] = []
  if (isUuid(text.trim())) {
    for (const type of REFERENCED.filter(kind => types.includes(kind))) {
      const resolution = await resolve(transaction, type, text)
      if (resolution.kind === 'one') named.push(asNamed(type, resolution.found.id))
    }
    if (named.length === 0) await requireNoPendingSignal(transaction, text)
    return named
  }
  for (const [found, prefix] of [...text.matchAll(/\b([a-z]{3})-\d{1,9}\b/gi)].slice(0, MAX_REFERENCES)) {
    const type = REFERENCED.find(kind => types.includes(kind) && REFERENCE_PREFIXES[kind] === prefix?.toUpperCase())
    if (type === undefined) continue
    const resolution = await resolve(transaction, type, found)
    if (resolution.kind === 'one') named.push(asNamed(type, resolution.found.id))
  }
  return named
}

const asNamed = (type: SearchedType, id: string): Ranked => ({ type, id, matched: 'reference', repeats: [], score: 1 })

/** The page's matches with their texts, in order. Removed and hidden ones are left out. */
export const readMatches = async (transaction: Transaction, page: readonly Ranked[]): Promise<readonly Match[]> => {
  const ofEachType = [...new Set(page.map(match => match.type))].map(type => {
    const { table, match, shown } = SEARCHED_ROWS[type]
    return transaction.query<Omit<Match, keyof Ranked> & { readonly id: string }>(
      `select id, ${match} from ${table} where id = any ($1::uuid[]) and ${shown}`,
      [page.flatMap(match => (match.type === type ? [match.id] : []))],
    )
  })
  const found = new Map((await Promise.all(ofEachType)).flat().map(row => [row.id, row]))
  return page.flatMap(ranked => {
    const match = found.get(ranked.id)
    return match === undefined ? [] : [{ ...match, ...ranked }]
  })
}
