import { setImmediate } from 'node:timers/promises'
import { createBuiltInEmbedder } from '../../infra/models/built-in-embedder.ts'
import { createPool, type PostgresConnection } from '../../infra/postgres/pool.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { toVectorBatch, vectorOf } from '../../infra/vectors.ts'
import { READ_CHARACTERS, termsOf } from '../../infra/word-index/terms.ts'
import { storeTerms } from '../../model/words/stored-terms.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { createFeedback } from './feedback.ts'

/** To fill a database and to look into it, beside the programs that are measured. */
export type BenchPool = ReturnType<typeof createPool>

/** Of one connection unless told, so that a setting of the session holds for all that follows. */
export const createBenchPool = (connection: PostgresConnection, statementTimeoutMs: number, max = 1): BenchPool =>
  createPool({ connection, max, statementTimeoutMs, logger: createLogger({ level: 'silent', program: 'bench' }) })

const POOL = 3000
const BATCH = 500
const ROWS_A_STATEMENT = 20_000

/** Texts and their vectors that stored signals are mixed from, in tables of the benchmark's own. */
export const prepareMix = async (pool: BenchPool): Promise<void> => {
  const embedder = createBuiltInEmbedder()
  const texts = Array.from({ length: POOL }, createFeedback(77))
  await pool.query(`create table bench_mix (n integer primary key, text text, embedding vector(1024))`)
  await pool.query(`alter table bench_mix alter column embedding set storage plain`)
  for (let begin = 0; begin < POOL; begin += BATCH) {
    const part = texts.slice(begin, begin + BATCH)
    await pool.query(
      `insert into bench_mix select $3 + n - 1, text, ${vectorOf('$2', 'n')} from unnest($1::text[]) with ordinality as part (text, n)`,
      [part, toVectorBatch(await embedder.embed(part)), begin],
    )
  }
  await pool.query('analyze bench_mix')
}

// Half of one text with half of another, and the vector between theirs, so that rows are as different as texts are. The
// multipliers have no divisor in common with the size of the mix: no pair comes twice in nine million rows.
const insertSignals = (at: string, sender: string) => `
  insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, actor_key, occurred_at, received_at, inserted_at,
    classification, classification_confidence, classification_version, actor_name, metadata)
  select gen_random_uuid(), ($1::uuid[])[1 + row % $2], $5 + row / $2, 'webhook', left(one.text, 320) || right(other.text, 320),
    sha256(row::text::bytea), 'customer', 'user', 'actor-' || row % 997, ${at}, ${at}, ${at}, 'problem', 0.9, 'benchmark', ${sender}
  from generate_series($3::int, $4::int) as row
  join bench_mix as one on one.n = row % ${POOL}
  join bench_mix as other on other.n = (row / ${POOL} * 7 + row % ${POOL} + 1) % ${POOL}`

const INSERT_UNTOLD = insertSignals('now()', `null, '{}'`)
/**
 * Over the last ninety days. A few speakers say most, one in a thousand is somebody else's; and each is told with what
 * senders tell.
 */
const insertTold = ({ from, upTo }: Filling) =>
  insertSignals(
    `now() - interval '90 days' * (1 - (row - ${from})::float8 / ${upTo - from})`,
    `case when ($5 + row / $2) % 1000 = 1 then 'Rosalind Achterberg' else 'Customer ' || ($5 + row / $2) % 7 end,
    jsonb_build_object('plan', case when ($5 + row / $2) % 3 = 0 then 'team' else 'business' end,
      'account', 'account-' || ($5 + row / $2) % 400, 'ticket', 'T' || $5 + row / $2)`,
  )

const INSERT_VECTORS = `
  insert into signal_vectors (signal_id, workspace_id, model, place, embedding)
  select signals.id, signals.workspace_id, $1, signals.number, l2_normalize(one.embedding + other.embedding)
  from generate_series($4::int, $5::int) as row
  join signals on signals.workspace_id = ($2::uuid[])[1 + row % $3] and signals.number = $6 + row / $3
  join bench_mix as one on one.n = row % ${POOL}
  join bench_mix as other on other.n = (row / ${POOL} * 7 + row % ${POOL} + 1) % ${POOL}`

const INSERT_CLAIMS = `
  with made as (
    select id as signal_id, gen_random_uuid() as claim_id, workspace_id, number, left(text, 100) as title, received_at
    from signals where workspace_id = any ($1::uuid[]) and number between $2 and $3
      and not exists (
        select from claim_evidence
        where claim_evidence.workspace_id = signals.workspace_id and claim_evidence.signal_id = signals.id
        offset 0
      )
  ), claimed as (
    insert into claims (id, workspace_id, number, kind, title)
    select claim_id, workspace_id, number, 'problem', title from made
  )
  insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, newest_at)
  select workspace_id, claim_id, signal_id, 'cluster', 'benchmark', 'It started the claim.', received_at from made`

