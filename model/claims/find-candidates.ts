import type { Transaction } from '../../infra/postgres/port.ts'
import type { WordComparison } from '../../infra/word-index/port.ts'
import { READ_CHARACTERS, type TITLE_CHARACTERS, titleLength } from '../../infra/word-index/terms.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState, Classification, SignalState } from '../../schemas/domain/vocabulary.ts'
import { SPEAKS_AS } from '../signals/perhaps.ts'
import type { Words } from '../words/words.ts'
import { findNear, type NearSignal, vectorsShare } from './near-signals.ts'
import { MAY_START_CLAIM } from './start-claims.ts'

/** Candidates of a signal. */
const CANDIDATES = 10
/** Length of a title when the first sentence is too long for one. */
const MAX_TITLE = 120

/** Best known identity of the writer. */
const ACTOR = 'coalesce(actor_key, actor_email, actor_name)'
/** True when the sender gave a time: without one, a signal occurs when it is received. */
const IS_DATED = '(occurred_at <> received_at)'

/**
 * Measures the exact similarity of vectors, and keeps the best rows, one for each claim. A probe's own vector is read
 * once. `offset 0` makes the planner use an index for each look-up: without statistics, as after a flood, it would read
 * a whole workspace for each row.
 */
const READ_BEST = `
  with probe as materialized (
    select requested.ordinal, requested.workspace_id, requested.model, requested.share, l2_normalize(own.embedding) as embedding,
      own_signal.actor, own_signal.is_dated
    from unnest($1::uuid[], $2::uuid[], $3::text[], $7::float8[])
      with ordinality as requested (id, workspace_id, model, share, ordinal)
    left join lateral (
      select embedding from signal_vectors where signal_id = requested.id and model = requested.model offset 0
    ) as own on true
    left join lateral (
      select ${ACTOR} as actor, ${IS_DATED} as is_dated from signals where signals.id = requested.id offset 0
    ) as own_signal on true
  ),
  measured as materialized (
    select pair.ordinal, pair.signal_id, near.similarity, pair.score + coalesce(near.similarity, 0) * probe.share as score
    from unnest($4::int[], $5::uuid[], $6::float8[]) as pair (ordinal, signal_id, score)
    join probe using (ordinal)
    left join lateral (
      select -(embedding <#> probe.embedding) as similarity
      from signal_vectors where signal_id = pair.signal_id and model = probe.model offset 0
    ) as near on true
  ),
  claimed as (
    select distinct on (measured.ordinal, coalesce(claim.id, measured.signal_id)) measured.*,
      claim.id as claim_id, claim.kind as claim_kind, claim.state as claim_state
    from measured
    join probe using (ordinal)
    left join lateral (
      select claims.id, claims.kind, claims.state
      from claim_evidence join claims on claims.id = claim_evidence.claim_id
      where claim_evidence.signal_id = measured.signal_id and claim_evidence.workspace_id = probe.workspace_id
      offset 0
    ) as claim on true
    order by measured.ordinal, coalesce(claim.id, measured.signal_id), measured.score desc, measured.signal_id
  ),
  placed as (
    select * from (
      select *, row_number() over (partition by ordinal order by score desc, signal_id) as rank from claimed
    ) as ranked
    where rank <= $8
  )
  select placed.ordinal::int - 1 as position, placed.signal_id, rank::int, score, similarity,
    claim_id, claim_kind, claim_state, said.*,
    coalesce(probe.is_dated, false) and is_other_dated and coalesce(probe.actor = other_actor, false) as may_be_series
  from placed
  join probe using (ordinal)
  cross join lateral (
    select ${SPEAKS_AS} as kind, state, left(text, $9) as text, source, ${MAY_START_CLAIM} as may_start,
      floor(extract(epoch from occurred_at) * 1000)::float8 as occurred_at, ${ACTOR} as other_actor, ${IS_DATED} as is_other_dated
    from signals where signals.id = placed.signal_id offset 0
  ) as said
  order by placed.ordinal, rank`

export interface CandidateProbe {
  readonly id: SignalId
  readonly workspaceId: WorkspaceId
  readonly number: number
  readonly model: string
  /** Signals with the nearest vectors by sign bits, nearest first. */
  readonly near: readonly { readonly signalId: SignalId; readonly distance: number }[]
}

/**
 * Standing of a candidate:
 * - `claimed`: it is evidence of a claim that can be joined.
 * - `ahead`: it is an earlier probe, whose claim is not known yet.
 * - `dismissed`: its claim was dismissed.
 * - `unclaimed`: it has no claim, as a question.
 */
type Standing = 'claimed' | 'ahead' | 'dismissed' | 'unclaimed'

