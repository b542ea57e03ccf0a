import type { Fence, ItemMark } from './block-starts.ts'
import type { Document } from './blocks.ts'
import { type Container, containerOf } from './containers.ts'
import { type Target, takeDefinitions } from './definitions.ts'
import { trimBlankEnd } from './line.ts'

/** A block of text, while lines may still belong to it. */
type Leaf =
  | { readonly kind: 'paragraph'; lines: string[] }
  | { readonly kind: 'fence'; readonly fence: Fence; readonly lines: string[] }
  | { readonly kind: 'code'; readonly lines: string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: string[][] }

/** The blocks of a document that lines may still belong to, from the document itself to the innermost. */
export class OpenBlocks {
  readonly definitions = new Map<string, Target>()
  readonly open: Container[] = [containerOf('document', 0, 0)]
  /** The block of text at the end, if one is open. */
  leaf: Leaf | null = null
  /** Of the document, from 0: the line that is read. */
  number = 0
  private readonly document = this.innermost

  get innermost(): Container {
    return this.open.at(-1) ?? this.document
  }

  end(): Document {
    this.close(1)
    return { blocks: this.document.blocks, definitions: this.definitions }
  }

  openQuote(goingOn: number): void {
    this.begin(goingOn, null)
    const quote = containerOf('quote', 0, this.number)
    this.innermost.blocks.push({ kind: 'quote', blocks: quote.blocks })
    this.open.push(quote)
  }

  /** `indent` is how far what belongs to the item is indented; `done` is null where it is no task. */
  openItem(goingOn: number, { mark, start }: ItemMark, done: boolean | null, indent: number): void {
    this.close(goingOn)
    const { innermost, number } = this
    if (innermost.list?.mark !== mark) {
      this.begin(goingOn, null)
      const block = { kind: 'list' as const, start, isTight: true, items: [] }
      innermost.blocks.push(block)
      innermost.list = { mark, block, end: number }
    } else if (number > innermost.list.end + 1) innermost.list.block.isTight = false
    this.touch()
    const item = containerOf('item', indent, number)
    innermost.list?.block.items.push({ done, line: number, blocks: item.blocks })
    this.open.push(item)
  }

  /** Closes what the line does not belong to, and begins a block in the innermost of what is left. */
  begin(goingOn: number, leaf: Leaf | null): void {
    this.close(goingOn)
    const { innermost } = this
    if (!innermost.isEmpty && this.number > innermost.end + 1) innermost.hasGap = true
    innermost.list = null
    this.touch()
    this.leaf = leaf
  }

  /** Notes that the line is a part of the outer so many containers. */
  touch(count = this.open.length): void {
    for (const container of this.open.slice(0, count)) {
      container.isEmpty = false
      container.end = this.number
    }
  }

  /** Closes all but so many containers, and the block of text that is open. */
  close(goingOn: number): void {
    this.closeLeaf()
    while (this.open.length > goingOn) {
      const closed = this.open.pop()
      const list = this.open.at(-1)?.list
      if (closed?.kind !== 'item' || list == null) continue
      list.end = closed.end
      if (closed.hasGap) list.block.isTight = false
    }
  }

  closeLeaf(): void {
    const { leaf, innermost } = this
    this.leaf = null
    if (leaf?.kind === 'paragraph') {
      const text = trimBlankEnd(takeDefinitions(leaf.lines.join('\n'), this.definitions))
      if (text !== '') innermost.blocks.push({ kind: 'paragraph', text })
    } else if (leaf?.kind === 'table') innermost.blocks.push(leaf)
    else if (leaf?.kind === 'fence') innermost.blocks.push({ kind: 'code', text: leaf.lines.join('\n') })
    else if (leaf?.kind === 'code') {
      while (leaf.lines.length > 0 && trimBlankEnd(leaf.lines.at(-1) ?? '') === '') leaf.lines.pop()
      innermost.blocks.push({ kind: 'code', text: leaf.lines.join('\n') })
    }
  }
}
