import type { Definitions } from './definitions.ts'

/** A block of a Markdown document. Texts in it are for `parseInline`. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph' | 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | List
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' }

export interface List {
  readonly kind: 'list'
  /** Null for one without numbers. */
  readonly start: number | null
  /** Whether empty lines are nowhere between its items and what these hold. */
  readonly isTight: boolean
  readonly items: readonly ListItem[]
}

export interface ListItem {
  /** Of a task; null for any other item. */
  readonly done: boolean | null
  /** Of the document, from 0. */
  readonly line: number
  readonly blocks: readonly Block[]
}

export interface Document {
  readonly blocks: readonly Block[]
  /** For `parseInline`. */
  readonly definitions: Definitions
}
