import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { TestDatabase } from '../../infra/postgres/testing.ts'

/** Columns that keep what rows would say if they were counted, and what they are counted by. */
export interface KeptCount {
  readonly table: string
  readonly columns: readonly string[]
  /** Answers the key of each row and the columns' values, all of them as they must be. */
  readonly counted: string
  /** The columns that tell one row from another. */
  readonly key: readonly string[]
  /** Rows that say nothing: what is 0 may be there or not. */
  readonly isNothing: string
}

/** What counts for a claim or a Solution: each signal once, with its occurrences. */
const PARTS = `
  select distinct workspace_id, target_id, signal_id from (
    select workspace_id, claim_id as target_id, signal_id from claim_evidence
    union all
    select workspace_id, solution_id, signal_id from solution_claims join claim_evidence using (workspace_id, claim_id)
  ) as targets`

const WEIGHED = `
  select target_id, actor, sum(weight) as weight, count(*)::integer as signals
  from (${PARTS}) as parts join weighted_evidence using (workspace_id, signal_id) group by target_id, actor`

export const KEPT_COUNTS: readonly KeptCount[] = [
  {
    table: 'signal_counts',
    columns: ['signals'],
    key: ['workspace_id', 'state', 'classification'],
    counted: `select workspace_id, state, classification, count(*)::integer as signals from signals group by 1, 2, 3`,
    isNothing: 'signals = 0',
  },
  {
    table: 'occurrence_counts',
    columns: ['occurrences'],
    key: ['workspace_id'],
    counted: 'select workspace_id, count(*)::integer as occurrences from occurrences group by workspace_id',
    isNothing: 'occurrences = 0',
  },
  {
    table: 'solution_evidence',
    columns: ['claims'],
    key: ['solution_id', 'signal_id'],
    counted: `select solution_id, signal_id, count(*)::integer as claims
      from solution_claims join claim_evidence using (workspace_id, claim_id) group by solution_id, signal_id`,
    isNothing: 'false',
  },
  {
    table: 'actor_weights',
    columns: ['weight', 'signals'],
    key: ['target_id', 'actor'],
    counted: WEIGHED,
    isNothing: 'false',
  },
  {
    table: 'priority_totals',
    columns: ['evidence_priority', 'actors', 'signals'],
    key: ['target_id'],
    counted: `select target_id, sum(ln(1 + weight * evidence_decay(as_of))) as evidence_priority,
        count(*)::integer as actors, sum(weighed.signals)::integer as signals
      from (${WEIGHED}) as weighed join priority_totals using (target_id) group by target_id`,
    isNothing: 'signals = 0 and actors = 0 and abs(evidence_priority) < 1e-6',
  },
  {
    table: 'claim_evidence',
    columns: ['newest_at'],
    key: ['claim_id', 'signal_id'],
    counted: `select claim_id, signal_id, max(least(parts.occurred_at, parts.received_at)) as newest_at
      from claim_evidence join (
        select id as signal_id, occurred_at, received_at from signals
        union all
        select signal_id, occurred_at, received_at from occurrences
      ) as parts using (signal_id) group by claim_id, signal_id`,
    isNothing: 'false',
  },
]

/** Sums of logarithms and of weights are equal to within what adding and taking away costs. */
const same = (column: string): string =>
  ['weight', 'evidence_priority'].includes(column)
    ? `abs(kept.${column} - counted.${column}) <= 1e-6 * greatest(1, abs(counted.${column}))`
    : `kept.${column} = counted.${column}`

const differing = ({ table, columns, key, counted, isNothing }: KeptCount): string => `
  select '${table}' as table, to_jsonb(kept) as kept, to_jsonb(counted) as counted
  from (select * from ${table} where not (${isNothing})) as kept
  full join (${counted}) as counted using (${key.join(', ')})
  where kept is null or counted is null or not (${columns.map(same).join(' and ')})`

/** Of all workspaces, what is kept and differs from what there is: none, if every number is true. */
export const wrongCounts = async ({
  pool,
}: {
  readonly pool: Pick<TestDatabase['pool'], 'query'>
}): Promise<readonly unknown[]> =>
  (await pool.query(KEPT_COUNTS.map(count => `(${differing(count)})`).join(' union all '))).rows

const FIELDS = 'kind, step, outcome, channel, classification, tool, mode'

/** A rollup by a unit of time; what happened at another time than it was received is moved by a table of its own. */
const rollup = (unit: 'hour' | 'day', moved: boolean) => {
  const start = unit === 'hour' ? 'toStartOfHour' : 'toStartOfDay'
  const at = moved ? 'moved.1' : 'occurred_at'
  const sign = moved ? 'moved.2' : 'toInt64(1)'
  const split = moved ? 'ARRAY JOIN [(occurred_at, toInt64(-1)), (happened_at, toInt64(1))] AS moved' : ''
  return {
    table: moved ? `activity_moved_by_${unit}` : `activity_by_${unit}`,
    kept: `SELECT workspace_id, at, ${FIELDS}, toInt64(times) AS sum, toInt64(work_units) AS other
      FROM ${moved ? 'activity_moved_by' : 'activity_by'}_${unit}`,
    counted: `SELECT workspace_id, ${start}(toDateTime(${at}, 'UTC')), ${FIELDS},
      ${sign} * toInt64(activity.times), ${sign} * toInt64(activity.work_units) FROM activity ${split}`,
    key: `workspace_id, at, ${FIELDS}`,
  }
}

