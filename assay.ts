import { type Listed, program, runCommandLine } from './commands/command-line.ts'
import { outliveReaders } from './infra/runtime/closed-reader.ts'
import { type AssayError, asAssayError, connectionFailure } from './infra/runtime/errors.ts'
import { readProductVersion } from './infra/runtime/product-version.ts'

const COMMANDS: Readonly<Record<string, Listed>> = {
  all: {
    about: 'every program in one process; each store is embedded unless it is configured',
    load: async () => {
      const { ALL_CONFIG, runAll } = await import('./commands/all.ts')
      return program(ALL_CONFIG, runAll)
    },
  },
  ingest: {
    about: 'the edge, which takes webhooks and appends them to the log',
    load: async () => {
      const { INGEST_PROGRAM_CONFIG, runIngest } = await import('./ingest/main.ts')
      return program(INGEST_PROGRAM_CONFIG, runIngest)
    },
  },
  processors: {
    about: 'the pipeline, from the log into the databases',
    load: async () => {
      const { PROCESSORS_PROGRAM_CONFIG, runProcessors } = await import('./processors/main.ts')
      return program(PROCESSORS_PROGRAM_CONFIG, runProcessors, {
        variables: { '--segments <heads>': 'PIPELINE_SEGMENTS' },
      })
    },
  },
  'query-api': {
    about: 'MCP for agents, and the app for people',
    load: async () => {
      const { QUERY_API_PROGRAM_CONFIG, runQueryApi } = await import('./query-api/main.ts')
      return program(QUERY_API_PROGRAM_CONFIG, runQueryApi)
    },
  },
  migrate: {
    about: 'makes topics and brings both databases up to date, then ends',
    load: async () => {
      const { MIGRATE_CONFIG, runMigrate } = await import('./commands/migrate.ts')
      return program(MIGRATE_CONFIG, runMigrate)
    },
  },
  move: {
    about: 'moves the embedded installation to engines, or back',
    load: async () => {
      const { MOVE_ARGUMENTS, MOVE_CONFIG } = await import('./commands/move/settings.ts')
      const { runMove } = await import('./commands/move/move.ts')
      return program(MOVE_CONFIG, runMove, { arguments: MOVE_ARGUMENTS })
    },
  },
  ledger: {
    about: 'counts every signal by its id, where it came in and where it ended, in both stores',
    load: async () => {
      const { LEDGER_ARGUMENTS, LEDGER_CONFIG } = await import('./commands/ledger-config.ts')
      const { runLedger } = await import('./commands/ledger.ts')
      return program(LEDGER_CONFIG, runLedger, { arguments: LEDGER_ARGUMENTS })
    },
  },
  backup: {
    about: 'writes a backup of the embedded stores to a file or into a folder, while they are used',
    load: async () => {
      const { BACKUP_ARGUMENTS, BACKUP_CONFIG } = await import('./commands/backup-config.ts')
      const { runBackup } = await import('./commands/backup.ts')
      return program(BACKUP_CONFIG, runBackup, { arguments: BACKUP_ARGUMENTS })
    },
  },
  restore: {
    about: 'checks a backup and puts it into an empty data directory',
    load: async () => {
      const { RESTORE_ARGUMENTS, RESTORE_CONFIG } = await import('./commands/backup-config.ts')
      const { runRestore } = await import('./commands/restore.ts')
      return program(RESTORE_CONFIG, runRestore, { arguments: RESTORE_ARGUMENTS })
    },
  },
  erasures: {
    about: 'writes the list of what was erased, or erases what is in it again after a restore',
    load: async () => {
      const { ERASURES_ARGUMENTS, ERASURES_CONFIG, runErasures } = await import('./commands/erasures.ts')
      return program(ERASURES_CONFIG, runErasures, { arguments: ERASURES_ARGUMENTS })
    },
  },
  incident: {
    about: 'shows the limit on agents’ work units, or turns it on or off',
    load: async () => {
      const { INCIDENT_ARGUMENTS, runIncident } = await import('./commands/incident.ts')
      const { OPERATOR_CONFIG } = await import('./commands/operator-database.ts')
      return program(OPERATOR_CONFIG, runIncident, { arguments: INCIDENT_ARGUMENTS })
    },
  },
  account: {
    about: 'lists accounts, or changes one that cannot help itself',
    load: async () => {
      const { ACCOUNT_ARGUMENTS, ACCOUNT_CONFIG, runAccount } = await import('./commands/account.ts')
      return program(ACCOUNT_CONFIG, runAccount, { arguments: ACCOUNT_ARGUMENTS })
    },
  },
  key: {
    about: 'makes the next installation key, seals everything with it, or says what is left',
    load: async () => {
      const { KEY_ARGUMENTS, KEY_COMMAND_CONFIG, runKey } = await import('./commands/key.ts')
      return program(KEY_COMMAND_CONFIG, runKey, { arguments: KEY_ARGUMENTS })
    },
  },
  'provisioning-key': {
    about: 'prints a key that makes and lists workspaces, for an administrator',
    load: async () => {
      const { PROVISIONING_KEY_ARGUMENTS, runProvisioningKey } = await import('./commands/provisioning-key.ts')
      const { OPERATOR_CONFIG } = await import('./commands/operator-database.ts')
      return program(OPERATOR_CONFIG, runProvisioningKey, { arguments: PROVISIONING_KEY_ARGUMENTS })
    },
  },
}

/** The package that is missing from an installation; null for any other error. */
const missingPackage = (error: unknown): string | null => {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) return null
  return /Cannot find package '([^']+)'/.exec(error.message)?.[1] ?? null
}

/** The message for a person; an unforeseen error is shown with its stack. */
const explain = (error: AssayError): string => {
  const { code, publicMessage, cause } = error
  const missing = missingPackage(cause)
  if (missing !== null)
    return `The package ${missing} is not installed. An image without the embedded engines runs the programs alone: build it with --build-arg EMBEDDED=yes for \`all\`. From a checkout, \`npm ci\` installs everything.`
  if (code === 'internal' && cause instanceof Error) return `${publicMessage}\n${cause.stack}`
  const failure = connectionFailure(error)
  return failure === null ? publicMessage : `${publicMessage} The system says: ${failure}.`
}

outliveReaders()
try {
  const code = await runCommandLine(process.argv.slice(2), { version: readProductVersion(), commands: COMMANDS })
  if (code !== null) process.exit(code)
} catch (thrown) {
  process.stderr.write(`${explain(asAssayError(thrown))}\n`)
  process.exit(1)
}
