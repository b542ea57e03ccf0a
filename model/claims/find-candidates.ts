import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../schemas/domain/vocabulary.ts'

/**
 * Two rankings of the other signals of a workspace, fused by reciprocal rank (Cormack et al. 2009, with its constant 60).
 * By words: a signal scores by the longest words that it shares, the rarer the more; a word that 50 signals have says nothing.
 * By vectors: as the caller found them in memory, by how many sign bits differ; those that are left at the end get their exact cosine.
 * Each part is materialized, and `offset 0` keeps a look-up by id one: without statistics, as after a flood, the planner would read a
 * whole workspace for every row.
 * What counts is a claim of the probe's kind that the signal is evidence of, or that a signal before it in the batch is about to start.
 */
const FIND_CANDIDATES = `
  with asked as materialized (
    select id, kind, model, ordinal::int
    from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as given (id, kind, model, ordinal)
  ),
  probe as materialized (
    select signals.id, signals.workspace_id, signals.number, signals.search, asked.kind, asked.model
    from asked
    cross join lateral (
      select id, workspace_id, number, search from signals where signals.id = asked.id offset 0
    ) as signals
  ),
  by_words as materialized (
    select probe.id, hit.signal_id, row_number() over (partition by probe.id order by hit.score desc, hit.signal_id) as rank
    from probe
    cross join lateral (
      select found.signal_id, sum(found.rarity) as score
      from (
        select hit.signal_id, ln(50.0::float8 / count(*) over (partition by lexeme)) as rarity
        from searchable_words(probe.search, 6) as lexeme
        cross join lateral (
          select signal_id from signal_words
          where workspace_id = probe.workspace_id and word = word_hash(lexeme)
          order by number desc
          limit 50
        ) as hit
      ) as found
      where found.rarity > 0 and found.signal_id <> probe.id
      group by found.signal_id
      order by score desc, found.signal_id
      limit 20
    ) as hit
  ),
  by_vectors as materialized (
    select asked.id, near.signal_id, near.rank
    from unnest($4::int[], $5::uuid[], $6::int[]) as near (ordinal, signal_id, rank)
    join asked using (ordinal)
  ),
  fused as materialized (
    select id, signal_id, words_rank, vectors_rank, score
    from (
      select id, signal_id, by_words.rank as words_rank, by_vectors.rank as vectors_rank, total.score,
        row_number() over (partition by id order by total.score desc, signal_id) as place
      from by_words
      full join by_vectors using (id, signal_id)
      cross join lateral (
        select coalesce(1.0::float8 / (60 + by_words.rank), 0) + coalesce(1.0::float8 / (60 + by_vectors.rank), 0) as score
      ) as total
    ) as ranked
    where place <= 15
  ),
  claimed as (
    select distinct on (fused.id, coalesce(claim.id, candidate.id))
      fused.id, probe.model, candidate.id as candidate_id, claim.id as claim_id,
      fused.score, fused.words_rank is not null as in_words, fused.vectors_rank is not null as in_vectors
    from fused
    join probe on probe.id = fused.id
    cross join lateral (
      select signals.id, signals.number from signals where signals.id = fused.signal_id offset 0
    ) as candidate
    left join lateral (
      select claims.id, claims.kind = probe.kind and claims.merged_into is null and claims.state <> 'dismissed' as is_open
      from claim_evidence join claims on claims.id = claim_evidence.claim_id
      where claim_evidence.signal_id = candidate.id and claim_evidence.workspace_id = probe.workspace_id
      offset 0
    ) as claim on true
    left join probe as earlier on earlier.id = fused.signal_id and earlier.kind = probe.kind
    where claim.is_open or (claim.id is null and earlier.id is not null and candidate.number < probe.number)
    order by fused.id, coalesce(claim.id, candidate.id), fused.score desc, candidate.number
  ),
  placed as (
    select * from (
      select *, row_number() over (partition by id order by score desc, candidate_id) as place from claimed
    ) as ranked
    where place <= $7
  )
  select placed.id, candidate_id, claim_id, said.text, score::real, in_words and in_vectors as in_both, measured.similarity
  from placed
  cross join lateral (
    select left(signals.text, 4000) as text from signals where signals.id = candidate_id offset 0
  ) as said
  left join lateral (
    select (1 - (own.embedding <=> other.embedding))::real as similarity
    from (select embedding from signal_vectors where signal_id = placed.id and model = placed.model offset 0) as own
    cross join (select embedding from signal_vectors where signal_id = candidate_id and model = placed.model offset 0) as other
    where in_vectors
  ) as measured on true
  order by placed.id, place`

export interface ClusterProbe {
  readonly id: SignalId
  readonly kind: ClaimKind
  readonly model: string
  /** The signals whose vectors are the nearest, the nearest first. */
  readonly near: readonly SignalId[]
}

/** A signal that may tell of the same root problem, and the claim it is evidence of. */
export interface Candidate {
  readonly signalId: SignalId
  /** Null when the signal is another probe, before this one, whose claim is yet to be found. */
  readonly claimId: ClaimId | null
  /** At most 4,000 characters of it. */
  readonly text: string
  readonly score: number
  /** Cosine; null when only words led to it, or when a vector is gone meanwhile. */
  readonly similarity: number | null
  /** Whether words and vectors both led to it. */
  readonly inBoth: boolean
}

interface CandidateRow {
  readonly id: SignalId
  readonly candidate_id: SignalId
  readonly claim_id: ClaimId | null
  readonly text: string
  readonly score: number
  readonly similarity: number | null
  readonly in_both: boolean
}

/** The best candidates of each stored signal, at most so many, the best first. */
export const findCandidates = async (
  transaction: Transaction,
  probes: readonly ClusterProbe[],
  atMost: number,
): Promise<ReadonlyMap<SignalId, readonly Candidate[]>> => {
  const near = probes.flatMap((probe, index) =>
    probe.near.map((signalId, place) => ({ ordinal: index + 1, signalId, rank: place + 1 })),
  )
  const rows = await transaction.query<CandidateRow>(FIND_CANDIDATES, [
    probes.map(probe => probe.id),
    probes.map(probe => probe.kind),
    probes.map(probe => probe.model),
    near.map(one => one.ordinal),
    near.map(one => one.signalId),
    near.map(one => one.rank),
    atMost,
  ])
  const candidates = new Map<SignalId, Candidate[]>(probes.map(probe => [probe.id, []]))
  for (const row of rows) {
    candidates.get(row.id)?.push({
      signalId: row.candidate_id,
      claimId: row.claim_id,
      text: row.text,
      score: row.score,
      similarity: row.similarity,
      inBoth: row.in_both,
    })
  }
  return candidates
}
