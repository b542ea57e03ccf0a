import { AssayError } from '../../infra/runtime/errors.ts'
import { type CheckedExport, checkedExport } from '../../model/transfers/workspace/check-export.ts'
import type { RowsToStore } from '../../model/transfers/workspace/check-stored.ts'
import type { TableRules } from '../../model/transfers/workspace/rules.ts'
import type { ExportHeader } from '../../schemas/transfers/workspace-export.ts'

/** A part of an export that is uploaded, in the order of its parts. */
type ExportPart = { readonly upload: string } & (
  | { readonly is: 'first'; readonly rules: ReadonlyMap<string, TableRules> }
  | { readonly is: 'next'; readonly bytes: Uint8Array }
  | { readonly is: 'end' }
  /** Nothing more comes of it: it is forgotten. */
  | { readonly is: 'over' }
)

interface CheckedPart {
  /** What only the database can check of the rows that passed. */
  readonly rows: readonly RowsToStore[]
  /** The first line, at the end. */
  readonly header: ExportHeader | null
}

/** More than come at once. The oldest is forgotten for another: its client may be gone. */
const MAX_UPLOADS = 100
/** What has passed of each upload, on the thread alone. */
const uploads = new Map<string, CheckedExport>()

const NOTHING: CheckedPart = { rows: [], header: null }

/** Checks a part as the upload goes on. Throws what is wrong with the export. */
export const checkExportPart = (part: ExportPart): CheckedPart => {
  if (part.is === 'first') {
    const [oldest] = uploads.keys()
    if (uploads.size >= MAX_UPLOADS && oldest !== undefined) uploads.delete(oldest)
    uploads.set(part.upload, checkedExport(part.rules))
    return NOTHING
  }
  const check = uploads.get(part.upload)
  if (part.is === 'over') {
    uploads.delete(part.upload)
    return NOTHING
  }
  // The thread was started again since the first part.
  if (check === undefined) throw new AssayError('busy', 'The upload was interrupted. Upload the file again.')
  return part.is === 'next' ? { rows: check.add(part.bytes), header: null } : check.end()
}
