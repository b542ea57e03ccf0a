import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalOrigin } from '../../schemas/domain/vocabulary.ts'

/** One signal's part of an actor's term. A signal that its actor repeated weighs once for each time. */
interface SignalShare {
  readonly signal_number: number
  readonly signal_origin: SignalOrigin
  /** How often the actor said it. */
  readonly signal_count: number
  readonly weight: number
  /** 0 to 1, of the whole evidence priority. */
  readonly share: number
}

/** One actor's term of a Solution's evidence priority. */
interface PriorityTerm {
  /** What the sender called the actor. */
  readonly actor_name: string | null
  readonly source: string | null
  readonly weight: number
  /** `ln(1 + weight)`: what the actor adds to the evidence priority. */
  readonly term: number
  /** 0 to 1, of the whole evidence priority. */
  readonly share: number
  readonly signals: readonly SignalShare[]
}

export interface Explanation {
  /** All actors; `terms` holds the heaviest of them. */
  readonly actors: number
  readonly terms: readonly PriorityTerm[]
}

const MAX_SIGNALS_AN_ACTOR = 10

const EXPLANATION = `
  with weighed as (
    select parts.signal_id, actor, actor_name, source, weight * evidence_decay($1::timestamptz) as weight
    from solution_evidence join weighted_evidence as parts using (workspace_id, signal_id)
    where solution_id = $2
  ),
  terms as (
    select actor, max(actor_name) as actor_name, max(source) as source, sum(weight) as weight, ln(1 + sum(weight)) as term
    from weighed
    group by actor
  ),
  priorities as (select sum(term) as evidence_priority, count(*)::integer as actors from terms),
  heaviest as (select * from terms order by term desc, actor limit $3 offset $4),
  shares as (
    select heaviest.actor, signals.number as signal_number, signals.signal_origin, count(*)::integer as signal_count,
      sum(weighed.weight) as weight,
      sum(weighed.weight) / heaviest.weight * heaviest.term / priorities.evidence_priority as share,
      row_number() over (partition by heaviest.actor order by sum(weighed.weight) desc, signals.number) as place
    from heaviest
      join weighed using (actor)
      join signals on signals.id = weighed.signal_id
      cross join priorities
    group by heaviest.actor, heaviest.weight, heaviest.term, priorities.evidence_priority, signals.number, signals.signal_origin
  )
  select (select actors from priorities) as actors, actor_name, source, weight, term,
    term / (select evidence_priority from priorities) as share,
    (select jsonb_agg(jsonb_build_object('signal_number', signal_number, 'signal_origin', signal_origin, 'signal_count', signal_count,
        'weight', shares.weight, 'share', share) order by place)
      from shares where shares.actor = heaviest.actor and place <= ${MAX_SIGNALS_AN_ACTOR}) as signals
  from heaviest
  order by term desc, actor`

// The kept sums alone: no look at the evidence, however much there is.
const TERMS = `
  select (select priority_totals.actors from priority_totals where target_id = $2) as actors, actor_name, source,
    weight * decay as weight, ln(1 + weight * decay) as term,
    ln(1 + weight * decay) / (select sum(ln(1 + weight * decay)) from actor_weights where target_id = $2) as share, '[]'::jsonb as signals
  from actor_weights cross join evidence_decay($1::timestamptz) as decay
  where target_id = $2
  order by actor_weights.weight desc, actor
  limit $3`

/** The same without the signals of each actor, which needs no look at the evidence. */
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
 * Why a Solution stands where it does as of `now`: `limit` of its actors, the heaviest first from `offset` on, each
 * with at most ten signals and their shares. Beyond the last actor, nothing.
 */
export const readPriorityTerms = (
  transaction: Transaction,
  now: Date,
  solutionId: string,
  limit: number,
  offset = 0,
): Promise<Explanation> => explained(transaction, EXPLANATION, [now, solutionId, limit, offset])
