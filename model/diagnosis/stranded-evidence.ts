/**
 * Evidence that hangs on nothing that lives, of the workspace `requested.id`, as subqueries. The database refuses the
 * first two; what was there before it did, or came past it, is found here.
 */

/** Pieces of evidence, and Solutions' links, that hang on a claim that was merged into another. */
export const MISPLACED = `
  select claim_evidence.claim_id from claims as away join claim_evidence on claim_evidence.claim_id = away.id
  where away.workspace_id = requested.id and away.merged_into is not null
  union all
  select solution_claims.claim_id from claims as away join solution_claims on solution_claims.claim_id = away.id
  where away.workspace_id = requested.id and away.merged_into is not null`

/** By then the pipeline has clustered what it stored. */
const CLUSTERED_WITHIN = `interval '1 hour'`

/**
 * Signals that were of a claim and are evidence of none: a problem or an idea starts a claim of its own where it joins
 * no other, so that one without any has lost it. What repeats another counts there; what failed is a dead letter.
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
