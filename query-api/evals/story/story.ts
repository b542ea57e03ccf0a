/** A table row by column; missing columns get their default. */
export type Row = Readonly<Record<string, unknown>>

/** Rows by table; each row comes behind the rows that it refers to. */
export type Rows = readonly (readonly [table: string, rows: readonly Row[]])[]

/** Builds the story's rows: they are the same in every workspace except for their ids. */
export interface StoryContext {
  /** Id for a name of the story, such as `claim CLM-1` or `node Exports`. */
  readonly id: (name: string) => string
  /** A time this many days before the tasks. */
  readonly ago: (days: number) => string
  readonly owner: { readonly id: string; readonly name: string }
}

/** Number of a reference: 7 for `SIG-7`. */
export const numberOf = (reference: string): number => Number(reference.split('-')[1])
