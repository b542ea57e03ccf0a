import type { Transaction } from '../../../infra/postgres/port.ts'
import type { ImportReport } from '../../../schemas/transfers/reading.ts'
import { textHash } from '../../signals/normalize.ts'
import type { Transfer } from '../transfers.ts'
import type { ImportedRecord } from './next-signals.ts'

const LINES_SHOWN = 5
/** The reasons are few: they name what is wrong, not with what. */
const MAX_REASONS = 100

export const newReport = (): ImportReport => ({
  records: 0,
  accepted: 0,
  refused: 0,
  duplicates: 0,
  duplicate_lines: [],
  reasons: [],
  earliest: null,
  latest: null,
})

/** The report with these records added; `repeated` are the lines among them that say what an earlier one says. */
export const recordRecords = (
  before: ImportReport,
  records: readonly ImportedRecord[],
  repeated: readonly number[],
): ImportReport => {
  const report = structuredClone(before)
  for (const { line, reading } of records) {
    if (reading.kind === 'blank') continue
    report.records += 1
    if (reading.kind === 'refused') {
      report.refused += 1
      noteReason(report, reading.reason, line)
      continue
    }
    report.accepted += 1
    if (reading.occurredAt === null) continue
    const at = new Date(reading.occurredAt).toISOString()
    if (report.earliest === null || at < report.earliest) report.earliest = at
    if (report.latest === null || at > report.latest) report.latest = at
  }
  report.duplicates += repeated.length
  report.duplicate_lines = [...report.duplicate_lines, ...repeated].slice(0, LINES_SHOWN)
  return report
}

const noteReason = ({ reasons }: ImportReport, reason: string, line: number): void => {
  const known = reasons.find(each => each.reason === reason)
  if (known === undefined) {
    if (reasons.length < MAX_REASONS) reasons.push({ reason, count: 1, lines: [line] })
    return
  }
  known.count += 1
  if (known.lines.length < LINES_SHOWN) known.lines.push(line)
}

const ADD = `
  insert into transfer_texts (workspace_id, transfer_id, hash, line)
  select $1, $2, hash, min(line) from unnest($3::bigint[], $4::integer[]) as given (hash, line) group by hash
  on conflict (transfer_id, hash) do nothing`

const REPEATED = `
  select given.line from unnest($2::bigint[], $3::integer[]) as given (hash, line)
  join transfer_texts on transfer_id = $1 and transfer_texts.hash = given.hash
  where transfer_texts.line <> given.line
  order by given.line`

/** Keeps which texts these records say, and answers the lines of those that an earlier line says too. Done again, it answers the same. */
export const recordTexts = async (
  transaction: Transaction,
  { id, workspace_id }: Pick<Transfer, 'id' | 'workspace_id'>,
  records: readonly ImportedRecord[],
): Promise<readonly number[]> => {
  const texts = records.flatMap(({ line, reading }) =>
    reading.kind === 'signal' ? [{ line, hash: shortHash(reading.body.text) }] : [],
  )
  const [hashes, lines] = [texts.map(({ hash }) => hash), texts.map(({ line }) => line)]
  await transaction.query(ADD, [workspace_id, id, hashes, lines])
  return (await transaction.query<{ line: number }>(REPEATED, [id, hashes, lines])).map(({ line }) => line)
}

/** Of a million texts, two have the same by chance once in forty million files. */
const shortHash = (text: string): string => BigInt.asIntN(64, BigInt(`0x${textHash(text).slice(0, 16)}`)).toString()
