import type { Block, List, ListItem } from './blocks.ts'

/** A block that holds others, while lines may still belong to it. */
export interface Container {
  readonly kind: 'document' | 'quote' | 'item'
  readonly blocks: Block[]
  /** Of an item: how far what belongs to it is indented. */
  readonly indent: number
  /** The list that the next item may belong to. */
  list: OpenList | null
  isEmpty: boolean
  /** The last line that is not empty. */
  end: number
  /** Whether empty lines are between two of its blocks. */
  hasGap: boolean
}

interface OpenList {
  readonly mark: string
  readonly block: Omit<List, 'isTight' | 'items'> & { isTight: boolean; readonly items: ListItem[] }
  end: number
}

export const containerOf = (kind: Container['kind'], indent: number, line: number): Container => ({
  kind,
  blocks: [],
  indent,
  list: null,
  isEmpty: true,
  end: line,
  hasGap: false,
})
