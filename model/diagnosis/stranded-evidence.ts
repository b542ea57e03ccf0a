/**
 * Evidence without a living claim, in the workspace `requested.id`, as subqueries. The database refuses the first two
 * kinds now; these find rows that were written before, or past it.
 */

/** Evidence and Solutions' links on a claim that was merged into another. */
export const MISPLACED = `
  select claim_evidence.claim_id from claims as away join claim_evidence on claim_evidence.claim_id = away.id
  where away.workspace_id = requested.id and away.merged_into is not null
  union all
  select solution_claims.claim_id from claims as away join solution_claims on solution_claims.claim_id = away.id
  where away.workspace_id = requested.id and away.merged_into is not null`

/** Time that the pipeline needs to cluster a stored signal. */
const CLUSTERED_WITHIN = `interval '1 hour'`

/**
 * Signals that lost their claim: a problem or an idea starts a claim when it joins no other, so one that is evidence of
 * none has lost it. Repeats count with their originals, and failed signals are dead letters.
 */
export const STRANDED = `
  select stranded.id, stranded.number, stranded.inserted_at from signals as stranded
  where stranded.workspace_id = requested.id and stranded.state <> 'dismissed'
    and stranded.classification in ('problem', 'idea') and stranded.inserted_at < now() - ${CLUSTERED_WITHIN}
    and not exists (
      select from claim_evidence
      where claim_evidence.workspace_id = stranded.workspace_id and claim_evidence.signal_id = stranded.id)
    and not exists (select from occurrences where occurrences.id = stranded.id)
    and not exists (select from dead_letters where dead_letters.signal_id = stranded.id and dead_letters.state = 'waiting')`
