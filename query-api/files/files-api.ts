import type { Database, Standing } from '../../infra/postgres/port.ts'
import { asAssayError } from '../../infra/runtime/errors.ts'
import { type AuditFilter, type AuditRow, auditRowsAfter, recordAudit } from '../../model/audit/audit-log.ts'
import { readPieces } from '../../model/transfers/pieces.ts'
import { csvField } from '../../model/transfers/records/csv-field.ts'
import { findTransfer, type Transfer } from '../../model/transfers/transfers.ts'
import { isUuid, type TransferId } from '../../schemas/domain/ids.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { senderOf } from '../http/body-budget.ts'
import type { BodyDoor } from '../http/body-door.ts'
import { problem } from '../http/problem.ts'
import { checkOrigin } from '../http/requests.ts'
import { validate } from '../operations/call/contract.ts'
import { standingOf } from '../operations/call/standing.ts'
import { AssayError, type Caller, type Static } from '../operations/define.ts'
import { AuditFilterInput, auditFilter } from '../operations/installation/list-audit-log.ts'
import { type FileStores, receiveFile } from './receive-file.ts'

const AUDIT_FORMATS = ['csv', 'jsonl'] as const
type AuditFormat = (typeof AUDIT_FORMATS)[number]

const COLUMNS = [
  'at',
  'action',
  'by_kind',
  'by_id',
  'by_name',
  'key_label',
  'subject_id',
  'subject',
  'detail',
  'client_address',
  'workspace_id',
  'workspace_name',
] as const

const recordOf = ({ id: _, at, ...row }: AuditRow) => ({ at: at.toISOString(), ...row })

const csvLine = (row: AuditRow): string => {
  const record = { ...recordOf(row), detail: JSON.stringify(row.detail) }
  return `${COLUMNS.map(column => csvField(record[column] ?? '')).join(',')}\r\n`
}

const LINES: Readonly<Record<AuditFormat, { readonly first: string; readonly of: (row: AuditRow) => string }>> = {
  csv: { first: `${COLUMNS.join(',')}\r\n`, of: csvLine },
  jsonl: { first: '', of: row => `${JSON.stringify(recordOf(row))}\n` },
}

const ROWS_A_PIECE = 1000

/** The filtered audit entries as a file, oldest first, read piece by piece. */
async function* auditFile(
  database: Database,
  standing: Standing,
  filter: AuditFilter,
  format: AuditFormat,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  const { first, of: lineOf } = LINES[format]
  yield encoder.encode(first)
  for (let after: string | null = null; ; ) {
    const rows: readonly AuditRow[] = await database.transaction({ role: 'assay_accounts', standing }, transaction =>
      auditRowsAfter(transaction, filter, after, ROWS_A_PIECE),
    )
    if (rows.length > 0) yield encoder.encode(rows.map(lineOf).join(''))
    if (rows.length < ROWS_A_PIECE) return
    after = rows.at(-1)?.id ?? null
  }
}

interface Dependencies extends FileStores {
  readonly door: Pick<BodyDoor, 'file'>
  readonly sessions: Pick<Sessions, 'callerOf'>
  readonly origins: readonly string[]
}

export interface FilesApi {
  /** `POST /api/files/imports?name=…`: the body is the file. Answers its id and format. */
  readonly upload: (request: Request) => Promise<Response>
  /** `GET /api/files/exports/<id>`: the file of a completed export. */
  readonly download: (request: Request, id: string) => Promise<Response>
  /**
   * `GET /api/files/audit-log?format=csv`: the audit log, filtered by `query`, `actions`, `from` and `to`. For
   * administrators.
   */
  readonly auditLog: (request: Request) => Promise<Response>
}

const MAX_NAME = 200

/**
 * Uploads and downloads: beside the operations, with the same sessions, roles and origins. A link names its workspace
 * in the address.
 */
