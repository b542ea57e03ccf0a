import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EditorSelection, EditorState, type StateCommand } from '@codemirror/state'
import {
  CHECKLIST,
  insertCode,
  insertLink,
  insertTable,
  LIST,
  moveInTable,
  NUMBERED_LIST,
  toggleAround,
  toggleLines,
} from './commands.ts'

/** A text in which `<` and `>` stand around what is selected. */
const stateOf = (marked: string): EditorState => {
  const [from, to] = [marked.indexOf('<'), marked.indexOf('>') - 1]
  return EditorState.create({ doc: marked.replace(/[<>]/g, ''), selection: EditorSelection.range(from, to) })
}
const run = (marked: string, ...commands: readonly StateCommand[]): string => {
  let state = stateOf(marked)
  for (const command of commands)
    command({
      state,
      dispatch: transaction => {
        state = transaction.state
      },
    })
  const { from, to } = state.selection.main
  const text = state.doc.toString()
  return `${text.slice(0, from)}<${text.slice(from, to)}>${text.slice(to)}`
}

describe('what the buttons of the editor do', () => {
  it('mark a selection, and take the mark away again', () => {
    const bold = toggleAround('**')
    assert.equal(run('a <word> b', bold), 'a **<word>** b')
    assert.equal(run('a <word> b', bold, bold), 'a <word> b')
    assert.equal(run('<>', bold), '**<>**')
  })

  it('make lines a list, another list, and lines again', () => {
    const [list, numbered, tasks] = [toggleLines(LIST), toggleLines(NUMBERED_LIST), toggleLines(CHECKLIST)]
    assert.equal(run('<one\n\n  two>', list), '- <one\n\n  - two>')
    assert.equal(run('<one\ntwo>', list, numbered), '1. <one\n2. two>')
    assert.equal(run('- [x] <one>\n- two', tasks), '<one>\n- two')
    assert.equal(run('<one\ntwo>', tasks, tasks), '<one\ntwo>')
  })

  it('put a table behind the line, and a link around the selection', () => {
    assert.equal(run('one<>', insertTable), 'one\n\n| <Column> | Column |\n| --- | --- |\n|  |  |\n')
    assert.equal(run('- [ ] one\n<>', insertTable), '- [ ] one\n\n| <Column> | Column |\n| --- | --- |\n|  |  |\n')
    assert.equal(run('one\n\n  <>', insertCode), 'one\n\n```\n<code>\n```\n')
    assert.equal(run('see <this>', insertLink), 'see [this](<https://>)')
  })

  it('go from cell to cell of a table, and from its last to a new row', () => {
    const [next, previous] = [moveInTable(1), moveInTable(-1)]
    assert.equal(run('one\n<>', insertTable, next), 'one\n\n| Column | <Column> |\n| --- | --- |\n|  |  |\n')
    assert.equal(run('| <a> | b |\n| - | - |\n| c |  |', next, next), '| a | b |\n| - | - |\n| <c> |  |')
    assert.equal(run('| a | b |\n| - | - |\n| c | <> |', next), '| a | b |\n| - | - |\n| c |  |\n| <> |  |')
    assert.equal(run('a | b\n- | -\n<c> | d', previous), 'a | <b>\n- | -\nc | d')
  })

  it('leave Tab alone outside of a table, and Shift+Tab in its first cell', () => {
    for (const [text, by] of [
      ['a | b<>', 1],
      ['one<>\n\n| a |\n| - |', 1],
      ['| <a> |\n| - |', -1],
    ] as const)
      assert.equal(moveInTable(by)({ state: stateOf(text), dispatch: () => assert.fail(text) }), false)
  })
})
