/** After this many days a signal weighs half. */
const HALF_LIFE_DAYS = 90

/** What a signal of each origin weighs on the day it happened. */
const ORIGIN_WEIGHTS = { customer: 1, operational: 0.7, internal: 0.4 } as const

const originWeight = `case signal_origin ${Object.entries(ORIGIN_WEIGHTS)
  .map(([origin, weight]) => `when '${origin}' then ${weight}`)
  .join(' ')} end`

/** One person is one actor wherever their address is known; else whoever a source calls by one name. */
const actor = `coalesce(actor_key, concat_ws(chr(31), coalesce(source, source_id::text, channel), actor_name))`

const weighedFrom = (table: string, signalId: string, condition: string): string => `
    select evidence.target_id, evidence.signal_id, ${actor} as actor, actor_name, source,
      (${originWeight})::double precision
        * 0.5::double precision ^ (greatest(0, extract(epoch from $1::timestamptz - occurred_at)) / 86400 / ${HALF_LIFE_DAYS})
        as weight
    from evidence join ${table} on ${table}.${signalId} = evidence.signal_id
    where ${condition}`

/**
 * Common table expressions that weigh evidence as of `$1`. They read `evidence (target_id, signal_id)`, distinct pairs that the
 * statement defines, and give:
 * `weighed`, a row for each signal and each of its occurrences; `terms`, one for each actor behind a target,
 * `ln(1 + sum of weights)`; and `priorities`, `evidence_priority` with what is behind it for each target.
 * Dismissed signals weigh nothing, and neither do their repeats.
 */
export const EVIDENCE_WEIGHTS = `
  weighed as (${weighedFrom('signals', 'id', `signals.state <> 'dismissed'`)}
    union all ${weighedFrom(
      'occurrences',
      'signal_id',
      `exists (select from signals where signals.id = evidence.signal_id and signals.state <> 'dismissed')`,
    )}
  ),
  terms as (
    select target_id, actor, max(actor_name) as actor_name, max(source) as source,
      count(*)::integer as signals, sum(weight) as weight, ln(1 + sum(weight)) as term
    from weighed
    group by target_id, actor
  ),
  priorities as (
    select target_id, sum(term) as evidence_priority, count(*)::integer as actors, sum(signals)::integer as signals
    from terms
    group by target_id
  )`
