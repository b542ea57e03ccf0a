import { createInterface } from 'node:readline/promises'
import type { Database } from '../infra/postgres/port.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import { AssayError } from '../infra/runtime/errors.ts'
import { runProgram } from '../infra/runtime/program.ts'
import { serverConfig } from '../infra/runtime/program-config.ts'
import { choice, optional, text } from '../infra/runtime/settings.ts'
import { type ListedAccount, listAccounts } from '../model/accounts/accounts.ts'
import {
  appointAdministrator,
  changeAddress,
  disableAccount,
  enableAccount,
  givePassword,
  makeResetLink,
  resetPassword,
  takeOffPasskeys,
  takeOffTwoFactor,
  verifyAddressOf,
} from '../query-api/accounts/operator.ts'
import { QUERY_API_CONFIG } from '../query-api/config.ts'
import { OPERATOR_CONFIG, openOperatorDatabase, printable } from './operator-database.ts'

const ACTIONS = [
  'list',
  'reset-link',
  'reset-password',
  'set-password',
  'verify-address',
  'change-address',
  'remove-two-factor',
  'remove-passkeys',
  'disable',
  'enable',
  'make-administrator',
] as const

const HEADINGS = ['address', 'name', 'since', 'workspaces', 'sessions', ''] as const

const cellsOf = (account: ListedAccount): readonly string[] => [
  printable(account.email),
  printable(account.name),
  account.created_at.toISOString().slice(0, 10),
  String(account.workspaces),
  String(account.sessions),
  [...(account.administers ? ['administrator'] : []), ...(account.disabled_at === null ? [] : ['disabled'])].join(', '),
]

/** A line for each account, below the headings. */
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

export const ACCOUNT_ARGUMENTS = {
  accountAction: choice({
    env: '[action]',
    formerly: /^ACCOUNT_ACTION$/,
    values: ACTIONS,
    doc: 'What to do.',
    default: 'list',
  }),
  accountEmail: optional(
    text({ env: '--email <address>', formerly: /^ACCOUNT_EMAIL$/, doc: 'The account’s e-mail address.' }),
  ),
  accountNewEmail: optional(
    text({
      env: '--to <address>',
      formerly: /^ACCOUNT_NEW_EMAIL$/,
      doc: 'The address that change-address gives the account.',
    }),
  ),
}

export const ACCOUNT_CONFIG = {
  ...OPERATOR_CONFIG,
  baseUrl: QUERY_API_CONFIG.baseUrl,
  port: serverConfig(8080).port,
}

type Config = ConfigOf<typeof ACCOUNT_CONFIG & typeof ACCOUNT_ARGUMENTS>

const emailOf = ({ accountEmail, accountAction }: Config): string => {
  if (accountEmail !== null) return accountEmail
  const message = `Whose account? Say it with --email somebody@example.com, as in \`assay account ${accountAction} --email somebody@example.com\`.`
  throw new AssayError('invalid_configuration', message)
}

/** The first line of standard input: other users of the machine could see a password among the arguments. */
const readPassword = async (input: NodeJS.ReadStream): Promise<string> => {
  if (input.isTTY) process.stderr.write('The new password, which is shown as you type it, and Enter:\n')
  for await (const line of createInterface({ input, terminal: false })) return line
  throw new AssayError('invalid_input', NO_PASSWORD)
}

const NO_PASSWORD =
  'No password came by standard input. Pipe it in, as in `assay account set-password --email a@example.com < file`. Nothing was changed.'

const NO_NEW_ADDRESS =
  'Which address? Say it with --to new@example.com, as in `assay account change-address --email old@example.com --to new@example.com`.'

/** A new password removes no passkey: says so to an operator who sets it because of an intruder. */
const passkeysLeft = (email: string, count: number): string =>
  count === 0
    ? ''
    : `\nIts passkeys still sign in: ${count}. If somebody else was in the account: assay account remove-passkeys --email ${email}`

/** Runs the action. Returns the message for the operator. */
const act = async (database: Database, config: Config): Promise<string> => {
  if (config.accountAction === 'list') return renderAccounts(await listAccounts(database))
  const email = emailOf(config)
  switch (config.accountAction) {
    case 'reset-password': {
      const { password, passkeys } = await resetPassword(database, email)
      return `The new password of ${email}, shown this once: ${password}\nIts sessions have ended. They change it under Settings → Account.${passkeysLeft(email, passkeys)}`
    }
    case 'reset-link': {
      const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`
      const link = await makeResetLink(database, email, baseUrl)
      const where =
        config.baseUrl === null
          ? `\nIt leads to ${baseUrl}, as BASE_URL is not set here. Where people reach Assay at another address, set BASE_URL to it and run this again.`
          : ''
      return `${link}\nGive this link to ${email} and to nobody else: whoever opens it within an hour chooses the new password. Until then nothing changes.${where}`
    }
    case 'set-password': {
      const passkeys = await givePassword(database, email, await readPassword(process.stdin))
      return `${email} has this password from now on. Its sessions have ended.${passkeysLeft(email, passkeys)}`
    }
    case 'verify-address':
      await verifyAddressOf(database, email)
      return `${email} is confirmed.`
    case 'change-address': {
      const to = config.accountNewEmail
      if (to === null) throw new AssayError('invalid_configuration', NO_NEW_ADDRESS)
      await changeAddress(database, email, to)
      return `${email} signs in with ${to} from now on. It is confirmed by your word; nobody was told.`
    }
    case 'remove-two-factor':
      return (await takeOffTwoFactor(database, email))
        ? `${email} signs in with the password alone, and sets a second factor up again under Settings → Account.`
        : `${email} has no second factor. Nothing was changed.`
    case 'remove-passkeys': {
      const removed = await takeOffPasskeys(database, email)
      return removed === 0
        ? `${email} has no passkey. Nothing was changed.`
        : `${email} has no passkey any more: ${removed} removed. They sign in with the password, and add passkeys again under Settings → Account. Sessions go on; \`reset-password\` ends them.`
    }
    case 'disable':
      await disableAccount(database, email)
      return `${email} is disabled: its sessions have ended, and its keys stop within a minute.`
    case 'enable':
      await enableAccount(database, email)
      return `${email} may sign in again, and its keys work.`
    case 'make-administrator':
      await appointAdministrator(database, email)
      return `${email} administers this installation.`
  }
}

/** Lists accounts, or runs one action on an account. */
export const runAccount = (config: Config): Promise<void> =>
  runProgram({ name: 'account', logLevel: 'silent' }, async program => {
    const database = await openOperatorDatabase(config, program)
    process.stdout.write(`${await act(database, config)}\n`)
    await program.lifecycle.stop()
  })
