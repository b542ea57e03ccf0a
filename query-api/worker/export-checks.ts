import { randomUUID } from 'node:crypto'
import { AssayError } from '../../infra/runtime/errors.ts'
import { type CheckedExport, checkedExport } from '../../model/transfers/workspace/check-export.ts'
import type { RowsToStore } from '../../model/transfers/workspace/check-stored.ts'
import type { TableRules } from '../../model/transfers/workspace/rules.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import type { ExportHeader } from '../../schemas/transfers/workspace-export.ts'

/** A part of an export that is uploaded, in the order of its parts. */
type ExportPart = { readonly upload: string } & (
  | { readonly is: 'first'; readonly tenant: TenantId; readonly rules: ReadonlyMap<string, TableRules> }
  /** `thread` is what the answer to the first part named. */
  | { readonly is: 'next'; readonly thread: string; readonly bytes: Uint8Array }
  | { readonly is: 'end'; readonly thread: string }
  /** Nothing more comes of it: it is forgotten. */
  | { readonly is: 'over' }
)

interface CheckedPart {
  /** The thread that did it: one that was started again since has another name, and knows nothing of the upload. */
  readonly thread: string
  /** What only the database can check of the rows that passed. */
  readonly rows: readonly RowsToStore[]
  /** The first line, at the end. */
  readonly header: ExportHeader | null
}

interface Upload {
  readonly tenant: TenantId
  readonly check: CheckedExport
}

/** Each may hold a line that has not ended, of 16 MiB at most. */
const MAX_UPLOADS = 40
const MAX_UPLOADS_OF_TENANT = 10
/** What has passed of each upload, on the thread alone; the oldest comes first. */
const uploads = new Map<string, Upload>()

const uploadsByTenant = (): ReadonlyMap<TenantId, readonly string[]> => {
  const names = Map.groupBy([...uploads], ([, { tenant }]) => tenant)
  return new Map([...names].map(([tenant, own]) => [tenant, own.map(([name]) => name)]))
}

/**
 * Forgets an upload where there is no room for another: the tenant's own oldest, whose client may be gone, else the
 * oldest of the tenant that has the most. One tenant's uploads never interrupt those of another that has fewer.
 */
const makeRoom = (tenant: TenantId): void => {
  const byTenant = uploadsByTenant()
  const own = byTenant.get(tenant) ?? []
  const isFull = uploads.size >= MAX_UPLOADS
  if (own.length < MAX_UPLOADS_OF_TENANT && !isFull) return
  const most = [...byTenant.values()].reduce((one, other) => (other.length > one.length ? other : one), own)
  const [oldest] = own.length >= MAX_UPLOADS_OF_TENANT ? own : most
  if (oldest !== undefined) uploads.delete(oldest)
}

const thread = randomUUID()
const NOTHING: CheckedPart = { thread, rows: [], header: null }

/** Checks a part as the upload goes on. Throws what is wrong with the export. */
export const checkExportPart = (part: ExportPart): CheckedPart => {
  if (part.is === 'first') {
    makeRoom(part.tenant)
    uploads.set(part.upload, { tenant: part.tenant, check: checkedExport(part.rules) })
    return NOTHING
  }
  const check = uploads.get(part.upload)?.check
  if (part.is === 'over') {
    uploads.delete(part.upload)
    return NOTHING
  }
  // The thread was started again since the first part, or there was no room for the upload any more.
  if (check === undefined) {
    const context = { thread_ended: part.thread !== thread }
    throw new AssayError('busy', 'The upload was interrupted. Upload the file again.', { context })
  }
  return part.is === 'next' ? { thread, rows: check.add(part.bytes), header: null } : { thread, ...check.end() }
}
