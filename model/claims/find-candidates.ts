import type { Transaction } from '../../infra/postgres/port.ts'
import type { WordComparison } from '../../infra/word-index/port.ts'
import { READ_CHARACTERS, type TITLE_CHARACTERS, titleLength } from '../../infra/word-index/terms.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState, Classification, SignalState } from '../../schemas/domain/vocabulary.ts'
import type { Words } from '../words/words.ts'
import { findNear, type NearSignal, vectorsShare } from './near-signals.ts'
import { MAY_START_CLAIM } from './start-claims.ts'

/** How many candidates a signal gets. */
const CANDIDATES = 10
/** Of a text whose first sentence is too long for one. */
const MAX_TITLE = 120

/** What is known best of who wrote it. */
const ACTOR = 'coalesce(actor_key, actor_email, actor_name)'
/** Whether the sender of a signal said when it was said: else that is when it came. */
const IS_DATED = '(occurred_at <> received_at)'

/**
 * Measures exactly how near the vectors are, and reads the best: of a claim, the best one. A probe's own vector is
 * taken out of its storage once. `offset 0` keeps each look-up one by its index: without statistics, as after a flood,
 * the planner would read a whole workspace for every row.
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
    coalesce(probe.is_dated, false) and is_other_dated and coalesce(probe.actor = other_actor, true) as may_be_series
  from placed
  join probe using (ordinal)
  cross join lateral (
    select classification as kind, state, left(text, $9) as text, source, ${MAY_START_CLAIM} as may_start,
      floor(extract(epoch from occurred_at) * 1000)::float8 as occurred_at, ${ACTOR} as other_actor, ${IS_DATED} as is_other_dated
    from signals where signals.id = placed.signal_id offset 0
  ) as said
  order by placed.ordinal, rank`

export interface CandidateProbe {
  readonly id: SignalId
  readonly workspaceId: WorkspaceId
  readonly number: number
  readonly model: string
  /** The signals whose vectors are the nearest by their sign bits, the nearest first. */
  readonly near: readonly { readonly signalId: SignalId; readonly distance: number }[]
}

/**
 * Where a candidate stands: it is evidence of a claim that can be joined; it is a probe before this one, whose claim is
 * yet to be found; its claim was dismissed; or it has none, as a question.
 */
type Standing = 'claimed' | 'ahead' | 'dismissed' | 'unclaimed'

/** A signal that may tell of the same, of whichever kind and state. */
export interface Candidate {
  readonly signalId: SignalId
  readonly standing: Standing
  readonly claimId: ClaimId | null
  readonly claimKind: ClaimKind | null
  /** By words, titles and vectors together, 0 to 1: comparable between signals. */
  readonly score: number
  /** From 1. */
  readonly rank: number
  /** By the words that are rare in the workspace; null where the words are not held. */
  readonly compared: WordComparison | null
  /** Among the 30 nearest by words, from 1; null for one that is not among them. */
  readonly wordsRank: number | null
  /** Cosine; null where one of the two has no vector of the model. */
  readonly similarity: number | null
  /** Among the 50 nearest by the vectors' signs, from 1. */
  readonly vectorsRank: number | null
  readonly kind: Classification
  readonly state: SignalState
  /** It has no claim, and gets one where people are asked about it. */
  readonly mayStartClaim: boolean
  /** The first line or sentence. */
  readonly title: string
  /** Its first 2,000 characters, or fewer where those are not asked for. */
  readonly text: string
  readonly occurredAt: Date
  /** Whether the senders of both signals say when these were said, and nothing says that two people wrote them. */
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
  /** In milliseconds since 1970: a quarter of the memory that it takes to read a date. */
  readonly occurred_at: number
  readonly may_be_series: boolean
  readonly source: string | null
}

/**
 * The best candidates of each stored signal, the best first. `words` must be refreshed for the probes' workspaces. A
 * probe with a higher number is none: it finds this one itself. `characters` is how much of the texts is read: enough
 * for their titles at least.
 */
export const findCandidates = async (
  transaction: Transaction,
  words: Words,
  probes: readonly CandidateProbe[],
  characters: typeof TITLE_CHARACTERS | typeof READ_CHARACTERS = READ_CHARACTERS,
): Promise<ReadonlyMap<SignalId, readonly Candidate[]>> => {
  const numbers = new Map(probes.map(({ id, number }) => [id, number]))
  const parts: Promise<readonly Found[]>[] = []
  for (let begin = 0; begin < probes.length; begin += AT_ONCE) {
    const looked = probes.slice(begin, begin + AT_ONCE).map(probe => ({
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
    // None of what memory has is stored any more: the workspace was emptied.
    if (near.length > 0 && best.length === 0) words.forget(probe.workspaceId)
  }
  return candidates
}

/** So many are looked up together: the database measures some while the next are looked up in memory. */
const AT_ONCE = 100

/** What memory finds near a probe. */
interface Looked {
  readonly probe: CandidateProbe
  readonly near: readonly NearSignal[]
}

interface Found extends Looked {
  /** The best first. */
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

/** The first line or sentence of a text. */
const titleIn = (text: string): string => text.slice(0, titleLength(text) || MAX_TITLE)

const standingOf = ({ claim_id, claim_state }: Row, isProbe: boolean): Standing => {
  if (claim_id === null) return isProbe ? 'ahead' : 'unclaimed'
  return claim_state === 'dismissed' ? 'dismissed' : 'claimed'
}
