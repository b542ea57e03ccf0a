import { randomUUID } from 'node:crypto'
import { AssayError } from '../../infra/runtime/errors.ts'
import { type CheckedExport, checkedExport } from '../../model/transfers/workspace/check-export.ts'
import type { RowsToStore } from '../../model/transfers/workspace/check-stored.ts'
import type { TableRules } from '../../model/transfers/workspace/rules.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import type { ExportHeader } from '../../schemas/transfers/workspace-export.ts'

/** A part of an uploaded export, in the order of its parts. */
type ExportPart = { readonly upload: string } & (
  | { readonly is: 'first'; readonly tenant: TenantId; readonly rules: ReadonlyMap<string, TableRules> }
  /** `thread` is the name from the first part's answer. */
  | { readonly is: 'next'; readonly thread: string; readonly bytes: Uint8Array }
  | { readonly is: 'end'; readonly thread: string }
  /** The upload has ended; its state is dropped. */
  | { readonly is: 'over' }
)

interface CheckedPart {
  /** Name of the thread: a restarted thread has another name and no state of the upload. */
  readonly thread: string
  /** Rows for the checks that need the database. */
  readonly rows: readonly RowsToStore[]
  /** The first line of the export; null before the end. */
  readonly header: ExportHeader | null
}

interface Upload {
  readonly tenant: TenantId
  readonly check: CheckedExport
}

/** Each upload may hold an unfinished line of at most 16 MiB. */
const MAX_UPLOADS = 40
const MAX_UPLOADS_OF_TENANT = 10
/** State of each upload, in this thread alone, oldest first. */
const uploads = new Map<string, Upload>()

const uploadsByTenant = (): ReadonlyMap<TenantId, readonly string[]> => {
  const names = Map.groupBy([...uploads], ([, { tenant }]) => tenant)
  return new Map([...names].map(([tenant, own]) => [tenant, own.map(([name]) => name)]))
}

/**
 * Drops an upload when there is no room for another: the tenant's own oldest, whose client may be gone, else the oldest
 * of the tenant with most uploads. A tenant's uploads never interrupt those of a tenant with fewer.
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

/** Checks a part during the upload. Throws the faults of the export. */
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
  // The thread was restarted since the first part, or the upload was dropped.
  if (check === undefined) {
    const context = { thread_ended: part.thread !== thread }
    throw new AssayError('busy', 'The upload was interrupted. Upload the file again.', { context })
  }
  return part.is === 'next' ? { thread, rows: check.add(part.bytes), header: null } : { thread, ...check.end() }
}
