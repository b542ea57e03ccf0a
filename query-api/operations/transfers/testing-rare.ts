/** Rows of the tables that the seed leaves empty, for the workspace `$1`. */
export const RARE = [
  `insert into snoozes (workspace_id, signal_id, until, snoozed_by, snoozed_at)
   select $1, id, now() + interval '1 day', 'Product manager', now() from signals where workspace_id = $1 order by number limit 1`,
  `insert into decision_reversals (workspace_id, decision_id, reversal_id, reversed_at)
   select $1, min(id::text)::uuid, max(id::text)::uuid, now() from decisions where workspace_id = $1`,
  `insert into outcome_points (workspace_id, outcome_id, metric_id, metric_point_id, value, occurred_at)
   select $1, outcomes.id, metric_id, metric_points.id, value, occurred_at
   from outcomes join metric_points using (workspace_id) where workspace_id = $1`,
  `insert into group_solutions (workspace_id, group_id, solution_id)
   select $1, groups.id, solutions.id from groups join solutions using (workspace_id) where workspace_id = $1`,
  `insert into strategy_claims (workspace_id, element_id, claim_id)
   select $1, strategy_elements.id, claims.id from strategy_elements join claims using (workspace_id) where workspace_id = $1`,
  `insert into strategy_solutions (workspace_id, element_id, solution_id)
   select $1, strategy_elements.id, solutions.id from strategy_elements join solutions using (workspace_id) where workspace_id = $1`,
]
