import type { Transaction } from '../../infra/postgres/port.ts'
import type { SolutionId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { ROADMAP_HORIZONS, type RoadmapHorizon, type SolutionState } from '../../schemas/domain/vocabulary.ts'
import { withItemAt } from '../collections.ts'

/** Place of a Solution on the roadmap. */
export interface RoadmapPosition {
  readonly horizon: RoadmapHorizon
  /** From 1 within the horizon. */
  readonly position: number
}

export interface RoadmapRow extends RoadmapPosition {
  readonly id: SolutionId
  readonly number: number
  readonly title: string
  readonly summary: string
  readonly state: SolutionState
  readonly version: number
}

const PLACE_OF = `select horizon, position from roadmap_items where solution_id = $1`
const ORDER = `select solution_id from roadmap_items where horizon = $1 order by position, solution_id`
const PLACE = `
  insert into roadmap_items as known (workspace_id, solution_id, horizon, position)
  select $1, solution_id, $2, position from unnest($3::uuid[]) with ordinality as placed (solution_id, position)
  on conflict (solution_id) do update set horizon = excluded.horizon, position = excluded.position
  where (known.horizon, known.position) is distinct from (excluded.horizon, excluded.position)`
const REMOVE = `delete from roadmap_items where solution_id = $1`

export const placeOf = async (transaction: Transaction, id: SolutionId): Promise<RoadmapPosition | null> =>
  (await transaction.query<RoadmapPosition>(PLACE_OF, [id]))[0] ?? null

const orderOf = async (transaction: Transaction, horizon: RoadmapHorizon): Promise<readonly SolutionId[]> =>
  (await transaction.query<{ solution_id: SolutionId }>(ORDER, [horizon])).map(row => row.solution_id)

/**
 * Places or moves a Solution on the roadmap, by default at the end of the horizon. The caller holds the workspace's
 * roadmap (`lockWorkspaces`).
 */
export const placeSolution = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  id: SolutionId,
  to: { readonly horizon: RoadmapHorizon; readonly position: number | undefined },
): Promise<RoadmapPosition | null> => {
  const before = await placeOf(transaction, id)
  const order = withItemAt(await orderOf(transaction, to.horizon), id, to.position)
  await transaction.query(PLACE, [workspaceId, to.horizon, order])
  if (before !== null && before.horizon !== to.horizon) await closeGap(transaction, workspaceId, before.horizon)
  return placeOf(transaction, id)
}

/** Removes a Solution from the roadmap. Solutions behind it move up. The caller holds the workspace's roadmap. */
export const removeSolution = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  id: SolutionId,
  horizon: RoadmapHorizon,
): Promise<void> => {
  await transaction.query(REMOVE, [id])
  await closeGap(transaction, workspaceId, horizon)
}

const closeGap = async (transaction: Transaction, workspaceId: WorkspaceId, horizon: RoadmapHorizon): Promise<void> => {
  await transaction.query(PLACE, [workspaceId, horizon, await orderOf(transaction, horizon)])
}

const COUNTS = `
  select horizon, count(*)::integer as solutions from roadmap_items where horizon = any ($1::text[]) group by horizon`

const PAGE = `
  select solutions.id, number, title, summary, state, version, horizon, position
  from roadmap_items join solutions on solutions.id = solution_id
  where horizon = any ($1::text[])
  order by array_position($1::text[], horizon), position, solution_id
  limit $2 offset $3`

/** A page of the roadmap: now, next, later, each in its order, with the number of each horizon. */
export const roadmapPage = async (
  transaction: Transaction,
  page: { readonly horizon: RoadmapHorizon | undefined; readonly limit: number; readonly offset: number },
) => {
  const horizons = ROADMAP_HORIZONS.filter(horizon => page.horizon === undefined || horizon === page.horizon)
  const counted = await transaction.query<{ horizon: RoadmapHorizon; solutions: number }>(COUNTS, [horizons])
  const solutions = await transaction.query<RoadmapRow>(PAGE, [horizons, page.limit, page.offset])
  const counts = horizons.map(horizon => ({
    horizon,
    solutions: counted.find(row => row.horizon === horizon)?.solutions ?? 0,
  }))
  return { counts, solutions }
}
