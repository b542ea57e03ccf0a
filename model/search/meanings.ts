import { BUILT_IN_MODEL } from '../../infra/models/meaning/name.ts'
import type { Embedder } from '../../infra/models/port.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import { signBits } from '../../infra/vector-index/sign-bits.ts'
import { toVector, toVectorBatch, vectorOf } from '../../infra/vectors.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Neighbours } from '../neighbours/neighbours.ts'
import type { ChangePlace } from './changed-texts.ts'
import type { Read } from './search-texts.ts'
import type { SearchedType } from './searched.ts'

/**
 * Kinds whose vectors are in the search's own rows. Signals and nodes have theirs elsewhere, and a claim has its
 * signals'.
 */
const EMBEDDED = ['solution', 'decision', 'living_doc', 'note'] as const

/** Condition of the vectors' indexes. Statements must repeat it literally. */
const IS_EMBEDDED = `kind in (${EMBEDDED.map(kind => `'${kind}'`).join(', ')})`

const MAX_CHARACTERS = 4000
const A_ROUND = 50

const MISSING = `
  select entries.id, kind, changed_in::text as transaction, left(coalesce(
    (select title || E'\\n' || summary from solutions where kind = 'solution' and solutions.id = entries.id),
    (select statement from decisions where kind = 'decision' and decisions.id = entries.id),
    (select markdown from living_documents where kind = 'living_doc' and newest and living_documents.id = entries.id),
    (select text from knowledge_notes where kind = 'note' and knowledge_notes.id = entries.id)), ${MAX_CHARACTERS}) as text
  from (
    ${['model is null', 'model < $3', 'model > $3']
      .map(
        other =>
          `(select * from search_entries where workspace_id = $1 and ${IS_EMBEDDED} and kind = any ($2::text[])
            and ${other} limit ${A_ROUND})`,
      )
      .join(' union all ')}
    limit ${A_ROUND}
  ) as entries`

const STORE = `
  update search_entries set model = $2, embedding = case when is_found then ${vectorOf('$3', 'place')} end
  from unnest($1::uuid[], $4::text[], $5::text[], $6::boolean[]) with ordinality as made (id, kind, transaction, is_found, place)
  where search_entries.id = made.id and search_entries.kind = made.kind and changed_in = made.transaction::xid8`

interface MissingMeaning extends ChangePlace {
  /** Null for a text that is not searched, such as an older version. */
  readonly text: string | null
}

/**
 * Embeds some texts without a vector of the model, outside of its transactions. Answers their number. Texts that
 * changed meanwhile are left for the next time.
 */
const embedMissing = async (read: Read, embedder: Embedder, workspaceId: string): Promise<number> => {
  const missing = await read(transaction =>
    transaction.query<MissingMeaning>(MISSING, [workspaceId, EMBEDDED, embedder.model]),
  )
  if (missing.length === 0) return 0
  const vectors = await embedder.embed(missing.map(({ text }) => text ?? ''))
  await read(transaction =>
    transaction.query(STORE, [
      missing.map(({ id }) => id),
      embedder.model,
      toVectorBatch(vectors),
      missing.map(({ kind }) => kind),
      missing.map(({ transaction: written }) => written),
      missing.map(({ text }) => text !== null),
    ]),
  )
  return missing.length
}

/** Rounds of one search. The next search continues. */
const MAX_ROUNDS = 40

export interface Meanings {
  /** Embeds texts that were written since, in the background. The next search repeats a failed embedding. */
  embedWritten(read: Read, workspaceId: string): void
  /** Resolves when no embedding is running. */
  idle(): Promise<unknown>
}

export const createMeanings = (embedder: Embedder): Meanings => {
  const running = new Map<string, Promise<void>>()
  const embedAll = async (read: Read, workspaceId: string): Promise<void> => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if ((await embedMissing(read, embedder, workspaceId)) < A_ROUND) return
    }
  }
  return {
    embedWritten: (read, workspaceId) => {
      if (running.has(workspaceId)) return
      const work = embedAll(read, workspaceId)
        .catch(() => {})
        .finally(() => running.delete(workspaceId))
      running.set(workspaceId, work)
    },
    idle: () => Promise.all(running.values()),
  }
}

/** A query's vector with its model. Vectors of other models are never compared. */
export interface Meaning {
  readonly workspaceId: WorkspaceId
  readonly model: string
  readonly vector: Float32Array
}

interface NearText {
  readonly type: SearchedType
  readonly id: string
  readonly cosine: number
}