// What triggers keep beside signals, evidence and what the search finds, for many rows at once: row by row it would
// take several times as long.
const INSERT_ENTRIES = `
  insert into search_entries (id, kind, workspace_id)
  select id, 'signal', workspace_id from signals where workspace_id = any ($1::uuid[]) and number between $2 and $3
  union all
  select id, 'claim', workspace_id from claims where workspace_id = any ($1::uuid[]) and number between $2 and $3
  on conflict do nothing`
const READ_TEXTS = `
  select id, workspace_id, left(text, ${READ_CHARACTERS}) as text from signals
  where workspace_id = any ($1::uuid[]) and number between $2 and $3`
const INSERT_SUMS = `
  insert into actor_weights (workspace_id, target_id, actor, weight, signals)
  select signals.workspace_id, claim_id, actor_key, sum(evidence_weight(signal_origin, occurred_at, received_at)), count(*)
  from claim_evidence join signals on signals.id = signal_id
  where claim_evidence.workspace_id = any ($1::uuid[])
  group by signals.workspace_id, claim_id, actor_key
  on conflict do nothing`
const INSERT_STANDINGS = `
  insert into priority_totals (workspace_id, target_id, evidence_priority, as_of, actors, signals)
  select workspace_id, target_id, sum(ln(1 + weight * evidence_decay(now()))), now(), count(*), sum(signals)
  from actor_weights where workspace_id = any ($1::uuid[]) group by workspace_id, target_id
  on conflict do nothing`
const COUNT_SIGNALS = `
  insert into signal_counts (workspace_id, state, classification, signals)
  select workspace_id, state, classification, count(*) from signals where workspace_id = any ($1::uuid[])
  group by workspace_id, state, classification
  on conflict (workspace_id, state, classification) do update set signals = excluded.signals`
const COUNT_UP = `
  insert into reference_counters (workspace_id, kind, last_number)
  select id, kind, $2 from unnest($1::uuid[]) as id cross join unnest(array['signal', 'claim']) as kind
  on conflict (workspace_id, kind) do update set last_number = excluded.last_number`

interface StoredText {
  readonly id: SignalId
  readonly workspace_id: WorkspaceId
  readonly text: string
}

/** The words are taken here while the database works on the vectors. */
const fillVectorsAndWords = async (
  pool: BenchPool,
  vectors: readonly unknown[],
  numbers: readonly unknown[],
): Promise<void> => {
  const { rows } = await pool.query<StoredText>(READ_TEXTS, [...numbers])
  const filling = pool.query(INSERT_VECTORS, [...vectors])
  await setImmediate()
  const said = rows.map(({ id, workspace_id, text }) => ({
    workspaceId: workspace_id,
    signalId: id,
    id,
    terms: termsOf(text),
  }))
  await filling
  await storeTerms({ query: async (statement, values = []) => (await pool.query(statement, [...values])).rows }, said)
}

/** Far enough apart that what the pipeline stores between two fillings has room. */
const NUMBERS_A_FILLING = 100_000_000

interface Filling {
  readonly from: number
  readonly upTo: number
  readonly claims?: boolean
  /** With a speaker and metadata, and over the last ninety days. */
  readonly told?: boolean
}

/**
 * Stores signals beside the pipeline, each a problem with a claim of its own unless told otherwise, evenly in the
 * workspaces: rows `from` to `upTo` of the mix, as the `filling`-th time that it is done here. Measures nothing: it
 * only fills.
 */
export const fillUp = async (
  pool: BenchPool,
  workspaceIds: readonly WorkspaceId[],
  filling: number,
  { from, upTo, claims = true, told = false }: Filling,
): Promise<void> => {
  const { model } = createBuiltInEmbedder()
  const spaces = workspaceIds.length
  const base = filling * NUMBERS_A_FILLING + 1
  const numberOf = (row: number) => base + Math.floor(row / spaces)
  // The pool has one connection, so that a setting of the session holds for all of this.
  await pool.query('set session_replication_role = replica')
  for (let begin = from; begin < upTo; begin += ROWS_A_STATEMENT) {
    const last = Math.min(upTo, begin + ROWS_A_STATEMENT) - 1
    const numbers = [workspaceIds, numberOf(begin), numberOf(last)]
    await pool.query(told ? insertTold({ from, upTo }) : INSERT_UNTOLD, [workspaceIds, spaces, begin, last, base])
    await fillVectorsAndWords(pool, [model, workspaceIds, spaces, begin, last, base], numbers)
    if (claims) await pool.query(INSERT_CLAIMS, numbers)
    await pool.query(INSERT_ENTRIES, numbers)
  }
  await pool.query('analyze signals, claim_evidence')
  await pool.query(INSERT_SUMS, [workspaceIds])
  await pool.query(INSERT_STANDINGS, [workspaceIds])
  await pool.query(COUNT_SIGNALS, [workspaceIds])
  await pool.query('set session_replication_role = origin')
  await pool.query(COUNT_UP, [workspaceIds, numberOf(upTo)])
  await pool.query(
    'analyze signals, signal_vectors, signal_terms, search_entries, claims, claim_evidence, actor_weights, priority_totals',
  )
}
