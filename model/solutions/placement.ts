import type { Transaction } from '../../infra/postgres/port.ts'
import type { RoadmapPosition } from '../roadmap/roadmap.ts'

/** Where a Solution stands in the portfolio, beside the board. */
export interface Placement {
  /** The names of its groups. */
  readonly groups: string[]
  readonly roadmap: RoadmapPosition | null
  /** The elements of the strategy that it is linked with. */
  readonly strategy: { id: string; layer: string; title: string }[]
}

const PLACEMENT = `
  select
    coalesce((select jsonb_agg(name order by lower(name)) from group_solutions join groups on groups.id = group_id
      where solution_id = $1), '[]') as groups,
    (select jsonb_build_object('horizon', horizon, 'position', position) from roadmap_items where solution_id = $1) as roadmap,
    coalesce((select jsonb_agg(jsonb_build_object('id', id, 'layer', layer, 'title', title) order by layer, position)
      from strategy_solutions join strategy_elements on strategy_elements.id = element_id
      where solution_id = $1), '[]') as strategy`

export const placementOf = async (transaction: Transaction, solutionId: string): Promise<Placement> => {
  const [placement] = await transaction.query<Placement>(PLACEMENT, [solutionId])
  if (placement === undefined) throw new Error('A statement without a from clause answered no row.')
  return placement
}
