import type { ImportReport } from '../../../schemas/transfers/reading.ts'
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
