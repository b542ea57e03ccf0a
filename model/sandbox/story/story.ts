/** A row by column. Other columns have the table's defaults. */
type Row = Readonly<Record<string, unknown>>

/** Rows by table, in an order that fulfils references. All rows of a table name the same columns. */
export type Rows = readonly (readonly [table: string, rows: readonly Row[]])[]

/** Ids, times and owner of a story; everything else is equal each time. */
export interface StoryContext {
  /** The id of a name in the story: `claim exports`, `node Exports`. */
  readonly id: (name: string) => string
  /** ISO 8601 time, in days before now. */
  readonly ago: (days: number) => string
  /** The person who acts in the story. */
  readonly owner: { readonly id: string; readonly name: string }
}

/** Position in a list from 1, which is the number of the reference. */
export const numberOf = (list: Readonly<Record<string, unknown>>, name: string): number =>
  Object.keys(list).indexOf(name) + 1

/** Origin of a signal. */
export type Sender = 'desk' | 'survey' | 'mail' | 'code'

/** Actor, days before now, origin, map node, text. */
export type SaidSignal = readonly [actor: string, days: number, sender: Sender, node: string | null, text: string]
