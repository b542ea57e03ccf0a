import type { Transaction } from '../../infra/postgres/port.ts'
import type { VectorSpace } from '../neighbours/stored-bits.ts'

/** As much of a text is enough to make a pair of. */
const MAX_CHARACTERS = 2000

const TEXTS = `
  select number, left(text, ${MAX_CHARACTERS}) as text from signals
  where workspace_id = $1 and ($2::int is null or number < $2) order by number desc limit $3`

/** The newest signals before a number, or of all. */
export const readTextsToCalibrate = (
  transaction: Transaction,
  workspaceId: VectorSpace['workspaceId'],
  before: number | null,
  most: number,
): Promise<readonly { readonly number: number; readonly text: string }[]> =>
  transaction.query(TEXTS, [workspaceId, before, most])

const MAX_PAIRS = 500
const EVIDENCE_LOOKED_AT = 5

// Of two claims that are kept apart, their nearest signals say what the refusal was about.
const LABELLED = `
  with said as (
    (select true as same, id as left_id, signal_id as right_id from occurrences
     where workspace_id = $1 and reason = 'member' order by received_at desc limit ${MAX_PAIRS})
    union all
    (select false, nearest.left_id, nearest.right_id
     from (
       select claim_id, candidate_claim_id from merge_proposals
       where workspace_id = $1 and state = 'refused' and not implied order by decided_at desc limit ${MAX_PAIRS}
     ) as refused
     cross join lateral (
       select one.signal_id as left_id, other.signal_id as right_id
       from (select signal_id from claim_evidence where claim_id = refused.claim_id limit ${EVIDENCE_LOOKED_AT}) as one
       cross join (
         select signal_id from claim_evidence where claim_id = refused.candidate_claim_id limit ${EVIDENCE_LOOKED_AT}
       ) as other
       join signal_vectors as one_vector on one_vector.signal_id = one.signal_id and one_vector.model = $2
       join signal_vectors as other_vector on other_vector.signal_id = other.signal_id and other_vector.model = $2
       order by one_vector.embedding <=> other_vector.embedding limit 1
     ) as nearest)
  )
  select same, 1 - (left_vector.embedding <=> right_vector.embedding) as raw,
    left(left_signal.text, ${MAX_CHARACTERS}) as left, left(right_signal.text, ${MAX_CHARACTERS}) as right
  from said
  join signal_vectors as left_vector on left_vector.signal_id = left_id and left_vector.model = $2
  join signal_vectors as right_vector on right_vector.signal_id = right_id and right_vector.model = $2
  join signals as left_signal on left_signal.id = left_id
  join signals as right_signal on right_signal.id = right_id`

/** Pairs that people marked as repeats, and pairs of claims that they keep apart, with the raw cosine of their signals. */
export const readLabelledPairs = (
  transaction: Transaction,
  { workspaceId, model }: VectorSpace,
): Promise<
  readonly { readonly same: boolean; readonly raw: number; readonly left: string; readonly right: string }[]
> => transaction.query(LABELLED, [workspaceId, model])
