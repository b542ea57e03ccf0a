import { SOLUTION_STATES, type SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { useOperationPages } from '../../api/hooks.ts'

const PAGE = 20

/** Which Solutions the board shows; all of them where a field is absent. */
export interface BoardFilter {
  readonly group_id?: string
  readonly owner?: string
}

const useColumn = (state: SolutionState, filter: BoardFilter) =>
  useOperationPages('list_board', { state, ...filter, limit: PAGE }, { keep: true })

export type ColumnQuery = ReturnType<typeof useColumn>

/** The columns of the board, one for each state, each read by itself and page by page. */
export const useColumns = (filter: BoardFilter) => {
  const queries: Readonly<Record<SolutionState, ColumnQuery>> = {
    Backlog: useColumn('Backlog', filter),
    Planned: useColumn('Planned', filter),
    'In Progress': useColumn('In Progress', filter),
    'In Review': useColumn('In Review', filter),
    Done: useColumn('Done', filter),
    Dropped: useColumn('Dropped', filter),
  }
  return SOLUTION_STATES.map(state => ({ state, query: queries[state] }))
}
