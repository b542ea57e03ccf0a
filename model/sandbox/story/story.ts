/** A row of a table, by column; what is not named is as the table has it by default. */
type Row = Readonly<Record<string, unknown>>

/** Rows by table, in an order in which each finds what it refers to. Rows of one table name the same columns. */
export type Rows = readonly (readonly [table: string, rows: readonly Row[]])[]

/** What rows of the story are made with: they are the same each time but for their ids and their times. */
export interface StoryContext {
  /** The id of what the story calls so: `claim exports`, `node Exports`. */
  readonly id: (name: string) => string
  /** ISO 8601: so many days before the story is told. */
  readonly ago: (days: number) => string
  /** In whose name people’s part of it is told. */
  readonly owner: { readonly id: string; readonly name: string }
}

/** The place in a list, from 1: the number of the reference. */
export const numberOf = (list: Readonly<Record<string, unknown>>, name: string): number =>
  Object.keys(list).indexOf(name) + 1

/** Where a signal came from. */
export type Sender = 'desk' | 'survey' | 'mail' | 'code'

/** Who, how many days ago, from where, about which node; what was said. */
export type SaidSignal = readonly [actor: string, days: number, sender: Sender, node: string | null, text: string]
