import { type Static, Type } from 'typebox'

/** Raised when readers of the version before cannot read a file of this format. */
export const EXPORT_VERSION = 1

/** A table's part of an export. */
const ExportedTable = Type.Object({
  table: Type.String(),
  rows: Type.Integer({ minimum: 0 }),
  columns: Type.Array(Type.String()),
})

/** The first line of an export: what it is, and what follows. */
export const ExportHeader = Type.Object({
  assay_export: Type.Integer({ description: 'The version of the format.' }),
  workspace: Type.String({ description: 'The name of the workspace that it is of.' }),
  exported_at: Type.String({ description: 'The moment that all of it is as of, ISO 8601.' }),
  tables: Type.Array(ExportedTable, { description: 'In the order of their lines.' }),
})
export type ExportHeader = Static<typeof ExportHeader>

/** The last line, whose absence shows a file that was cut short. */
export interface ExportEnd {
  /** Number of lines between the first and this one. */
  readonly end: number
}

/** The beginning of a row's line; the row follows up to the last brace. */
export const rowBegins = (table: string): string => `{"table":${JSON.stringify(table)},"row":`
