import { type ChangeSpec, EditorSelection, type EditorState, type StateCommand } from '@codemirror/state'
import { t } from '../../../../language/messages.ts'

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
