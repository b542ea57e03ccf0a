import type { Transaction } from '../../infra/postgres/port.ts'
import { signBits } from '../../infra/vector-index/sign-bits.ts'
import { toVector } from '../../infra/vectors.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'
import { CORRECTED_CHANCE } from '../merges/list-proposals.ts'
import type { Neighbours } from '../neighbours/neighbours.ts'
import { type Meaning, meaningCounts } from './meanings.ts'
import type { HeldTexts } from './search-texts.ts'

/** An object for which others that say the same are wanted. */
export interface Subject {
  readonly text: string
  /** The object's claims; for a signal, the claims that it is evidence of. */
  readonly claimIds: readonly ClaimId[]
}

const SIGNAL = `
  select text, array(select claim_id from claim_evidence where signal_id = signals.id) as claim_ids
  from signals where id = $1`
const CLAIM = 'select statement as text, array[id] as claim_ids from claims where id = $1'

export const subjectOf = async (
  transaction: Transaction,
  type: 'signal' | 'claim',
  id: string,
): Promise<Subject | undefined> => {
  const statement = type === 'signal' ? SIGNAL : CLAIM
  const [row] = await transaction.query<{ text: string; claim_ids: ClaimId[] }>(statement, [id])
  return row && { text: row.text, claimIds: row.claim_ids }
}

/** A signal that may say the same as the subject. */
export interface LikelySignal {
  readonly id: SignalId
  readonly text: string
  /** Score by the subject's words, 0 to 1. */
  readonly words: number
  /** Cosine of the stored vector to that of the own text of the subject. */
  readonly cosine: number
}

const LOOKED_AT = 60
const MEASURED = 24
const READ_CHARACTERS = 2000

const READ = `
  select id, left(text, ${READ_CHARACTERS}) as text, coalesce(1 - (embedding <=> $1::vector(1024)), 0) as cosine
  from signals
  left join lateral (
    select embedding from signal_vectors where signal_vectors.signal_id = signals.id and model = $2 offset 0
  ) as stored on true
  where signals.id = any ($3::uuid[])`

/**
 * Signals nearest to the subject's own text, by words and meaning: few enough to compare their own texts afterwards.
 */
export const likelySignals = async (
  transaction: Transaction,
  { own, meaning }: { readonly own: string; readonly meaning: Meaning },
  { texts, neighbours }: { readonly texts: HeldTexts; readonly neighbours: Neighbours },
): Promise<readonly LikelySignal[]> => {
  if (neighbours.isWhole(meaning)) await neighbours.refresh(transaction, [meaning])
  const byWords = new Map(texts.search(own, ['signal'], LOOKED_AT).map(({ id, score }) => [id, score]))
  const near = neighbours.nearest(meaning, signBits(meaning.vector), LOOKED_AT)
  neighbours.forgetOldest()
  const ids = [...new Set([...byWords.keys(), ...near.map(({ signalId }) => signalId)])]
  const rows = await transaction.query<{ id: SignalId; text: string; cosine: number }>(READ, [
    toVector(meaning.vector),
    meaning.model,
    ids,
  ])
  const measured = rows.map(row => ({ ...row, words: byWords.get(row.id) ?? 0 }))
  return nearestFirst(measured, meaning.model).slice(0, MEASURED)
}

/** Nearest first, by words and meaning as in a search. */
export const nearestFirst = <Near extends Pick<LikelySignal, 'id' | 'words' | 'cosine'>>(
  signals: readonly Near[],
  model: string,
): readonly Near[] => {
  const { share } = meaningCounts(model)
  const scoreOf = ({ words, cosine }: Near) => words + share * cosine
  return signals.toSorted((one, other) => scoreOf(other) - scoreOf(one) || (one.id < other.id ? 1 : -1))
}

interface Counted {
  readonly id: string
  readonly number: number
  /** Title of a claim, or text of a signal. */
  readonly text: string
  /** Signals and their repeats. */
  readonly signals: number
  /** Chance that it is the same as the subject; null when the pair has none. */
  readonly chance: number | null
}

// Pairs that wait or are set aside. A settled pair has no chance any more.
const CHANCES = `
  chances as materialized (
    select surviving_claim(other_claim_id) as claim_id, max(${CORRECTED_CHANCE}) as chance
    from unnest($2::uuid[]) as own (id) cross join lateral proposals_of_lineage(own.id) as pair
    join merge_proposals proposal on proposal.id = pair.proposal_id
    where state in ('waiting', 'set_aside') and proposal.chance is not null
    group by 1
  )`

const LIKELY_CLAIMS = `
  with ${CHANCES}, evidence as (
    select claim_id, min(place) as place
    from unnest($1::uuid[]) with ordinality as near (signal_id, place)
    join claim_evidence using (signal_id) group by claim_id
  )
  select claims.id, claims.number, title as text, coalesce(signals, 0) as signals, chance
  from evidence join claims on claims.id = evidence.claim_id left join priority_totals on target_id = claims.id
    left join chances on chances.claim_id = claims.id
  where claims.state <> 'dismissed' and merged_into is null and not claims.id = any ($2)
  order by place limit $3`

const LIKELY_SIGNALS = `
  with ${CHANCES}
  select signals.id, signals.number, left(signals.text, ${READ_CHARACTERS}) as text,
    1 + (select count(*)::integer from occurrences where occurrences.signal_id = signals.id) as signals,
    (select max(chance) from claim_evidence join chances using (claim_id) where claim_evidence.signal_id = signals.id) as chance
  from unnest($1::uuid[]) with ordinality as near (id, place) join signals on signals.id = near.id
  where signals.id not in (select id from occurrences where id = any ($1))
  order by place limit $3`

/** The nearest signals themselves, or their claims, nearest first. */
export const likelySame = (
  transaction: Transaction,
  type: 'signal' | 'claim',
  {
    nearest,
    claimIds,
    most,
  }: { readonly nearest: readonly string[]; readonly claimIds: readonly ClaimId[]; readonly most: number },
): Promise<Counted[]> =>
  transaction.query<Counted>(type === 'signal' ? LIKELY_SIGNALS : LIKELY_CLAIMS, [nearest, claimIds, most])
