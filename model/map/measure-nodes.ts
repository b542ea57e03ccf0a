import { PLACED_BY_MEAN } from '../../infra/models/calibration.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { NodeId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { stepsOf } from '../themes/steps.ts'
import { COSINE, PLACED } from './nearest.ts'

/** Newest signals that are measured at most, and at least. */
const MAX_SIGNALS = 1_000
const LEAST_MEASURED = 50

const NEWEST = `
  select signals.id, (stored.embedding::real[])::vector(1024) as embedding
  from (
    select id, number from signals where workspace_id = $1 and state <> 'dismissed' order by number desc limit ${MAX_SIGNALS}
  ) as signals
    cross join lateral (
      select embedding from signal_vectors where signal_id = signals.id and model = $2 offset 0
    ) as stored`

const START = `
  update map_revisions set model = $2,
    mean = (select case when count(*) >= ${LEAST_MEASURED} then avg(embedding) end from (${NEWEST}) as newest),
    measured_number = coalesce((select max(number) from signals where workspace_id = $1), 0)
  where workspace_id = $1
  returning mean is not null as is_measured`

const LIKENESSES = `
  with met as materialized (
    select id as position, $1::uuid as workspace_id, $2::text as model, embedding from (${NEWEST}) as newest
  ), ${PLACED}
  select node_id, array_agg(cosine) as likenesses
  from (select node_id, ${COSINE} as cosine from probe cross join placed offset 0) as pair
  group by node_id`

const STORE = `
  update map_nodes set middle = found.middle, spread = found.spread
  from unnest($2::uuid[], $3::real[], $4::real[]) as found (id, middle, spread)
  where workspace_id = $1 and map_nodes.id = found.id`

interface Row {
  readonly node_id: NodeId
  readonly likenesses: readonly number[]
}

/**
 * Measures the likeness of a workspace's signals to each node of its map, which the caller holds: a signal belongs to a
 * node when it stands out of that. Measures nothing with few signals, or with a model that places nodes otherwise.
 */
export const measureNodes = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  model: string,
): Promise<void> => {
  if (model !== PLACED_BY_MEAN) return
  const [started] = await transaction.query<{ is_measured: boolean }>(START, [workspaceId, model])
  if (!started?.is_measured) return
  const rows = await transaction.query<Row>(LIKENESSES, [workspaceId, model])
  const steps = rows.map(({ likenesses }) => stepsOf(Float64Array.from(likenesses)))
  await transaction.query(STORE, [
    workspaceId,
    rows.map(({ node_id }) => node_id),
    steps.map(({ middle }) => middle),
    steps.map(({ spread }) => spread),
  ])
}

/** Workspaces among `$1` with a map whose nodes were measured on half of the signals at most. */
export const WITH_NODES_TO_MEASURE = `
  select map_revisions.workspace_id as id
  from map_revisions join lateral (
    select number from signals where workspace_id = map_revisions.workspace_id order by number desc limit 1
  ) as newest on number >= greatest(${LEAST_MEASURED}, 2 * measured_number)
  where map_revisions.workspace_id = any ($1::uuid[]) and $2::text is null
    and exists (select from map_nodes where workspace_id = map_revisions.workspace_id offset 0)`