/** A signal that may say the same, of any kind and state. */
export interface Candidate {
  readonly signalId: SignalId
  readonly standing: Standing
  readonly claimId: ClaimId | null
  readonly claimKind: ClaimKind | null
  /** Score by words, titles and vectors, 0 to 1; comparable between signals. */
  readonly score: number
  /** From 1. */
  readonly rank: number
  /** Comparison by rare words; null when the words are not in memory. */
  readonly compared: WordComparison | null
  /** Rank among the 30 nearest by words, from 1; null for others. */
  readonly wordsRank: number | null
  /** Cosine; null when one of the two has no vector of the model. */
  readonly similarity: number | null
  /** Rank among the 50 nearest by sign bits, from 1. */
  readonly vectorsRank: number | null
  /** Kind that the signal speaks as. */
  readonly kind: Classification
  readonly state: SignalState
  /** True when it has no claim, and gets one when people are asked about it. */
  readonly mayStartClaim: boolean
  /** First line or sentence. */
  readonly title: string
  /** The first 2,000 characters, or fewer on request. */
  readonly text: string
  readonly occurredAt: Date
  /** True when both senders gave a time, and one person wrote the signals. */
  readonly mayBeSeries: boolean
  readonly source: string | null
}

interface Row {
  readonly position: number
  readonly signal_id: SignalId
  readonly rank: number
  readonly score: number
  readonly similarity: number | null
  readonly claim_id: ClaimId | null
  readonly claim_kind: ClaimKind | null
  readonly claim_state: ClaimState | null
  readonly kind: Classification
  readonly state: SignalState
  readonly may_start: boolean
  readonly text: string
  /** Milliseconds since the epoch: reading a date takes four times the memory. */
  readonly occurred_at: number
  readonly may_be_series: boolean
  readonly source: string | null
}

/**
 * The best candidates of each stored signal, best first. Refresh `words` for the probes' workspaces before. A probe
 * with a higher number is no candidate: it finds this signal itself. `characters` is the length of texts to read, at
 * least enough for titles.
 */
export const findCandidates = async (
  transaction: Transaction,
  words: Words,
  probes: readonly CandidateProbe[],
  characters: typeof TITLE_CHARACTERS | typeof READ_CHARACTERS = READ_CHARACTERS,
): Promise<ReadonlyMap<SignalId, readonly Candidate[]>> => {
  const numbers = new Map(probes.map(({ id, number }) => [id, number]))
  const parts: Promise<readonly Found[]>[] = []
  for (let begin = 0; begin < probes.length; begin += PROBES_A_QUERY) {
    const looked = probes.slice(begin, begin + PROBES_A_QUERY).map(probe => ({
      probe,
      near: findNear(words, probe, signalId => signalId !== probe.id && (numbers.get(signalId) ?? 0) <= probe.number),
    }))
    parts.push(readBest(transaction, looked, characters))
  }
  const candidates = new Map<SignalId, readonly Candidate[]>()
  for (const { probe, near, best } of (await Promise.all(parts)).flat()) {
    candidates.set(
      probe.id,
      best.map(({ row, found }) => candidateOf(row, found, numbers.has(row.signal_id))),
    )
    // None of the remembered signals is stored any more: the workspace was emptied.
    if (near.length > 0 && best.length === 0) words.forget(probe.workspaceId)
  }
  return candidates
}

/** Probes of one query: the database measures some while the next are looked up in memory. */
const PROBES_A_QUERY = 100

/** Near signals of a probe from memory. */
interface Looked {
  readonly probe: CandidateProbe
  readonly near: readonly NearSignal[]
}

interface Found extends Looked {
  /** Best first. */
  readonly best: readonly { readonly row: Row; readonly found: NearSignal }[]
}

const readBest = async (
  transaction: Transaction,
  looked: readonly Looked[],
  characters: number,
): Promise<readonly Found[]> => {
  const pairs = looked.flatMap(({ near }, index) => near.map(one => ({ ordinal: index + 1, one })))
  const found = looked.map(one => ({ ...one, best: [] as Found['best'][number][] }))
  if (pairs.length === 0) return found
  const rows = await transaction.query<Row>(READ_BEST, [
    looked.map(({ probe }) => probe.id),
    looked.map(({ probe }) => probe.workspaceId),
    looked.map(({ probe }) => probe.model),
    pairs.map(({ ordinal }) => ordinal),
    pairs.map(({ one }) => one.signalId),
    pairs.map(({ one }) => one.score),
    looked.map(({ probe }) => vectorsShare(probe.model)),
    CANDIDATES,
    characters,
  ])
  for (const row of rows) {
    const of = found[row.position]
    const near = of?.near.find(({ signalId }) => signalId === row.signal_id)
    if (near !== undefined) of?.best.push({ row, found: near })
  }
  return found
}

const candidateOf = (row: Row, found: NearSignal, isProbe: boolean): Candidate => ({
  signalId: row.signal_id,
  standing: standingOf(row, isProbe),
  claimId: row.claim_id,
  claimKind: row.claim_kind,
  score: row.score,
  rank: row.rank,
  compared: found.compared,
  wordsRank: found.wordsRank,
  similarity: row.similarity,
  vectorsRank: found.bitsRank,
  kind: row.kind,
  state: row.state,
  mayStartClaim: row.claim_id === null && row.may_start,
  title: titleIn(row.text),
  text: row.text,
  occurredAt: new Date(row.occurred_at),
  mayBeSeries: row.may_be_series,
  source: row.source,
})

/** First line or sentence of a text. */
const titleIn = (text: string): string => text.slice(0, titleLength(text) || MAX_TITLE)

const standingOf = ({ claim_id, claim_state }: Row, isProbe: boolean): Standing => {
  if (claim_id === null) return isProbe ? 'ahead' : 'unclaimed'
  return claim_state === 'dismissed' ? 'dismissed' : 'claimed'
}
