import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalOrigin } from '../../schemas/domain/vocabulary.ts'

/** A signal's part of its actor's term. A repeated signal weighs once for each time. */
interface SignalShare {
  readonly signal_number: number
  readonly signal_origin: SignalOrigin
  /** Number of times that the actor said it. */
  readonly signal_count: number
  readonly weight: number
  /** Part of the whole evidence priority, 0 to 1. */
  readonly share: number
}

/** An actor's term of a Solution's evidence priority. */
interface PriorityTerm {
  /** The sender's name for the actor. */
  readonly actor_name: string | null
  readonly source: string | null
  readonly weight: number
  /** `ln(1 + weight)`: the actor's addition to the evidence priority. */
  readonly term: number
  /** Part of the whole evidence priority, 0 to 1. */
  readonly share: number
  /** The actor's heaviest recent signals. */
  readonly signals: readonly SignalShare[]
}

export interface Explanation {
  /** Number of all actors; `terms` has the heaviest. */
  readonly actors: number
  readonly terms: readonly PriorityTerm[]
}

const MAX_SIGNALS_AN_ACTOR = 10

/** Newest signals of a Solution among which actors' signals are looked for: a Solution may have a hundred thousand. */
const LOOKED_AT = 500

// Actors' weights come from stored sums. `offset 0` makes the planner look up signals one by one.
const EXPLANATION = `
  with heaviest as (
    select actor, actor_name, source, actor_weights.weight * decay as weight, ln(1 + actor_weights.weight * decay) as term
    from actor_weights cross join evidence_decay($1::timestamptz) as decay
    where target_id = $2
    order by actor_weights.weight desc, actor
    limit $3 offset $4
  ),
  priorities as (
    select sum(ln(1 + weight * decay)) as evidence_priority
    from actor_weights cross join evidence_decay($1::timestamptz) as decay where target_id = $2
  ),
  newest as (
    select signal_id
    from solution_claims cross join lateral (
      select signal_id, newest_at from claim_evidence where claim_evidence.claim_id = solution_claims.claim_id
      order by newest_at desc limit ${LOOKED_AT}
    ) as of_claim
    where solution_id = $2
    group by signal_id
    order by max(newest_at) desc
    limit ${LOOKED_AT}
  ),
  weighed as (
    select newest.signal_id, actor, count(*)::integer as signal_count, sum(weight) * evidence_decay($1::timestamptz) as weight
    from newest cross join lateral (
      select actor, weight from weighted_evidence where weighted_evidence.signal_id = newest.signal_id offset 0
    ) as parts
    group by newest.signal_id, actor
  ),
  shares as materialized (
    select heaviest.actor, signals.number as signal_number, signals.signal_origin, signal_count, weighed.weight,
      weighed.weight / heaviest.weight * heaviest.term / priorities.evidence_priority as share,
      row_number() over (partition by heaviest.actor order by weighed.weight desc, signals.number) as place
    from heaviest
      join weighed using (actor)
      join signals on signals.id = weighed.signal_id
      cross join priorities
  )
  select (select priority_totals.actors from priority_totals where target_id = $2) as actors, actor_name, source, weight, term,
    term / (select evidence_priority from priorities) as share,
    coalesce((select jsonb_agg(jsonb_build_object('signal_number', signal_number, 'signal_origin', signal_origin, 'signal_count', signal_count,
        'weight', shares.weight, 'share', share) order by place)
      from shares where shares.actor = heaviest.actor and place <= ${MAX_SIGNALS_AN_ACTOR}), '[]'::jsonb) as signals
  from heaviest
  order by term desc, actor`

// Reads stored sums alone, independent of the amount of evidence.
const TERMS = `
  select (select priority_totals.actors from priority_totals where target_id = $2) as actors, actor_name, source,
    weight * decay as weight, ln(1 + weight * decay) as term,
    ln(1 + weight * decay) / (select sum(ln(1 + weight * decay)) from actor_weights where target_id = $2) as share, '[]'::jsonb as signals
  from actor_weights cross join evidence_decay($1::timestamptz) as decay
  where target_id = $2
  order by actor_weights.weight desc, actor
  limit $3`

/** Explains without the actors' signals, which needs no look at the evidence. */
export const explainTerms = (
  transaction: Transaction,
  now: Date,
  solutionId: string,
  limit: number,
): Promise<Explanation> => explained(transaction, TERMS, [now, solutionId, limit])

const explained = async (
  transaction: Transaction,
  statement: string,
  values: readonly unknown[],
): Promise<Explanation> => {
  const rows = await transaction.query<PriorityTerm & { actors: number }>(statement, values)
  return { actors: rows[0]?.actors ?? 0, terms: rows.map(({ actors: _, ...term }) => term) }
}

/**
 * Explains a Solution's evidence priority as of `now`: `limit` actors from `offset`, heaviest first, each with at most
 * ten of the newest signals and their parts. Empty behind the last actor.
 */
export const readPriorityTerms = (
  transaction: Transaction,
  now: Date,
  solutionId: string,
  limit: number,
  offset = 0,
): Promise<Explanation> => explained(transaction, EXPLANATION, [now, solutionId, limit, offset])
