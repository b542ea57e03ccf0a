import type { ListedAccount } from '../model/accounts/accounts.ts'
import { printable } from './printable.ts'

const HEADINGS = ['address', 'name', 'since', 'workspaces', 'sessions', ''] as const

const cellsOf = (account: ListedAccount): readonly string[] => [
  printable(account.email),
  printable(account.name),
  account.created_at.toISOString().slice(0, 10),
  String(account.workspaces),
  String(account.sessions),
  [...(account.administers ? ['administrator'] : []), ...(account.disabled_at === null ? [] : ['disabled'])].join(', '),
]

/** A line an account, below the headings. */
export const renderAccounts = (accounts: readonly ListedAccount[]): string => {
  const rows = [HEADINGS, ...accounts.map(cellsOf)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map(cells => cells[column]?.length ?? 0)))
  return rows
    .map(cells =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