export const createFilesApi = ({ door, sessions, origins, ...stores }: Dependencies): FilesApi => {
  const callerOf = (request: Request): Promise<Caller> => {
    checkOrigin(request.headers, origins)
    const named = new URL(request.url).searchParams.get('workspace_id')
    const headers = new Headers(request.headers)
    if (named !== null && !headers.has('x-workspace-id')) headers.set('x-workspace-id', named)
    return sessions.callerOf(headers)
  }
  const answering = async (work: () => Promise<Response>): Promise<Response> => {
    try {
      return await work()
    } catch (error) {
      return problem(asAssayError(error))
    }
  }
  return {
    upload: request =>
      answering(async () => {
        const caller = await callerOf(request)
        if (caller.role === 'viewer') {
          throw new AssayError(
            'forbidden',
            'Importing needs the role member in this workspace; yours is viewer. An owner can change that.',
          )
        }
        const name = fileName(new URL(request.url).searchParams.get('name'))
        const announcedBytes = Number(request.headers.get('content-length') ?? 0)
        const body = door.file(request, senderOf(caller))
        try {
          const data = await receiveFile(stores, caller, name, body, announcedBytes)
          return Response.json({ data }, { status: 201, headers: NEVER_KEPT })
        } finally {
          // Frees the memory of a body that is refused before its end.
          await body.return(undefined)
        }
      }),
    download: (request, id) =>
      answering(async () => {
        const caller = await callerOf(request)
        if (caller.role !== 'owner') {
          throw new AssayError(
            'forbidden',
            `Taking an export needs the role owner in this workspace; yours is ${caller.role}.`,
          )
        }
        // Checked at each piece, so a download ends with the right to it.
        const standing = standingOf(caller, null)
        const read: Parameters<typeof readPieces>[0]['read'] = work =>
          stores.database.transaction(
            { role: 'assay_app', workspaceId: caller.workspaceId, standing, isDivisible: true },
            work,
          )
        // `isUuid` has checked the id.
        const transfer = isUuid(id) ? await read(transaction => findTransfer(transaction, id as TransferId)) : undefined
        if (transfer === undefined || transfer.direction !== 'export') {
          throw new AssayError('not_found', `No export of this workspace is ${id}.`)
        }
        const pieces = readPieces({ sealer: stores.sealer, read }, transfer.id)
        const first = await pieces.next()
        if (!transfer.complete || first.done) {
          throw new AssayError(
            'conflict',
            'The file of this export is not there: it is being made, or more than a day old. Export again.',
          )
        }
        await read(transaction =>
          recordAudit(transaction, {
            action: 'export_taken',
            by: { kind: 'person', id: caller.userId, name: caller.userName },
            workspaceId: caller.workspaceId,
            id: transfer.id,
          }),
        )
        return new Response(streamOf(first.value, pieces), { headers: headersOf(transfer) })
      }),
    auditLog: request =>
      answering(async () => {
        const caller = await callerOf(request)
        if (caller.via.kind !== 'app' || !caller.via.administers) {
          throw new AssayError('forbidden', 'The audit log needs the role administrator of the installation.')
        }
        const parameters = new URL(request.url).searchParams
        const format = AUDIT_FORMATS.find(each => each === (parameters.get('format') ?? 'csv'))
        if (format === undefined) throw new AssayError('invalid_input', `format must be ${AUDIT_FORMATS.join(' or ')}.`)
        const filter = filterOf(parameters)
        const standing = standingOf(caller, null)
        await stores.database.transaction({ role: 'assay_accounts', standing }, transaction =>
          recordAudit(transaction, {
            action: 'audit_log_taken',
            by: { kind: 'person', id: caller.userId, name: caller.userName },
            detail: { format },
          }),
        )
        const pieces = auditFile(stores.database, standing, filter, format)
        const first = await pieces.next()
        if (first.done) throw new AssayError('internal', 'A file has at least its first piece.')
        const headers = {
          ...NEVER_KEPT,
          'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
          'content-disposition': `attachment; filename="audit-log.${format}"`,
        }
        return new Response(streamOf(first.value, pieces), { headers })
      }),
  }
}

/** The filter from the address, validated by the operation's schema. */
const filterOf = (parameters: URLSearchParams) => {
  const text = (name: string) => parameters.get(name) || undefined
  const actions = parameters.getAll('actions').filter(Boolean)
  const [from, to, query] = [text('from'), text('to'), text('query')]
  const input = {
    ...(query !== undefined && { query }),
    ...(actions.length > 0 && { actions }),
    ...((from ?? to) !== undefined && { time: { ...(from && { from }), ...(to && { to }) } }),
  }
  validate({ input: AuditFilterInput }, input, 'The audit log')
  // `validate` has checked each field.
  return auditFilter(input as Static<typeof AuditFilterInput>, new Date())
}

const NEVER_KEPT = { 'cache-control': 'no-store' }

// Control characters would break the header that carries the name at a download.
const fileName = (given: string | null): string =>
  (given ?? '').replace(/\p{C}/gu, '').trim().slice(0, MAX_NAME) || 'file'

const headersOf = ({ name, bytes }: Transfer) => ({
  ...NEVER_KEPT,
  'content-type': 'application/x-ndjson',
  'content-length': String(bytes),
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
})

const streamOf = (first: Uint8Array, rest: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: controller => controller.enqueue(first),
    pull: async controller => {
      const piece = await rest.next()
      if (piece.done) controller.close()
      else controller.enqueue(piece.value)
    },
    cancel: async () => void (await rest.return(undefined)),
  })
