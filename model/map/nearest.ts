import { PLACED_BY_MEAN } from '../../infra/models/calibration.ts'

/** Newest moved signals that place nodes beside their texts. */
const MAX_LESSONS = 300

/** A vector without the mean of the workspace's signals, when the mean is known. */
const apart = (vector: string): string =>
  `case when space.mean is null then ${vector} else l2_normalize(${vector} - space.mean) end`

/**
 * Clauses behind a table `met` (`position`, any key; `workspace_id`, `model`, `embedding`). Defines `placed`, the
 * positions of the nodes in its workspaces' maps, and `probe`, its rows with a vector; both without the mean of the
 * workspace's signals.
 *
 * The position of a node is the mean of its texts and of the signals that people moved to it, for a model that works
 * better with it; otherwise each of them is a position. Each vector is copied once (`::real[]`), because PostgreSQL
 * would fetch a column from its storage of long values for every comparison.
 */
export const PLACED = `
  space as materialized (
    select workspace_id, model, mean
    from (select distinct workspace_id, model from met) as requested
      left join (
        select workspace_id, model, mean from map_revisions where mean is not null
      ) as known using (workspace_id, model)
  ), example as (
    select workspace_id, model, node_id, ordinal as part, ${apart('embedding')} as embedding
    from space join map_node_vectors using (workspace_id, model)
    union all
    select space.workspace_id, space.model, lesson.node_id, -lesson.part,
      ${apart('(stored.embedding::real[])::vector(1024)')}
    from space
    cross join lateral (
      select signal_id, node_id, row_number() over (order by moved_at desc, signal_id) as part from node_lessons
      where workspace_id = space.workspace_id order by moved_at desc, signal_id limit ${MAX_LESSONS}
    ) as lesson
    cross join lateral (
      select embedding from signal_vectors where signal_id = lesson.signal_id and model = space.model offset 0
    ) as stored
  ), placed as materialized (
    select workspace_id, model, node_id, (avg(embedding)::real[])::vector(1024) as embedding
    from example
    group by workspace_id, model, node_id, case when model = '${PLACED_BY_MEAN}' then 0 else part end
  ), probe as materialized (
    select position, workspace_id, model, ${apart('met.embedding')} as embedding
    from met join space using (workspace_id, model)
    where met.embedding is not null
  )`

/**
 * Computed before grouping, so that no vectors are sorted. A vector that is zero without the mean has the cosine 0 to
 * everything.
 */
export const COSINE = `1 - coalesce(nullif(placed.embedding <=> probe.embedding, 'NaN'), 1)`

/**
 * Clauses behind `met`. Defines `pair`, the likeness of each row to each node, in steps for measured nodes, else the
 * cosine; and `nearest`, each row's best node with the likeness of the next. A node that was added after the
 * measurement is left out: the job that measures it looks at every signal.
 */
export const NEAREST = `
  ${PLACED}, measured as materialized (
    select placed.*, mean is not null as is_measured, middle, spread
    from placed join space using (workspace_id, model) join map_nodes on map_nodes.id = node_id
    where mean is null or middle is not null
  ), pair as materialized (
    select position, node_id, is_measured, case when is_measured then (cosine - middle) / spread else cosine end as likeness
    from (
      select position, node_id, is_measured, middle, spread, max(cosine) as cosine
      from (
        select position, node_id, is_measured, middle, spread, ${COSINE} as cosine
        from probe join measured as placed using (workspace_id, model) offset 0
      ) as compared
      group by position, node_id, is_measured, middle, spread
    ) as best
  ), nearest as (
    select distinct on (position) position, node_id, is_measured, likeness,
      lead(likeness) over (partition by position order by likeness desc, node_id) as other_node
    from pair
    order by position, likeness desc, node_id
  )`