/** Tables of ClickHouse that keep sums, and what those are sums of. */
export const SUMS = [
  rollup('hour', false),
  rollup('day', false),
  rollup('hour', true),
  rollup('day', true),
  {
    table: 'first_receipts',
    kept: `SELECT workspace_id, signal_id, toUnixTimestamp64Milli(min(received_at)) AS sum, toInt64(0) AS other
      FROM first_receipts GROUP BY workspace_id, signal_id`,
    counted: `SELECT workspace_id, toUUID(subject_id) AS signal_id, toUnixTimestamp64Milli(min(occurred_at)), toInt64(0)
      FROM activity WHERE kind LIKE 'signal.%' AND substring(subject_id, 15, 1) = '5' GROUP BY workspace_id, signal_id`,
    key: 'workspace_id, signal_id',
  },
] as const

/** The same of what ClickHouse keeps: what is kept and counted must cancel out. */
export const wrongSums = async (analytics: Pick<Analytics, 'query'>): Promise<readonly unknown[]> => {
  const wrong = await Promise.all(
    SUMS.map(({ table, kept, counted, key }) =>
      analytics.query(`
        SELECT '${table}' AS table, ${key}, toString(sum(kept.sum * side)) AS too_many FROM (
          SELECT *, toInt64(1) AS side FROM (${kept}) UNION ALL SELECT *, toInt64(-1) FROM (${counted})
        ) AS kept GROUP BY ${key} HAVING sum(kept.sum * side) != 0 OR sum(kept.other * side) != 0`),
    ),
  )
  return wrong.flat()
}

/** Numbers that count no rows of now, with what they are instead. A new number of the schema is named here or above. */
export const NO_COUNTS: Readonly<Record<string, readonly string[]>> = {
  'numbers that a row has for ever': [
    'changed_rows.id',
    'changes.place',
    'claims.number',
    'dead_letters.replay',
    'decision_objects.id',
    'decisions.number',
    'embedding_calibrations.through_place',
    'erasure_quotes.hash',
    'handoff_proposals.number',
    'handoffs.number',
    'map_node_vectors.ordinal',
    'metric_points.log_offset',
    'metric_points.log_partition',
    'outbox.id',
    'map_revisions.measured_number',
    'reference_counters.last_number',
    'signal_terms.place',
    'signal_vectors.own_text',
    'signal_vectors.place',
    'signals.number',
    'solutions.number',
    'theme_runs.placed_number',
    'theme_runs.through_number',
    'themes.number',
    'state_changes.id',
    'taken_out_repeats.replay',
    'transfer_pieces.starts_at',
    'imported_edits.others',
    'imported_edits.words',
    'imported_rows.others',
    'imported_rows.words',
    'transfer_texts.hash',
    'transfers.columns_hash',
    'transfer_texts.line',
    'workspaces.id_mask',
  ],
  'versions, which count changes and never fall': [
    'claims.version',
    'groups.version',
    'learned_classifiers.changes',
    'learned_classifiers.learned_changes',
    'learned_classifiers.revision',
    'living_documents.version',
    'map_nodes.version',
    'map_revisions.anchored',
    'map_revisions.revision',
    'metric_points.revision',
    'outcomes.version',
    'signals.version',
    'solutions.version',
    'sources.version',
    'strategy_elements.version',
  ],
  'what was done or tried, which stays done': [
    'account_passkeys.counter',
    'account_two_factors.failed_verification_count',
    'dead_letters.attempts',
    'dead_letters.deaths',
    'dead_letters.earlier_deaths',
    'erasures.erased_signals',
    'jobs.done',
    'jobs.failed',
    'jobs.total',
    'jobs.waits',
    'outgoing_mail.tries',
    'rewrites.tries',
    'transfers.applied',
    'transfers.arrived',
    'transfers.brought',
    'transfers.bytes',
    'transfers.dead',
    'transfers.megabytes',
    'transfers.repeats',
    'transfer_pieces.bytes',
  ],
  'figures of a calculation, as of its own time': [
    'embedding_calibrations.copies_share',
    'embedding_calibrations.labelled_pairs',
    'embedding_calibrations.made_pairs',
    'embedding_calibrations.same_share',
    'learned_classifiers.answered_right',
    'learned_classifiers.asked',
    'learned_classifiers.corrections',
    'learned_classifiers.lessons',
    'learned_classifiers.weight',
    'map_nodes.middle',
    'map_nodes.spread',
    'merge_proposals.chance',
    'merge_proposals.score',
    'merge_proposals.similarity',
    'node_lessons.from_score',
    'occurrences.cut_omitted',
    'occurrences.similarity',
    'proposal_bars.asked_for',
    'proposal_bars.asked_to',
    'proposal_bars.bar',
    'proposal_bars.learned_from',
    'proposal_bars.shift',
    'signals.classification_confidence',
    'signals.cut_omitted',
    'signals.left_node_score',
    'signals.node_score',
    'theme_members.likeness',
    'theme_members.quote_length',
    'theme_members.quote_start',
    'themes.direction_offset',
    'themes.least_likeness',
    'theme_runs.answers',
    'theme_runs.signals',
    'theme_successors.signals',
  ],
  'what people or senders said': [
    'incident_limit.units_per_minute',
    'metric_bindings.target',
    'metric_points.value',
    'outcome_points.value',
    'retention.activity_days',
    'retention.dead_letters_days',
    'retention.jobs_days',
    'retention.signals_days',
    'roadmap_items.position',
    'snoozes.until_signals',
    'solutions.confidence',
    'solutions.effort',
    'solutions.impact',
    'solutions.manual_rank',
    'solutions.priority_boost',
    'solutions.reach',
    'strategy_elements.position',
  ],
}
