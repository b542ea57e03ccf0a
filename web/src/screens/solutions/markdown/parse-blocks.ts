import {
  CODE_INDENT,
  cellsOf,
  closesFence,
  type Fence,
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
import { type Container, containerOf } from './containers.ts'
import { type Target, takeDefinitions } from './definitions.ts'
import { Line, trimBlankEnd } from './line.ts'

/** The ends of lines that CommonMark knows. Others, such as U+2028, are characters of a text. */
const LINE_END = /\r\n|\n|\r/
const TASK = /^\[([ xX])\][ \t]+/
/** Lists and quotes in each other. What is deeper is text: a page of elements as deep as it is long is not shown. */
const MAX_DEPTH = 16

/** A block of text, while lines may still belong to it. */
type Leaf =
  | { readonly kind: 'paragraph'; lines: string[] }
  | { readonly kind: 'fence'; readonly fence: Fence; readonly lines: string[] }
  | { readonly kind: 'code'; readonly lines: string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: string[][] }

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
  private readonly definitions = new Map<string, Target>()
  private readonly document = containerOf('document', 0, 0)
  private readonly open: Container[] = [this.document]
  private leaf: Leaf | null = null
  /** Of the document, from 0. */
  private number = 0

  read(line: Line): void {
    const goingOn = this.countGoingOn(line)
    if (goingOn < this.open.length || !this.continueCode(line)) this.readText(line, goingOn)
    this.number += 1
  }

  end(): Document {
    this.close(0)
    return { blocks: this.document.blocks, definitions: this.definitions }
  }

  private get innermost(): Container {
    return this.open.at(-1) ?? this.document
  }

  /** How many of the open containers the line belongs to; takes their marks away. */
  private countGoingOn(line: Line): number {
    const ended = this.open.findIndex(({ kind, indent, isEmpty }) => {
      if (kind === 'document') return false
      if (kind === 'quote') return !takeQuoteMark(line)
      if (!line.isBlank && line.indent < indent) return true
      line.skipColumns(line.isBlank ? line.indent : indent)
      return line.isBlank && isEmpty
    })
    return ended === -1 ? this.open.length : ended
  }

  /** Adds the line to the code that is open; false where none is, or where it ends before the line. */
  private continueCode(line: Line): boolean {
    const { leaf } = this
    if (leaf?.kind === 'fence') {
      this.touch()
      if (closesFence(line, leaf.fence)) this.closeLeaf()
      else {
        line.skipColumns(leaf.fence.indent)
        leaf.lines.push(line.text)
      }
      return true
    }
    if (leaf?.kind !== 'code' || (line.indent < CODE_INDENT && !line.isBlank)) return false
    if (!line.isBlank) this.touch()
    line.skipColumns(CODE_INDENT)
    leaf.lines.push(line.text)
    return true
  }

  private readText(line: Line, before: number): void {
    if (before === this.open.length && this.continueParagraph(line)) return
    const goingOn = this.openContainers(line, before)
    if (line.isBlank) {
      this.close(goingOn)
      // A line with the mark of a quote is not an empty one for what is around the quote.
      this.touch(this.open.findLastIndex(({ kind }) => kind === 'quote') + 1)
      return
    }
    if (line.indent < CODE_INDENT && this.readWhole(line, goingOn)) return
    const { leaf } = this
    const isRowOfTable = leaf?.kind === 'table' && goingOn === this.open.length
    // A paragraph goes on even where the marks of its quotes and items are left out.
    if (leaf?.kind === 'paragraph') {
      leaf.lines.push(line.words)
      this.touch()
    } else if (isRowOfTable) {
      const cells = cellsOf(line.words)
      leaf.rows.push(leaf.head.map((_, column) => cells[column] ?? ''))
      this.touch()
    } else if (line.indent >= CODE_INDENT) {
      line.skipColumns(CODE_INDENT)
      this.begin(goingOn, { kind: 'code', lines: [line.text] })
    } else this.begin(goingOn, { kind: 'paragraph', lines: [line.words] })
  }

  /** Makes a heading or a table of the paragraph above the line; false where the line does not ask for it. */
  private continueParagraph(line: Line): boolean {
    const { leaf } = this
    if (leaf?.kind !== 'paragraph' || line.isBlank || line.indent >= CODE_INDENT) return false
    const level = underlineOf(line)
    if (level !== null) {
      const text = trimBlankEnd(takeDefinitions(leaf.lines.join('\n'), this.definitions))
      leaf.lines = text === '' ? [] : text.split('\n')
      if (text === '') return false
      this.leaf = null
      this.innermost.blocks.push({ kind: 'heading', level, text })
      this.touch()
      return true
    }
    const head = cellsOf(leaf.lines.at(-1) ?? '')
    if (!isDelimiterRow(line.words, head.length)) return false
    leaf.lines.pop()
    this.closeLeaf()
    this.leaf = { kind: 'table', head, rows: [] }
    this.touch()
    return true
  }

  /** Opens the quotes and items that the line begins; answers how many containers it is in. */
  private openContainers(line: Line, before: number): number {
    let goingOn = before
    while (!line.isBlank && line.indent < CODE_INDENT && goingOn <= MAX_DEPTH) {
      if (line.words.startsWith('>')) {
        takeQuoteMark(line)
        this.begin(goingOn, null)
        const quote = containerOf('quote', 0, this.number)
        this.innermost.blocks.push({ kind: 'quote', blocks: quote.blocks })
        this.open.push(quote)
      } else if (!isRule(line)) {
        const item = itemOf(line)
        const interrupts = this.leaf?.kind === 'paragraph' && goingOn === this.open.length
        if (item === null || (interrupts && !mayInterrupt(item, line))) return goingOn
        this.openItem(line, item, goingOn)
      } else return goingOn
      goingOn = this.open.length
    }
    return goingOn
  }

  private openItem(line: Line, { mark, length, start }: ItemMark, goingOn: number): void {
    const { indent } = line
    line.skipWords(length)
    // The space behind the mark belongs to it, unless code follows, which is indented by more.
    const space = line.isBlank || line.indent > CODE_INDENT ? 1 : line.indent
    line.skipColumns(space)
    this.close(goingOn)
    const { innermost, number } = this
    if (innermost.list?.mark !== mark) {
      this.begin(goingOn, null)
      const block = { kind: 'list' as const, start, isTight: true, items: [] }
      innermost.blocks.push(block)
      innermost.list = { mark, block, end: number }
    } else if (number > innermost.list.end + 1) innermost.list.block.isTight = false
    this.touch()
    const [whole, box] = TASK.exec(line.words) ?? []
    if (whole !== undefined) {
      line.skipWords(TASK_BOX)
      line.skipColumns(line.indent)
    }
    const item = containerOf('item', indent + length + space, number)
    innermost.list?.block.items.push({
      done: box === undefined ? null : box !== ' ',
      line: number,
      blocks: item.blocks,
    })
    this.open.push(item)
  }

  /** Reads a block of one line, or the first line of code; false for a line of anything else. */
  private readWhole(line: Line, goingOn: number): boolean {
    const heading = headingOf(line)
    const fence = fenceOf(line)
    if (heading === null && fence === null && !isRule(line)) return false
    this.begin(goingOn, fence === null ? null : { kind: 'fence', fence, lines: [] })
    if (heading !== null) this.innermost.blocks.push({ kind: 'heading', ...heading })
    else if (fence === null) this.innermost.blocks.push({ kind: 'rule' })
    return true
  }

  /** Closes what the line does not belong to, and begins a block in the innermost of what is left. */
  private begin(goingOn: number, leaf: Leaf | null): void {
    this.close(goingOn)
    const { innermost } = this
    if (!innermost.isEmpty && this.number > innermost.end + 1) innermost.hasGap = true
    innermost.list = null
    this.touch()
    this.leaf = leaf
  }

  /** Notes that the line is a part of the outer so many containers. */
  private touch(count = this.open.length): void {
    for (const container of this.open.slice(0, count)) {
      container.isEmpty = false
      container.end = this.number
    }
  }

  /** Closes all but so many containers, and the block of text that is open. */
  private close(goingOn: number): void {
    this.closeLeaf()
    while (this.open.length > goingOn) {
      const closed = this.open.pop()
      const list = this.open.at(-1)?.list
      if (closed?.kind !== 'item' || list == null) continue
      list.end = closed.end
      if (closed.hasGap) list.block.isTight = false
    }
  }

  private closeLeaf(): void {
    const { leaf, innermost } = this
    this.leaf = null
    if (leaf?.kind === 'paragraph') {
      const text = trimBlankEnd(takeDefinitions(leaf.lines.join('\n'), this.definitions))
      if (text !== '') innermost.blocks.push({ kind: 'paragraph', text })
    } else if (leaf?.kind === 'table') innermost.blocks.push(leaf)
    else if (leaf?.kind === 'fence') innermost.blocks.push({ kind: 'code', text: leaf.lines.join('\n') })
    else if (leaf?.kind === 'code') {
      while (trimBlankEnd(leaf.lines.at(-1) ?? '') === '') leaf.lines.pop()
      innermost.blocks.push({ kind: 'code', text: leaf.lines.join('\n') })
    }
  }
}

const TASK_BOX = '[x]'.length
