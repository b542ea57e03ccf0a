import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { reference } from '../../schemas/domain/vocabulary.ts'

/** Evidence and links to Solutions, which a merge moves to the surviving claim. */
const HUNG = `
  select claim_id, origins from claim_evidence where claim_id = any ($1::uuid[])
  union select claim_id, origins from solution_claims where claim_id = any ($1::uuid[])`

const MERGED_AWAY = `
  select claims.number, survivor.number as into_number
  from (${HUNG}) as hung
    join claims on claims.id = claim_id
    join claims as survivor on survivor.id = claims.merged_into
  order by claims.number limit 1`

const PULLED_APART = `
  select claims.number, origin.number as origin_number
  from (select distinct claim_id, came_by from (${HUNG}) as hung cross join lateral unnest(origins) as came_by) as hung
    join claims on claims.id = claim_id
    join claims as origin on origin.id = came_by
  where surviving_claim(came_by) <> claim_id
  order by claims.number, origin.number limit 1`

/**
 * Call after rows of these claims were restored. Throws `conflict` when a claim was merged into another since (the
 * database would refuse that at the commit, in its own words), and when evidence that came through another claim would
 * stay without that claim.
 */
export const refuseMisplacedEvidence = async (transaction: Transaction, claims: ReadonlySet<string>): Promise<void> => {
  if (claims.size === 0) return
  const ids = [[...claims]]
  const [away] = await transaction.query<{ number: number; into_number: number }>(MERGED_AWAY, ids)
  if (away !== undefined) {
    const [name, into] = [reference('claim', away.number), reference('claim', away.into_number)]
    throw new AssayError(
      'conflict',
      `${name} was merged into ${into} since. Nothing was changed. Take that back first: service_decide mode triage, action undo, claim_id ${name}.`,
      { context: { merged: name, into } },
    )
  }
  const [apart] = await transaction.query<{ number: number; origin_number: number }>(PULLED_APART, ids)
  if (apart === undefined) return
  const [name, origin] = [reference('claim', apart.number), reference('claim', apart.origin_number)]
  throw new AssayError(
    'conflict',
    `${name} would keep what came to it by ${origin}, which would be a claim of its own. Nothing was changed. Pull the two apart with all that belongs to each: service_decide mode triage, action undo, claim_id ${origin}; or merge ${origin} into ${name} again first.`,
    { context: { claim: name, origin } },
  )
}

const STRANDED = `
  select number from signals
  where id = any ($1::uuid[]) and state <> 'dismissed' and classification in ('problem', 'idea')
    and not exists (select from claim_evidence where claim_evidence.signal_id = signals.id)
    and not exists (select from occurrences where occurrences.id = signals.id)
  order by number limit 1`

/**
 * Call after these Signals lost a claim that they had not started. Throws `conflict` when one was reclassified since,
 * and would be a problem or an idea without a claim.
 */
export const refuseStrandedSignals = async (transaction: Transaction, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  const [stranded] = await transaction.query<{ number: number }>(STRANDED, [ids])
  if (stranded === undefined) return
  const name = reference('signal', stranded.number)
  throw new AssayError(
    'conflict',
    `${name} was reclassified since, and would be evidence of no claim. Nothing was changed. Take that back first: service_decide mode triage, action undo, signal_id ${name}.`,
  )
}
