import { ACCOUNT_ACTIONS, ERASURES_ACTIONS, KEY_ACTIONS } from './commands/actions.ts'
import { outliveReaders } from './infra/runtime/closed-reader.ts'
import { type ConfigOf, type ConfigSchema, parseConfig, renderConfig } from './infra/runtime/config.ts'
import { type AssayError, asAssayError, connectionFailure } from './infra/runtime/errors.ts'
import { mistypedSettings, nearest } from './infra/runtime/mistyped.ts'
import { readProductVersion } from './infra/runtime/product-version.ts'

interface Program {
  /** The names of its settings. */
  readonly settings: readonly string[]
  /** A sentence for each variable that is nearly a setting. */
  mistyped(env: NodeJS.ProcessEnv): readonly string[]
  /** The settings in force, as text. */
  printConfig(env: NodeJS.ProcessEnv): string
  /** Resolves once the program serves, or is through. */
  run(env: NodeJS.ProcessEnv): Promise<void>
}

interface Command {
  readonly about: string
  /** Flags with a value, each another way to set an environment variable. */
  readonly flags?: Readonly<Record<string, string>>
  /** Words that stand for a variable and its value. */
  readonly switches?: Readonly<Record<string, readonly [variable: string, value: string]>>
  /** What a word that is no flag is: another way to set an environment variable. */
  readonly operand?: string
  /** A program alone needs a part of the code, and is smaller and quicker to start with that part only. */
  readonly load: () => Promise<Program>
}

const program = <Schema extends ConfigSchema>(
  schema: Schema,
  run: (config: ConfigOf<Schema>) => Promise<void>,
): Program => ({
  settings: Object.values(schema).map(({ env }) => env),
  mistyped: env => mistypedSettings(schema, env),
  printConfig: env => renderConfig(schema, parseConfig(schema, env)),
  run: env => run(parseConfig(schema, env)),
})

/** A word for each thing that a command does. */
const switchesOf = (variable: string, actions: readonly string[]): NonNullable<Command['switches']> =>
  Object.fromEntries(actions.map(action => [action, [variable, action]]))

const COMMANDS: Readonly<Record<string, Command>> = {
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
    about: 'the pipeline, from the log into the databases; --segments embed,anchor serves only these',
    flags: { '--segments': 'PIPELINE_SEGMENTS' },
    load: async () => {
      const { PROCESSORS_PROGRAM_CONFIG, runProcessors } = await import('./processors/main.ts')
      return program(PROCESSORS_PROGRAM_CONFIG, runProcessors)
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
    about: 'moves the embedded installation to engines, --to file with their settings, or back, --from file',
    flags: { '--to': 'MOVE_TO', '--from': 'MOVE_FROM' },
    load: async () => {
      const { MOVE_CONFIG } = await import('./commands/move/settings.ts')
      const { runMove } = await import('./commands/move/move.ts')
      return program(MOVE_CONFIG, runMove)
    },
  },
  ledger: {
    about:
      'counts every signal by its id, where it came in and where it ended, in both stores; --json prints it as JSON',
    switches: { '--json': ['LEDGER_FORMAT', 'json'] },
    load: async () => {
      const { LEDGER_CONFIG } = await import('./commands/ledger-config.ts')
      const { runLedger } = await import('./commands/ledger.ts')
      return program(LEDGER_CONFIG, runLedger)
    },
  },
  backup: {
    about: 'writes a backup of the embedded stores to a file or into a folder, while they are used',
    operand: 'BACKUP_FILE',
    load: async () => {
      const { BACKUP_CONFIG } = await import('./commands/backup-config.ts')
      const { runBackup } = await import('./commands/backup.ts')
      return program(BACKUP_CONFIG, runBackup)
    },
  },
  restore: {
    about: 'checks a backup and puts it into an empty data directory',
    operand: 'BACKUP_FILE',
    load: async () => {
      const { RESTORE_CONFIG } = await import('./commands/backup-config.ts')
      const { runRestore } = await import('./commands/restore.ts')
      return program(RESTORE_CONFIG, runRestore)
    },
  },
  erasures: {
    about: 'save writes the list of what was erased beside backups, again does what is in it once more after a restore',
    switches: switchesOf('ERASURES_ACTION', ERASURES_ACTIONS),
    operand: 'ERASURES_FILE',
    load: async () => {
      const { ERASURES_CONFIG, runErasures } = await import('./commands/erasures.ts')
      return program(ERASURES_CONFIG, runErasures)
    },
  },
  incident: {
    about: 'shows the limit on agents’ work units, or turns it: on [--units-per-minute 60], or off',
    flags: { '--units-per-minute': 'INCIDENT_UNITS_PER_MINUTE' },
    switches: { on: ['INCIDENT', 'on'], off: ['INCIDENT', 'off'] },
    load: async () => {
      const { INCIDENT_CONFIG, runIncident } = await import('./commands/incident.ts')
      return program(INCIDENT_CONFIG, runIncident)
    },
  },
  account: {
    about:
      'list, or with --email address: reset-link, reset-password, set-password, verify-address, change-address (with --to), remove-two-factor, remove-passkeys, disable, enable or make-administrator',
    flags: { '--email': 'ACCOUNT_EMAIL', '--to': 'ACCOUNT_NEW_EMAIL' },
    switches: switchesOf('ACCOUNT_ACTION', ACCOUNT_ACTIONS),
    load: async () => {
      const { ACCOUNT_CONFIG, runAccount } = await import('./commands/account.ts')
      return program(ACCOUNT_CONFIG, runAccount)
    },
  },
  key: {
    about: 'new makes the next installation key, rotate seals everything anew with it, status says what is left',
    switches: switchesOf('KEY_ACTION', KEY_ACTIONS),
    load: async () => {
      const { KEY_COMMAND_CONFIG, runKey } = await import('./commands/key.ts')
      return program(KEY_COMMAND_CONFIG, runKey)
    },
  },
  'provisioning-key': {
    about: 'prints a key that makes and lists workspaces, for an administrator: --owner address [--label text]',
    flags: { '--owner': 'KEY_OWNER', '--label': 'KEY_LABEL' },
    load: async () => {
      const { PROVISIONING_KEY_CONFIG, runProvisioningKey } = await import('./commands/provisioning-key.ts')
      return program(PROVISIONING_KEY_CONFIG, runProvisioningKey)
    },
  },
}

