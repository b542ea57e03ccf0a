import { type ChangeSpec, EditorSelection, type EditorState, type Line, type StateCommand } from '@codemirror/state'
import { t } from '../../../../language/messages.ts'
import { isDelimiterRow } from '../../markdown/block-starts.ts'

/** Puts a mark such as `**` on both sides of each selection, or takes it away where it is. */
export const toggleAround =
  (mark: string): StateCommand =>
  ({ state, dispatch }) => {
    const changed = state.changeByRange(({ from, to }) => {
      const start = Math.max(0, from - mark.length)
      const isMarked = state.sliceDoc(start, from) === mark && state.sliceDoc(to, to + mark.length) === mark
      if (isMarked) {
        return {
          changes: [
            { from: start, to: from },
            { from: to, to: to + mark.length },
          ],
          range: EditorSelection.range(start, to - mark.length),
        }
      }
      return {
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        range: EditorSelection.range(from + mark.length, to + mark.length),
      }
    })
    dispatch(state.update(changed, { userEvent: 'input', scrollIntoView: true }))
    return true
  }

/** What a line of a list, a quote or a heading begins with, behind its indent. */
const MARKER = /^(\s*)(#{1,6} |> |[-*+] \[[ xX]\] |[-*+] |\d{1,9}[.)] )?/

interface LineMarker {
  /** Of the line so many behind the first, from 0. */
  readonly at: (index: number) => string
  readonly is: RegExp
}

export const HEADING: LineMarker = { at: () => '## ', is: /^#{1,6} $/ }
export const LIST: LineMarker = { at: () => '- ', is: /^[-*+] $/ }
export const NUMBERED_LIST: LineMarker = { at: index => `${index + 1}. `, is: /^\d{1,9}[.)] $/ }
export const CHECKLIST: LineMarker = { at: () => '- [ ] ', is: /^[-*+] \[[ xX]\] $/ }
export const QUOTE: LineMarker = { at: () => '> ', is: /^> $/ }

const linesOf = (state: EditorState) => {
  const { from, to } = state.selection.main
  const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number]
  const lines = Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index))
  return lines.length === 1 ? lines : lines.filter(({ text }) => text.trim() !== '')
}

/** Begins each line of the selection with a marker, in place of any other; takes it away where all of them have it. */
export const toggleLines =
  ({ at, is }: LineMarker): StateCommand =>
  ({ state, dispatch }) => {
    const lines = linesOf(state).map(line => {
      const [, indent = '', marker = ''] = MARKER.exec(line.text) ?? []
      return { from: line.from + indent.length, marker }
    })
    const areMarked = lines.every(({ marker }) => is.test(marker))
    const changes: ChangeSpec[] = lines.map(({ from, marker }, index) => ({
      from,
      to: from + marker.length,
      insert: areMarked ? '' : at(index),
    }))
    const change = state.changes(changes)
    const selection = state.selection.map(change, 1)
    dispatch(state.update({ changes: change, selection, userEvent: 'input', scrollIntoView: true }))
    return true
  }

/** A command that works on items of a list alone. */
export const inItem =
  (command: StateCommand): StateCommand =>
  target => {
    const { text } = target.state.doc.lineAt(target.state.selection.main.head)
    return /^\s*([-*+]|\d{1,9}[.)]) /.test(text) && command(target)
  }

/** Puts a block behind the line of the selection, with an empty line around it, and selects a part of it. */
const insertBlock =
  (block: string, chosen: string): StateCommand =>
  ({ state, dispatch }) => {
    const line = state.doc.lineAt(state.selection.main.to)
    const isBlank = line.text.trim() === ''
    // Right behind a list or a paragraph, it would be read as more of that.
    const isApart = line.number === 1 || state.doc.line(line.number - 1).text.trim() === ''
    const before = isBlank ? (isApart ? '' : '\n') : '\n\n'
    const start = isBlank ? line.from : line.to
    const from = start + before.length + block.indexOf(chosen)
    dispatch(
      state.update({
        changes: { from: start, to: line.to, insert: `${before}${block}\n` },
        selection: EditorSelection.range(from, from + chosen.length),
        userEvent: 'input',
        scrollIntoView: true,
      }),
    )
    return true
  }

export const insertTable = insertBlock(`| ${t('Column')} | ${t('Column')} |\n| --- | --- |\n|  |  |`, t('Column'))
export const insertCode = insertBlock('```\ncode\n```', 'code')

/** Makes the selection the text of a link, and selects where its address goes. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main
  const text = state.sliceDoc(from, to) || 'text'
  const address = from + text.length + 3
  dispatch(
    state.update({
      changes: { from, to, insert: `[${text}](https://)` },
      selection: EditorSelection.range(address, address + 'https://'.length),
      userEvent: 'input',
      scrollIntoView: true,
    }),
  )
  return true
}

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
  const head = rows.findIndex((_, index) => isDelimiterRow(rows[index + 1]?.text ?? ''))
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
