import type { Transaction } from '../../../infra/postgres/port.ts'
import { toVector } from '../../../infra/postgres/vectors.ts'

export const SEARCHED = ['signal', 'claim', 'solution', 'node', 'decision'] as const
export type Searched = (typeof SEARCHED)[number]

export interface Match {
  readonly type: Searched
  readonly id: string
  readonly number: number | null
  readonly title: string
  readonly text: string
}

/** How many matches of each ranking are looked at. */
const CANDIDATES = 100

/** What the search reads of each type: its columns, and the words that it is found by. */
const SOURCES: Readonly<Record<Searched, { readonly columns: string; readonly from: string; readonly words: string }>> =
  {
    signal: { columns: `id, number, left(text, 80) as title, text`, from: 'signals', words: 'search' },
    claim: {
      columns: 'id, number, title, statement as text',
      from: 'claims where merged_into is null',
      words: `to_tsvector('simple', title || ' ' || statement)`,
    },
    solution: {
      columns: 'id, number, title, summary as text',
      from: 'solutions',
      words: `to_tsvector('simple', title || ' ' || summary)`,
    },
    node: {
      columns: 'id, null::integer as number, name as title, description as text',
      from: 'map_nodes',
      words: `to_tsvector('simple', name || ' ' || description || ' ' || array_to_string(examples, ' '))`,
    },
    decision: {
      columns: 'id, number, left(statement, 80) as title, statement as text',
      from: 'decisions',
      words: `to_tsvector('simple', statement)`,
    },
  }

/** What has all the words comes before what has any of them. `websearch_to_tsquery` reads an `or` between words. */
const byWords = (type: Searched): string => {
  const { columns, from, words } = SOURCES[type]
  return `
  with query as (
    select websearch_to_tsquery('simple', $1) as every_word,
      websearch_to_tsquery('simple', regexp_replace(trim($1), '\\s+', ' or ', 'g')) as any_word
  ), source as (select *, ${words} as words from ${from})
  select '${type}' as type, ${columns}
  from source, query
  where words @@ any_word or words @@ every_word
  order by words @@ every_word desc, ts_rank(words, any_word) desc, id desc
  limit ${CANDIDATES}`
}

/** The first look is by the vectors' bits, the order by exact cosine. Vectors of another model are never compared. */
const SIGNALS_BY_VECTOR = `
  with near as (
    select signal_id, embedding from signal_vectors where model = $2
    order by bits <~> binary_quantize($1::vector(1024))::bit(1024)
    limit ${CANDIDATES}
  )
  select 'signal' as type, signals.id, number, left(text, 80) as title, text
  from near join signals on signals.id = signal_id
  where embedding <=> $1::vector(1024) < $3
  order by embedding <=> $1::vector(1024), signals.id desc`

const NODES_BY_VECTOR = `
  with near as (
    select node_id, min(embedding <=> $1::vector(1024)) as distance from map_node_vectors where model = $2 group by node_id
  )
  select 'node' as type, id, null::integer as number, name as title, description as text
  from near join map_nodes on id = node_id
  where distance < $3
  order by distance, id
  limit ${CANDIDATES}`

const BY_VECTOR: Readonly<Partial<Record<Searched, string>>> = { signal: SIGNALS_BY_VECTOR, node: NODES_BY_VECTOR }

/** At this cosine distance and beyond, two texts share nothing that a search should show. */
const MAX_DISTANCE = 0.8

/** The rankings of each type by words, and where it has vectors by nearness to the query's. */
export const rankings = async (
  transaction: Transaction,
  query: { readonly text: string; readonly vector: Float32Array; readonly model: string },
  types: readonly Searched[],
): Promise<Match[][]> => {
  const found: Match[][] = []
  const vector = toVector(query.vector)
  for (const type of types) {
    found.push(await transaction.query<Match>(byWords(type), [query.text]))
    const near = BY_VECTOR[type]
    if (near !== undefined) found.push(await transaction.query<Match>(near, [vector, query.model, MAX_DISTANCE]))
  }
  return found
}
