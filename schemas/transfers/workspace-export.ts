import { type Static, Type } from 'typebox'

/** Raised when a file of this format can no longer be read by whoever knew the one before. */
export const EXPORT_VERSION = 1

/** What an export has of one table. */
const ExportedTable = Type.Object({
  table: Type.String(),
  rows: Type.Integer({ minimum: 0 }),
  columns: Type.Array(Type.String()),
})

/** The first line of an export: what it is, and all that follows. */
export const ExportHeader = Type.Object({
  assay_export: Type.Integer({ description: 'The version of the format.' }),
  workspace: Type.String({ description: 'The name of the workspace that it is of.' }),
  exported_at: Type.String({ description: 'The moment that all of it is as of, ISO 8601.' }),
  tables: Type.Array(ExportedTable, { description: 'In the order of their lines.' }),
})
export type ExportHeader = Static<typeof ExportHeader>

/** The last line, by which a file that was cut short is known. */
export interface ExportEnd {
  /** Lines between the first and this one. */
  readonly end: number
}

/** How the line of a row begins; its row follows up to the last brace. */
export const rowBegins = (table: string): string => `{"table":${JSON.stringify(table)},"row":`
