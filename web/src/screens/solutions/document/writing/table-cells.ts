import { EditorSelection, type EditorState, type Line, type StateCommand } from '@codemirror/state'
import { DELIMITERS } from '../../markdown/parse-blocks.ts'

interface Cell {
  readonly from: number
  readonly to: number
}

/** Where the text of each cell of a row begins and ends; in an empty one, behind the space that follows its bar. */
const cellsOf = ({ from, text }: Line): readonly Cell[] => {
  const start = text.length - text.trimStart().length + (text.trimStart().startsWith('|') ? 1 : 0)
  const end = text.trimEnd().length - (text.trimEnd().endsWith('|') ? 1 : 0)
  let at = from + start
  return text
    .slice(start, Math.max(start, end))
    .split('|')
    .map(cell => {
      const words = cell.trim()
      const begins = words === '' ? Math.min(1, cell.length) : cell.indexOf(words)
      const found = { from: at + begins, to: at + begins + words.length }
      at += cell.length + 1
      return found
    })
}

/** The rows of the table that a position is in, without the one below the head; null where there is none. */
const tableAt = ({ doc }: EditorState, position: number): readonly Line[] | null => {
  const isRow = (number: number): boolean => number >= 1 && number <= doc.lines && doc.line(number).text.includes('|')
  let [first, last] = Array(2).fill(doc.lineAt(position).number) as [number, number]
  if (!isRow(first)) return null
  while (isRow(first - 1)) first -= 1
  while (isRow(last + 1)) last += 1
  const rows = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index))
  const head = rows.findIndex((_, index) => DELIMITERS.test(rows[index + 1]?.text ?? ''))
  if (head === -1 || (rows[head]?.from ?? 0) > position) return null
  return rows.slice(head).filter((_, index) => index !== 1)
}

/**
 * Goes to the next cell of a table, from its last to a new row, or to the one before. Outside of a table it does
 * nothing.
 */
export const moveInTable =
  (by: 1 | -1): StateCommand =>
  ({ state, dispatch }) => {
    const { head } = state.selection.main
    const rows = tableAt(state, head)
    const last = rows?.at(-1)
    if (rows === null || last === undefined) return false
    const cells = rows.flatMap(cellsOf)
    const behind = cells.findIndex(({ to }) => head <= to)
    const goal = cells[(behind === -1 ? cells.length - 1 : behind) + by]
    if (goal === undefined && by === -1) return false
    const row = `\n|${'  |'.repeat(cellsOf(rows[0] ?? last).length)}`
    const selection =
      goal === undefined ? EditorSelection.cursor(last.to + 3) : EditorSelection.range(goal.from, goal.to)
    const changes = goal === undefined ? { from: last.to, insert: row } : []
    dispatch(state.update({ changes, selection, userEvent: 'select', scrollIntoView: true }))
    return true
  }
