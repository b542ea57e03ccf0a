import type { Transaction } from '../../infra/postgres/port.ts'
import { toVector } from '../../infra/postgres/vectors.ts'
import { signBits } from '../../infra/vector-index/sign-bits.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Neighbours } from '../neighbours/neighbours.ts'
import type { Searched } from './searched.ts'
import { EMBEDDED, IS_EMBEDDED } from './stored-meanings.ts'

/** What a query means, in the vectors of a model: those of another are never compared. */
export interface Meaning {
  readonly workspaceId: WorkspaceId
  readonly model: string
  readonly vector: Float32Array
}

export interface NearText {
  readonly type: Searched
  readonly id: string
  readonly cosine: number
}

/** At this cosine and below, two texts share nothing that a search should show. */
const LEAST_COSINE = 0.2
const NEAREST = 50

const SIGNALS = `
  select near.signal_id as id, 1 - (embedding <=> $1::vector(1024)) as cosine
  from unnest($3::uuid[]) as near (signal_id)
  cross join lateral (select embedding from signal_vectors where signal_vectors.signal_id = near.signal_id and model = $2 offset 0) as stored`

// A claim means what its signals mean: it is as near as the nearest of them that were found.
const CLAIMS = `
  select claim_id as id, max(near.cosine) as cosine
  from unnest($1::uuid[], $2::float8[]) as near (signal_id, cosine)
  cross join lateral (select claim_id from claim_evidence where workspace_id = $3 and claim_evidence.signal_id = near.signal_id offset 0) as evidence
  group by claim_id`

const NODES = `
  select node_id as id, 1 - min(embedding <=> $1::vector(1024)) as cosine from map_node_vectors where model = $2 group by node_id
  order by cosine desc limit ${NEAREST}`

// The bits first, which are a thirtieth of what is to be read.
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

/** What is near in meaning, and how near what the words found is; at most `count` signals. */
export const nearestMeanings = async (
  transaction: Transaction,
  { workspaceId, model, vector }: Meaning,
  neighbours: Neighbours,
  types: readonly Searched[],
  { signals, count }: { readonly signals: readonly string[]; readonly count: number },
): Promise<readonly NearText[]> => {
  const asked = toVector(vector)
  const found: NearText[] = []
  const add = (type: Searched, rows: readonly Row[]) => {
    for (const { id, cosine } of rows) if (cosine > LEAST_COSINE) found.push({ type, id, cosine })
  }
  if (types.includes('signal') || types.includes('claim')) {
    const space = { workspaceId, model }
    await neighbours.refresh(transaction, [space])
    const near = neighbours.nearest(space, signBits(vector), count)
    neighbours.forgetOldest()
    const ids = [...new Set([...signals, ...near.map(({ signalId }) => signalId)])]
    const rows = await transaction.query<Row>(SIGNALS, [asked, model, ids])
    if (types.includes('signal')) add('signal', rows)
    if (types.includes('claim')) {
      const values = [rows.map(({ id }) => id), rows.map(({ cosine }) => cosine), workspaceId]
      add('claim', await transaction.query<Row>(CLAIMS, values))
    }
  }
  if (types.includes('node')) add('node', await transaction.query<Row>(NODES, [asked, model]))
  const embedded = EMBEDDED.filter(type => types.includes(type))
  if (embedded.length > 0) {
    const rows = await transaction.query<Row & { readonly type: Searched }>(EMBEDDED_TEXTS, [
      asked,
      model,
      embedded,
      workspaceId,
    ])
    for (const { type, ...row } of rows) add(type, [row])
  }
  return found
}
