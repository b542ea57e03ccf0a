import { ALL_CONFIG, runAll } from './commands/all.ts'
import { MIGRATE_CONFIG, runMigrate } from './commands/migrate.ts'
import { type ConfigOf, type ConfigSchema, parseConfig, renderConfig } from './infra/runtime/config.ts'
import { type AssayError, asAssayError } from './infra/runtime/errors.ts'
import { INGEST_PROGRAM_CONFIG, runIngest } from './ingest/main.ts'
import { PROCESSORS_PROGRAM_CONFIG, runProcessors } from './processors/main.ts'
import { QUERY_API_PROGRAM_CONFIG, runQueryApi } from './query-api/main.ts'

interface Command {
  readonly about: string
  /** Flags with a value, each another way to set an environment variable. */
  readonly flags: Readonly<Record<string, string>>
  /** The settings in force, as text. */
  printConfig(env: NodeJS.ProcessEnv): string
  /** Resolves once the program serves, or is through. */
  run(env: NodeJS.ProcessEnv): Promise<void>
}

const command = <Schema extends ConfigSchema>(
  about: string,
  schema: Schema,
  run: (config: ConfigOf<Schema>) => Promise<void>,
  flags: Command['flags'] = {},
): Command => ({
  about,
  flags,
  printConfig: env => renderConfig(schema, parseConfig(schema, env)),
  run: env => run(parseConfig(schema, env)),
})

const COMMANDS: Readonly<Record<string, Command>> = {
  all: command('every program in one process; each store is embedded unless it is configured', ALL_CONFIG, runAll),
  ingest: command('the edge, which takes webhooks and appends them to the log', INGEST_PROGRAM_CONFIG, runIngest),
  processors: command(
    'the pipeline, from the log into the databases; --segments embed,anchor serves only these',
    PROCESSORS_PROGRAM_CONFIG,
    runProcessors,
    { '--segments': 'PIPELINE_SEGMENTS' },
  ),
  'query-api': command('MCP for agents, and the app for people', QUERY_API_PROGRAM_CONFIG, runQueryApi),
  migrate: command('makes topics and brings both databases up to date, then ends', MIGRATE_CONFIG, runMigrate),
}

const USAGE = `Usage: assay <command> [--print-config]

Commands
${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join('\n')}

Settings are environment variables: see docs/reference/configuration.md.
--print-config    print the settings in force, secrets masked, and stop`

/** The environment with what the flags set; null when one is not understood. */
const applyFlags = (flags: readonly string[], known: Command['flags']): NodeJS.ProcessEnv | null => {
  const env = { ...process.env }
  for (let rest = flags; rest.length > 0; ) {
    const [name = '', inline] = rest[0]?.split('=', 2) ?? []
    const variable = known[name]
    const value = inline ?? rest[1]
    if (variable === undefined || value === undefined) return null
    env[variable] = value
    rest = rest.slice(inline === undefined ? 2 : 1)
  }
  return env
}

/** Runs a command line; answers the exit code, or null when the program ends by itself. */
const run = async ([name, ...flags]: readonly string[]): Promise<number | null> => {
  if (name === undefined || name === '--help') {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const chosen = COMMANDS[name]
  const env =
    chosen &&
    applyFlags(
      flags.filter(flag => flag !== '--print-config'),
      chosen.flags,
    )
  if (!chosen || !env) {
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  if (flags.includes('--print-config')) {
    process.stdout.write(`${chosen.printConfig(env)}\n`)
    return 0
  }
  await chosen.run(env)
  return null
}

/** What a person is told of an error; what nobody foresaw is for whoever runs this to see whole. */
const explain = ({ code, publicMessage, cause }: AssayError): string =>
  code === 'internal' && cause instanceof Error ? `${publicMessage}\n${cause.stack}` : publicMessage

try {
  const code = await run(process.argv.slice(2))
  if (code !== null) process.exit(code)
} catch (thrown) {
  process.stderr.write(`${explain(asAssayError(thrown))}\n`)
  process.exit(1)
}
