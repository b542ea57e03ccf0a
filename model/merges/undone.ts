/**
 * Whether what refuses a pair is that somebody took its merge back: the two were found to be the same, which is no
 * refusal. `row` is one of `merge_proposals`, by the name that the statement gives it.
 */
export const isUndoneMerge = (row: string): string => `exists (
  select from merges
  where merged_claim_id in (${row}.claim_id, ${row}.candidate_claim_id)
    and survivor_claim_id in (${row}.claim_id, ${row}.candidate_claim_id) and undone_at = ${row}.decided_at)`