/**
 * Weight of the meaning beside words; the cosine up to which two texts share nothing worth showing; and the cosine from
 * which they mean the same. Chosen for the built-in model. For other models the cosine of unrelated texts is unknown,
 * so no texts count as the same.
 */
export const meaningCounts = (model: string) =>
  model === BUILT_IN_MODEL
    ? { share: 0.6, leastCosine: 0.15, sameCosine: 0.45 }
    : { share: 0.3, leastCosine: 0.2, sameCosine: Infinity }

const NEAREST = 50

const SIGNALS = `
  select near.signal_id as id, 1 - (embedding <=> $1::vector(1024)) as cosine
  from unnest($3::uuid[]) as near (signal_id)
  cross join lateral (select embedding from signal_vectors where signal_vectors.signal_id = near.signal_id and model = $2 offset 0) as stored`

// A claim is as near as its nearest found signal.
const CLAIMS = `
  select claim_id as id, max(near.cosine) as cosine
  from unnest($1::uuid[], $2::float8[]) as near (signal_id, cosine)
  cross join lateral (select claim_id from claim_evidence where workspace_id = $3 and claim_evidence.signal_id = near.signal_id offset 0) as evidence
  group by claim_id`

// A node's name alone is found by words: a query of one short word is near to many.
const NODES = `
  select node_id as id, 1 - min(embedding <=> $1::vector(1024)) as cosine from map_node_vectors
  where model = $2 and ordinal > 0 group by node_id
  order by cosine desc limit ${NEAREST}`

// Compares sign bits first, which are a thirtieth of the data.
const EMBEDDED_TEXTS = `
  select id, kind as type, 1 - (embedding <=> $1::vector(1024)) as cosine
  from (
    select id, kind, embedding from search_entries
    where workspace_id = $4 and ${IS_EMBEDDED} and kind = any ($3::text[]) and model = $2 and embedding is not null
    order by bits <~> binary_quantize($1::vector(1024))::bit(1024)
    limit ${NEAREST}
  ) as near`

interface Row {
  readonly id: string
  readonly cosine: number
}

/**
 * Texts near in meaning, with the cosines of those that the words found; at most `count` signals. Independent queries
 * run together.
 */
export const nearestMeanings = async (
  transaction: Transaction,
  { workspaceId, model, vector }: Meaning,
  neighbours: Neighbours,
  types: readonly SearchedType[],
  { signals, count }: { readonly signals: readonly string[]; readonly count: number },
): Promise<readonly NearText[]> => {
  const queryVector = toVector(vector)
  const { leastCosine } = meaningCounts(model)
  const nearOf = (type: SearchedType, rows: readonly Row[]): readonly NearText[] =>
    rows.flatMap(({ id, cosine }) => (cosine > leastCosine ? [{ type, id, cosine }] : []))

  const signalsAndClaims = async (): Promise<readonly NearText[]> => {
    if (!types.includes('signal') && !types.includes('claim')) return []
    const space = { workspaceId, model }
    // A space that is still being read in the background is searched as far as it is in memory.
    if (neighbours.isWhole(space)) await neighbours.refresh(transaction, [space])
    const near = neighbours.nearest(space, signBits(vector), count)
    neighbours.forgetOldest()
    const ids = [...new Set([...signals, ...near.map(({ signalId }) => signalId)])]
    const rows = await transaction.query<Row>(SIGNALS, [queryVector, model, ids])
    const ofSignals = types.includes('signal') ? nearOf('signal', rows) : []
    if (!types.includes('claim')) return ofSignals
    const values = [rows.map(({ id }) => id), rows.map(({ cosine }) => cosine), workspaceId]
    return [...ofSignals, ...nearOf('claim', await transaction.query<Row>(CLAIMS, values))]
  }
  const nodes = async (): Promise<readonly NearText[]> =>
    types.includes('node') ? nearOf('node', await transaction.query<Row>(NODES, [queryVector, model])) : []
  const embedded = async (): Promise<readonly NearText[]> => {
    const embeddedTypes = EMBEDDED.filter(type => types.includes(type))
    if (embeddedTypes.length === 0) return []
    const values = [queryVector, model, embeddedTypes, workspaceId]
    const rows = await transaction.query<Row & { readonly type: SearchedType }>(EMBEDDED_TEXTS, values)
    return rows.flatMap(({ type, ...row }) => nearOf(type, [row]))
  }
  return (await Promise.all([signalsAndClaims(), nodes(), embedded()])).flat()
}
