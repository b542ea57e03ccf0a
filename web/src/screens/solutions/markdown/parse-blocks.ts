import {
  CODE_INDENT,
  cellsOf,
  closesFence,
  fenceOf,
  headingOf,
  type ItemMark,
  isDelimiterRow,
  isRule,
  itemOf,
  mayInterrupt,
  takeQuoteMark,
  underlineOf,
} from './block-starts.ts'
import type { Document } from './blocks.ts'
import { takeDefinitions } from './definitions.ts'
import { Line, trimBlankEnd } from './line.ts'
import { OpenBlocks } from './open-blocks.ts'

/** The ends of lines that CommonMark knows. Others, such as U+2028, are characters of a text. */
const LINE_END = /\r\n|\n|\r/
const TASK = /^\[([ xX])\](?=[ \t])/
/** Lists and quotes in each other. What is deeper is text: a page of elements as deep as it is long is not shown. */
const MAX_DEPTH = 16

/**
 * Reads Markdown as CommonMark 0.31 has it, with tables and tasks, in a time that grows as the text does. HTML is text
 * like any other.
 */
export const parseBlocks = (markdown: string): Document => {
  const reader = new Reader()
  const lines = markdown.replaceAll('\0', '\uFFFD').split(LINE_END)
  if (lines.at(-1) === '') lines.pop()
  for (const text of lines) reader.read(new Line(text))
  return reader.end()
}

class Reader {
  private readonly blocks = new OpenBlocks()

  read(line: Line): void {
    const goingOn = this.countGoingOn(line)
    if (goingOn < this.blocks.open.length || !this.continueCode(line)) this.readText(line, goingOn)
    this.blocks.number += 1
  }

  end(): Document {
    return this.blocks.end()
  }

  /** How many of the open containers the line belongs to; takes their marks away. */
  private countGoingOn(line: Line): number {
    const ended = this.blocks.open.findIndex(({ kind, indent, isEmpty }) => {
      if (kind === 'document') return false
      if (kind === 'quote') return !takeQuoteMark(line)
      if (!line.isBlank && line.indent < indent) return true
      line.skipColumns(line.isBlank ? line.indent : indent)
      return line.isBlank && isEmpty
    })
    return ended === -1 ? this.blocks.open.length : ended
  }

  /** Adds the line to the code that is open; false where none is, or where it ends before the line. */
  private continueCode(line: Line): boolean {
    const { leaf } = this.blocks
    if (leaf?.kind === 'fence') {
      this.blocks.touch()
      if (closesFence(line, leaf.fence)) this.blocks.closeLeaf()
      else {
        line.skipColumns(leaf.fence.indent)
        leaf.lines.push(line.text)
      }
      return true
    }
    if (leaf?.kind !== 'code' || (line.indent < CODE_INDENT && !line.isBlank)) return false
    if (!line.isBlank) this.blocks.touch()
    line.skipColumns(CODE_INDENT)
    leaf.lines.push(line.text)
    return true
  }

  private readText(line: Line, before: number): void {
    if (before === this.blocks.open.length && this.continueParagraph(line)) return
    const goingOn = this.openContainers(line, before)
    if (line.isBlank) {
      this.blocks.close(goingOn)
      // A line with the mark of a quote is not an empty one for what is around the quote.
      this.blocks.touch(this.blocks.open.findLastIndex(({ kind }) => kind === 'quote') + 1)
      return
    }
    if (line.indent < CODE_INDENT && this.readWhole(line, goingOn)) return
    const { leaf } = this.blocks
    const isRowOfTable = leaf?.kind === 'table' && goingOn === this.blocks.open.length
    // A paragraph goes on even where the marks of its quotes and items are left out.
    if (leaf?.kind === 'paragraph') {
      leaf.lines.push(line.words)
      this.blocks.touch()
    } else if (isRowOfTable) {
      const cells = cellsOf(line.words)
      leaf.rows.push(leaf.head.map((_, column) => cells[column] ?? ''))
      this.blocks.touch()
    } else if (line.indent >= CODE_INDENT) {
      line.skipColumns(CODE_INDENT)
      this.blocks.begin(goingOn, { kind: 'code', lines: [line.text] })
    } else this.blocks.begin(goingOn, { kind: 'paragraph', lines: [line.words] })
  }

  /** Makes a heading or a table of the paragraph above the line; false where the line does not ask for it. */
  private continueParagraph(line: Line): boolean {
    const { leaf } = this.blocks
    if (leaf?.kind !== 'paragraph' || line.isBlank || line.indent >= CODE_INDENT) return false
    const level = underlineOf(line)
    if (level !== null) {
      const text = trimBlankEnd(takeDefinitions(leaf.lines.join('\n'), this.blocks.definitions))
      leaf.lines = text === '' ? [] : text.split('\n')
      if (text === '') return false
      this.blocks.leaf = null
      this.blocks.innermost.blocks.push({ kind: 'heading', level, text })
      this.blocks.touch()
      return true
    }
    const head = cellsOf(leaf.lines.at(-1) ?? '')
    if (!isDelimiterRow(line.words, head.length)) return false
    leaf.lines.pop()
    this.blocks.closeLeaf()
    this.blocks.leaf = { kind: 'table', head, rows: [] }
    this.blocks.touch()
    return true
  }

  /** Opens the quotes and items that the line begins; answers how many containers it is in. */
  private openContainers(line: Line, before: number): number {
    let goingOn = before
    while (!line.isBlank && line.indent < CODE_INDENT && goingOn <= MAX_DEPTH) {
      if (line.words.startsWith('>')) {
        takeQuoteMark(line)
        this.blocks.openQuote(goingOn)
      } else if (!isRule(line)) {
        const item = itemOf(line)
        const interrupts = this.blocks.leaf?.kind === 'paragraph' && goingOn === this.blocks.open.length
        if (item === null || (interrupts && !mayInterrupt(item, line))) return goingOn
        this.openItem(line, item, goingOn)
      } else return goingOn
      goingOn = this.blocks.open.length
    }
    return goingOn
  }

  private openItem(line: Line, mark: ItemMark, goingOn: number): void {
    const { indent } = line
    line.skipWords(mark.length)
    // The space behind the mark belongs to it, unless code follows, which is indented by more.
    const space = line.isBlank || line.indent > CODE_INDENT ? 1 : line.indent
    line.skipColumns(space)
    const [box, done] = TASK.exec(line.words) ?? []
    if (box !== undefined) {
      line.skipWords(box.length)
      line.skipColumns(line.indent)
    }
    const task = done === undefined ? null : done !== ' '
    this.blocks.openItem(goingOn, mark, task, indent + mark.length + space)
  }

  /** Reads a block of one line, or the first line of code; false for a line of anything else. */
  private readWhole(line: Line, goingOn: number): boolean {
    const heading = headingOf(line)
    const fence = fenceOf(line)
    if (heading === null && fence === null && !isRule(line)) return false
    this.blocks.begin(goingOn, fence === null ? null : { kind: 'fence', fence, lines: [] })
    if (heading !== null) this.blocks.innermost.blocks.push({ kind: 'heading', ...heading })
    else if (fence === null) this.blocks.innermost.blocks.push({ kind: 'rule' })
    return true
  }
}
