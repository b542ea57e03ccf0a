/** A row of a table, by column; what is not named is as the table has it by default. */
export type Row = Readonly<Record<string, unknown>>

/** Rows by table, in an order in which each finds what it refers to. */
export type Rows = readonly (readonly [table: string, rows: readonly Row[]])[]

/** What rows of the story are made with: they are the same in every workspace but for their ids. */
export interface StoryContext {
  /** The id of what the story calls so: `claim CLM-1`, `node Exports`. */
  readonly id: (name: string) => string
  /** So many days before the moment at which the tasks happen. */
  readonly ago: (days: number) => string
  readonly owner: { readonly id: string; readonly name: string }
}

/** The number of a reference: 7 of `SIG-7`. */
export const numberOf = (reference: string): number => Number(reference.split('-')[1])
