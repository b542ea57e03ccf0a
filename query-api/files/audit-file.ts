import type { Database } from '../../infra/postgres/port.ts'
import { type AuditFilter, type AuditRow, auditRowsAfter } from '../../model/audit/audit-log.ts'
import { textField } from '../operations/activity/csv.ts'

export const AUDIT_FORMATS = ['csv', 'jsonl'] as const
export type AuditFormat = (typeof AUDIT_FORMATS)[number]

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
  return `${COLUMNS.map(column => textField(record[column] ?? '')).join(',')}\r\n`
}

const LINES: Readonly<Record<AuditFormat, { readonly first: string; readonly of: (row: AuditRow) => string }>> = {
  csv: { first: `${COLUMNS.join(',')}\r\n`, of: csvLine },
  jsonl: { first: '', of: row => `${JSON.stringify(recordOf(row))}\n` },
}

const ROWS_A_PIECE = 1000

/** The entries that a filter means as a file, the oldest first, read piece by piece as they are taken. */
export async function* auditFile(
  database: Database,
  filter: AuditFilter,
  format: AuditFormat,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  const { first, of } = LINES[format]
  yield encoder.encode(first)
  for (let after: string | null = null; ; ) {
    const rows: readonly AuditRow[] = await database.transaction({ role: 'assay_accounts' }, transaction =>
      auditRowsAfter(transaction, filter, after, ROWS_A_PIECE),
    )
    if (rows.length > 0) yield encoder.encode(rows.map(of).join(''))
    if (rows.length < ROWS_A_PIECE) return
    after = rows.at(-1)?.id ?? null
  }
}
