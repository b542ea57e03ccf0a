import type { InstallationLedger, Verdict } from '../model/ledger/installation-ledger.ts'
import type { Ledger, StoreCounts } from '../model/ledger/ledger.ts'
import { printable } from './operator-database.ts'

const SAYS: Readonly<Record<Verdict, string>> = {
  balanced: 'It balances: what was received is what ended, each signal once, the same in both stores.',
  in_progress: 'Not all has ended or been recorded yet. Run this again; on a busy installation it is always so.',
  unbalanced: 'It does NOT balance, and nothing that is on its way will change that.',
}

const both = ({ postgres, clickhouse }: StoreCounts): string => `${postgres} | ${clickhouse}`

const COLUMNS: readonly (readonly [title: string, cell: (ledger: Ledger) => string])[] = [
  ['received', ledger => `${ledger.received}`],
  ['inserted', ledger => both(ledger.inserted)],
  ['occurrences', ledger => both(ledger.occurrences)],
  ['dead', ledger => both(ledger.dead)],
  ['dead, waiting', ledger => `${ledger.dead_waiting}`],
  ['replayed', ledger => `${ledger.dead_replayed}`],
  ['discarded', ledger => `${ledger.dead_discarded}`],
  ['erased', ledger => `${ledger.erased}`],
  ['on the way', ledger => `${ledger.in_progress}`],
  ['twice', ledger => `${ledger.ended_twice} | ${ledger.recorded_twice}`],
  ['no claim', ledger => `${ledger.misplaced + ledger.stranded}`],
  ['no receipt', ledger => `${ledger.without_receipt}`],
  ['changed places', ledger => `${ledger.changed_places}`],
]

/** Rows of cells as lines with aligned columns; the first column left, the others right. */
const aligned = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map(row => row.map(pad).join('  ').trimEnd()).join('\n')
}

/** A row for each workspace, and the total last. */
export const renderLedger = (ledger: InstallationLedger): string => {
  const waiting = ledger.waiting_on_the_log
  const row = (name: string, onTheLog: string, counted: Ledger): string[] => [
    name,
    ...COLUMNS.map(([, cell]) => cell(counted)),
    onTheLog,
  ]
  const rows = [
    ['workspace', ...COLUMNS.map(([title]) => title), 'on the log'],
    ...ledger.workspaces.map(workspace => row(printable(workspace.slug), '', workspace)),
    row('total', waiting === null ? '?' : `${waiting}`, ledger.total),
  ]
  const differing = ledger.workspaces.flatMap(({ slug: name, differences }) =>
    differences.flatMap(({ end, only_in_postgres, only_in_clickhouse }) => [
      ...only_in_postgres.map(id => `  ${printable(name)}, ${end}: ${id} only in Postgres`),
      ...only_in_clickhouse.map(id => `  ${printable(name)}, ${end}: ${id} only in ClickHouse`),
    ]),
  )
  return [
    aligned(rows),
    '',
    'Distinct signals; where there are two numbers, in Postgres | in ClickHouse.',
    waiting === null
      ? 'The log was not looked at.'
      : 'On the log: records that were accepted, or recorded, and are in no store yet.',
    ...(ledger.total.changed_places > 0
      ? ['Changed places: originals that came after a repeat of theirs when a restore had them come again.']
      : []),
    SAYS[ledger.verdict],
    ...ledger.reasons.map(what => `  ${what}`),
    ...differing,
    '',
  ].join('\n')
}
