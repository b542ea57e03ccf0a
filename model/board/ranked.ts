/** What rounding, and two writers who begin a standing at once, add and take stays below this. */
export const ROUNDING_FACTOR = '(1 - 1e-6)'

/**
 * The highest of `standing (id, priority, as_of, factor)`, which the statement defines, by what they stand at as of `now`, exactly. Gives
 * `ranked (id, evidence_priority)` with at least the first `reach` of them. Weights only fall with time: a sum of ln(1 + weight) that was
 * kept as of another moment lies between itself and itself times the decay since then. So only rows whose bounds reach the `reach`-th best
 * lower bound can be among the first, and only their actors are summed up: once, which is why the sums are kept (`materialized`) for those who
 * order by them and show them. Model: docs/decisions/0037.
 */
export const prioritySumOf = (now: string, reach: string): string => `
  bounded as materialized (
    select id, factor * priority * greatest(1, faded) as upper, factor * priority * least(1, faded) as lower
    from (select *, evidence_decay(${now}) / evidence_decay(as_of) as faded from standing offset 0) as standing
  ),
  threshold as (select lower from bounded order by lower desc offset greatest(0, ${reach} - 1) limit 1),
  contenders as (
    select id from bounded
    where upper >= coalesce((select lower from threshold), 0) * ${ROUNDING_FACTOR}
  ),
  ranked as materialized (
    select contenders.id, ${prioritySum('contenders.id', now)} as evidence_priority
    from contenders
  )`

/** The sum of ln(1 + weight) over a target's actors as of `now`. */
export const prioritySum = (target: string, now: string): string =>
  `coalesce((select sum(ln(1 + weight * evidence_decay(${now}))) from actor_weights where target_id = ${target}), 0)`
