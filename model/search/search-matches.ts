import type { Transaction } from '../../infra/postgres/port.ts'
import { isUuid } from '../../schemas/domain/ids.ts'
import { REFERENCE_PREFIXES } from '../../schemas/domain/vocabulary.ts'
import type { Neighbours } from '../neighbours/neighbours.ts'
import { requireNoPendingSignal, resolve } from '../references/resolve.ts'
import { type Meaning, meaningCounts, nearestMeanings } from './meanings.ts'
import type { HeldTexts } from './search-texts.ts'
import { passable, passingRows, SEARCHED_ROWS, type Searched, type SearchFilters } from './searched.ts'
import type { FoundText } from './workspace-texts.ts'

interface Query {
  readonly text: string
  readonly meaning: Meaning
  readonly types: readonly Searched[]
  readonly filters: SearchFilters
}

/** A match's place in a ranking; what it says is read for those that are shown. */
export interface Ranked {
  readonly type: Searched
  readonly id: string
  /** Where most of the words stand; `meaning` where it has none of them. */
  readonly matched: FoundText['field'] | 'meaning' | 'reference'
  /** The repeats of a Signal that have the words, the best first. */
  readonly repeats: readonly string[]
  /** Only comparable within one answer. */
  readonly score: number
}

/** How many matches there are at most. */
export const CANDIDATES = 200
/** How many signals are looked at by their meaning. */
const NEAR = 100
/**
 * How many are looked at where filters may leave few of them; and how many where those leave fewer than are answered.
 */
const FILTERED_CANDIDATES = 1000
const MOST_CANDIDATES = 20_000
const MEASURED = 60

/** How many are seen at once. */
const FIRST = 10
const NEARLY_AS_GOOD = 0.5

/** A match is left out where it scores less than this share of the best one: it has a common word and no more. */
const RELEVANT = 0.3

interface SearchMemory {
  readonly texts: HeldTexts
  readonly neighbours: Neighbours
}

/**
 * What matches the query by words and meaning together, the best first. What was written is taken in before:
 * `SearchTexts.refresh`.
 */
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
    const { share } = meaningCounts(meaning.model)
    for (const { type, id, cosine } of meanings) {
      const known = ranked.get(id) ?? { type, id, matched: 'meaning', repeats: [], score: 0 }
      ranked.set(id, { ...known, score: known.score + share * cosine })
    }
    const passed = await passing(transaction, searched, [...ranked.values()], filters)
    const mayMiss = filters.length > 0 && most < MOST_CANDIDATES && words.length >= most && passed.length < CANDIDATES
    if (mayMiss) return rank(MOST_CANDIDATES)
    const best = passed.toSorted((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1)).slice(0, most)
    const floor = RELEVANT * (best[0]?.score ?? 0)
    return withEachKind(best.filter(({ score }) => score >= floor))
  }
  return rank(filters.length > 0 ? FILTERED_CANDIDATES : CANDIDATES)
}

/** So often the words are searched again without what was erased meanwhile. */
const MAX_ROUNDS = 5

/**
 * What has the words and is stored: nothing tells the index what was erased, so it gives that up when it is found.
 * Where more was erased than some rounds find, the rest of it is left out.
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

/** Those of the matches, and of the repeats by which they are found, that are stored and shown. */
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
 * Of each kind the best, where it is nearly as good, comes among the first: a word that many signals have would leave
 * the Solution of that name out of sight. It takes the place of the last of a kind that is there already.
 */
const withEachKind = (ranked: readonly Ranked[]): readonly Ranked[] => {
  const least = (ranked[0]?.score ?? 0) * NEARLY_AS_GOOD
  const bests = new Map<Searched, Ranked>()
  for (const match of ranked) if (!bests.has(match.type) && match.score >= least) bests.set(match.type, match)
  const first = ranked.slice(0, FIRST)
  const lifted = [...bests.values()].filter(match => !first.includes(match))
  const others = first.filter(match => bests.get(match.type) !== match)
  const moved = new Set([...others.slice(others.length - lifted.length), ...lifted])
  const [stay, rest] = [first.filter(match => !moved.has(match)), ranked.slice(FIRST)]
  return [...stay, ...lifted, ...others.filter(match => moved.has(match)), ...rest.filter(match => !moved.has(match))]
}

/** Those that the filters let through. */
export const passingFilters = (
  transaction: Transaction,
  types: readonly Searched[],
  ranked: readonly Ranked[],
  filters: SearchFilters,
): Promise<readonly Ranked[]> => passing(transaction, passable(types, filters), ranked, filters)

const passing = async (
  transaction: Transaction,
  types: readonly Searched[],
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
  /** Of a Signal alone: who said it, the sender's word for where or else the channel, and when. */
  readonly actor_name?: string | null
  readonly source?: string
  readonly occurred_at?: Date
}

const REFERENCED = ['signal', 'claim', 'solution', 'decision'] as const
const MAX_REFERENCES = 10

/**
 * The objects whose references stand in the query, in its order, or the one whose id it is. Throws `SignalPending` for
 * one on its way.
 */
export const namedIn = async (
  transaction: Transaction,
  text: string,
  types: readonly Searched[],
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

const asNamed = (type: Searched, id: string): Ranked => ({ type, id, matched: 'reference', repeats: [], score: 1 })

/** What the page's matches say, in its order. What is not to be shown, or gone meanwhile, is left out. */
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
