import type { Transaction } from '../../infra/postgres/port.ts'
import { toVector } from '../../infra/postgres/vectors.ts'
import { signBits } from '../../infra/vector-index/sign-bits.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Neighbours } from '../neighbours/neighbours.ts'
import { canPass, passingRows, SEARCHED_ROWS, type Searched, type SearchFilters } from './searched.ts'

interface Query {
  readonly text: string
  readonly vector: Float32Array
  /** The model that the vector is of: vectors of another are never compared. */
  readonly model: string
  readonly types: readonly Searched[]
  readonly filters: SearchFilters
}

/** A match's place in a ranking; what it says is read for those that are shown. */
export interface Ranked {
  readonly type: Searched
  readonly id: string
}

/** How many matches of each ranking are kept. */
export const CANDIDATES = 100
const FEW_WORDS = 4
/** How many are looked at where filters may leave few of them. */
const FILTERED_CANDIDATES = 1000

const EVERY_WORD = `select id from rows_with_words($1, websearch_to_tsquery('simple', $2), $3)`

/** `websearch_to_tsquery` reads an `or` between words; signs that mean something to it are gone by then. */
const ANY_WORD = `
  select id from rows_with_words(
    $1, websearch_to_tsquery('simple', regexp_replace(trim(regexp_replace($2, '[^[:alnum:]]+', ' ', 'g')), ' +', ' or ', 'g')), $3
  )`

// There are so many Signals that a word which nearly all of them have would hide the others. So each word is looked up by itself, the newest
// that have it, and what has several, and rare ones, comes first. In a query of few words each was chosen; of a sentence the longest words
// count, among the longest of each Signal.
const SIGNALS_BY_ANY_WORD = `
  with words as materialized (
    select lexeme, count(*) over () as of_all from unnest(to_tsvector('simple', $2))
  ),
  found as (
    select lexeme, hit.id
    from words cross join lateral rows_with_words($1, quote_literal(lexeme)::tsquery, $3) as hit
    where of_all <= ${FEW_WORDS}
    union all
    select lexeme, hit.signal_id
    from searchable_words(to_tsvector('simple', $2), 8) as lexeme
    cross join lateral (
      select signal_id from signal_words where word = word_hash(lexeme) order by number desc limit $3
    ) as hit
    where (select max(of_all) from words) > ${FEW_WORDS}
  )
  select id
  from (select id, ln(1 + $3::float8 / count(*) over (partition by lexeme)) as rarity from found) as weighed
  group by id
  order by sum(rarity) desc, id desc
  limit $3`

// What repeats a Signal says it in other words: whoever looks for these finds the Signal.
const REPEATED_IN_WORDS = `
  select signal_id as id from (
    select occurrences.signal_id, max(rank) as rank, max(hit.id::text) as newest
    from rows_with_words('occurrences', websearch_to_tsquery('simple', $1), $2) as hit join occurrences using (id)
    group by occurrences.signal_id
  ) as repeated
  order by rank desc, newest desc`

/** At this cosine distance and beyond, two texts share nothing that a search should show. */
const MAX_DISTANCE = 0.8

const SIGNALS_BY_DISTANCE = `
  select signal_id as id from (
    select signal_id, embedding <=> $1::vector(1024) as distance
    from unnest($3::uuid[]) as near (signal_id)
    cross join lateral (select embedding from signal_vectors where signal_vectors.signal_id = near.signal_id and model = $2 offset 0) as stored
  ) as measured
  where distance < ${MAX_DISTANCE}
  order by distance, signal_id desc`

const NODES_BY_DISTANCE = `
  select node_id as id from (
    select node_id, min(embedding <=> $1::vector(1024)) as distance from map_node_vectors where model = $2 group by node_id
  ) as measured
  where distance < ${MAX_DISTANCE}
  order by distance, node_id
  limit ${CANDIDATES}`

interface VectorSpace {
  readonly workspaceId: WorkspaceId
  readonly neighbours: Neighbours
}

/** The rankings of each type by words, what has all of them first, and where it has vectors by nearness to the query's. */
const rankings = async (transaction: Transaction, query: Query, space: VectorSpace): Promise<readonly Ranked[][]> => {
  const atMost = query.filters.length > 0 ? FILTERED_CANDIDATES : CANDIDATES
  const ids = async (statement: string, values: readonly unknown[]) =>
    (await transaction.query<{ id: string }>(statement, values)).map(({ id }) => id)

  const byWords = async (type: Searched): Promise<readonly string[]> => {
    const { table } = SEARCHED_ROWS[type]
    const every = await ids(EVERY_WORD, [table, query.text, atMost])
    const repeated = type === 'signal' ? await ids(REPEATED_IN_WORDS, [query.text, atMost]) : []
    const any = await ids(type === 'signal' ? SIGNALS_BY_ANY_WORD : ANY_WORD, [table, query.text, atMost])
    return [...new Set([...every, ...repeated, ...any])]
  }
  const vector = toVector(query.vector)
  const byVector = async (type: Searched): Promise<readonly string[]> => {
    if (type === 'node') return ids(NODES_BY_DISTANCE, [vector, query.model])
    if (type !== 'signal') return []
    const own = { workspaceId: space.workspaceId, model: query.model }
    await space.neighbours.refresh(transaction, [own])
    const near = space.neighbours.nearest(own, signBits(query.vector), atMost)
    space.neighbours.forgetOldest()
    return ids(SIGNALS_BY_DISTANCE, [vector, query.model, near.map(({ signalId }) => signalId)])
  }

  const found: Ranked[][] = []
  for (const type of query.types.filter(searchedType => canPass(searchedType, query.filters))) {
    for (const ranking of [await byWords(type), await byVector(type)]) {
      const passed = await passingRows(transaction, { type, table: SEARCHED_ROWS[type].table }, ranking, query.filters)
      found.push(passed.slice(0, CANDIDATES).map(id => ({ type, id })))
    }
  }
  return found
}

/** Damps the lead of the first ranks (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009). */
const K = 60

export interface Fused<Item> {
  readonly item: Item
  /** Only comparable within one fusion. */
  readonly score: number
}

/** Fuses rankings by reciprocal rank: what stands high in several comes first. Items of one id are one. */
const fuse = <Item extends { readonly id: string }>(rankings: readonly (readonly Item[])[]): Fused<Item>[] => {
  const fused = new Map<string, Fused<Item>>()
  for (const ranking of rankings) {
    ranking.forEach((item, index) => {
      const score = (fused.get(item.id)?.score ?? 0) + 1 / (K + index + 1)
      fused.set(item.id, { item, score })
    })
  }
  return [...fused.values()].sort((left, right) => right.score - left.score || (left.item.id < right.item.id ? 1 : -1))
}

/** What matches the query, in the order of all rankings together. */
export const searchRanked = async (...search: Parameters<typeof rankings>): Promise<readonly Fused<Ranked>[]> =>
  fuse(await rankings(...search))
