import { SOLUTION_STATES, type SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { type Answer, call, type Input, type Output, useOperationPages } from '../../api/operations.ts'

const PAGE = 20

/** Which Solutions the board shows; all of them where a field is absent. */
export interface BoardFilter {
  readonly group_id?: string
  readonly owner?: string
}

export type BoardCard = Output<'list_board'>['items'][number]

type BoardInput = Input<'list_board'>
type Board = Answer<'list_board'>

/** Reads that have not begun, by what they ask of every column. */
const waiting = new Map<string, Promise<Board>>()

/** The first page of every column. Who asks for it within a moment has it from one request. */
const readBoard = (input: BoardInput): Promise<Board> => {
  const key = JSON.stringify(input)
  const read =
    waiting.get(key) ??
    new Promise(begin => setTimeout(begin)).then(() => {
      waiting.delete(key)
      return call('list_board', input)
    })
  waiting.set(key, read)
  return read
}

/** What a read of every column says of one, as if that had been read alone. */
const readColumn = async ({ state, ...input }: BoardInput): Promise<Board> => {
  const { data, meta } = await readBoard(input)
  const columns = data.columns.filter(column => column.state === state)
  const items = data.items.filter(item => item.state === state)
  const [column] = columns
  return {
    data: { count: column?.count ?? 0, columns, items },
    meta: { ...meta, next_cursor: column?.next_cursor ?? null },
  }
}

const useColumn = (state: SolutionState, filter: BoardFilter) =>
  useOperationPages('list_board', { state, ...filter, limit: PAGE }, { keep: true, readFirst: readColumn })

export type ColumnQuery = ReturnType<typeof useColumn>

/** The columns of the board, one for each state: begun together, and gone on with page by page, each by itself. */
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