const USAGE = `Usage: assay <command> [--print-config]
       assay --version

Commands
${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(18)}${about}`)
  .join('\n')}

Settings are environment variables: see docs/reference/configuration.md.
--print-config    print the settings in force, secrets masked, and stop`

/** The environment with what the flags set, or the flag that is not understood. */
const applyFlags = (flags: readonly string[], { flags: known = {}, switches = {}, operand }: Command) => {
  const switched = flags.flatMap(flag => (switches[flag] === undefined ? [] : [switches[flag]]))
  const env: NodeJS.ProcessEnv = { ...process.env, ...Object.fromEntries(switched) }
  for (let rest = flags.filter(flag => !(flag in switches)); rest.length > 0; ) {
    const [first = ''] = rest
    if (operand !== undefined && !first.startsWith('-') && env[operand] === process.env[operand]) {
      env[operand] = first
      rest = rest.slice(1)
      continue
    }
    const [name = '', inline] = first.split('=', 2)
    const variable = known[name]
    const value = inline ?? rest[1]
    if (variable === undefined || value === undefined) return { wrong: name, value }
    env[variable] = value
    rest = rest.slice(inline === undefined ? 2 : 1)
  }
  return { env }
}

const refuse = (sentence: string): number => {
  process.stderr.write(`${sentence}\n`)
  return 2
}

const noSuchCommand = (name: string): string => {
  const meant = nearest(name, Object.keys(COMMANDS))
  const question = meant === null ? '' : ` Did you mean ${meant}?`
  return `assay has no command ${JSON.stringify(name.slice(0, 100))}.${question}\n\n${USAGE}`
}

/** What was wrong with a flag: its value is missing, it is a setting, or it is nearly another. */
const wrongFlag = async (name: string, command: Command, flag: string, value: string | undefined): Promise<string> => {
  const flags = Object.keys({ ...command.flags, ...command.switches })
  if (flags.includes(flag)) return `${flag} needs a value: ${flag} <value>.`
  const variable = flag.replace(/^-+/, '').replaceAll('-', '_').toUpperCase()
  const { settings } = await command.load()
  const said = `assay ${name} has no ${flag.startsWith('-') ? 'flag' : 'word'} ${JSON.stringify(flag.slice(0, 100))}.`
  if (settings.includes(variable))
    return `${said} It is a setting, and settings are environment variables: ${variable}=${value ?? '…'} npm run assay -- ${name}`
  const meant = nearest(flag, [...flags, '--print-config'])
  if (meant !== null) return `${said} Did you mean ${meant}?`
  return `${said} It takes ${[...flags, '--print-config'].join(', ')}.`
}

/** Runs a command line; answers the exit code, or null when the program ends by itself. */
const run = async ([name, ...flags]: readonly string[]): Promise<number | null> => {
  if (name === undefined || name === '--help') {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  if (name === '--version') {
    process.stdout.write(`${readProductVersion()}\n`)
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return refuse(noSuchCommand(name))
  const given = applyFlags(
    flags.filter(flag => flag !== '--print-config'),
    command,
  )
  if ('wrong' in given) return refuse(await wrongFlag(name, command, given.wrong, given.value))
  const { printConfig, mistyped, run: start } = await command.load()
  for (const sentence of mistyped(given.env)) process.stderr.write(`${sentence}\n`)
  if (flags.includes('--print-config')) {
    process.stdout.write(`${printConfig(given.env)}\n`)
    return 0
  }
  await start(given.env)
  return null
}

/** The package that an installation was made without; null for any other error. */
const missingPackage = (error: unknown): string | null => {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) return null
  return /Cannot find package '([^']+)'/.exec(error.message)?.[1] ?? null
}

/** What a person is told of an error; what nobody foresaw is for whoever runs this to see whole. */
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
  const code = await run(process.argv.slice(2))
  if (code !== null) process.exit(code)
} catch (thrown) {
  process.stderr.write(`${explain(asAssayError(thrown))}\n`)
  process.exit(1)
}
