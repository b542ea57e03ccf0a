import { Command, CommanderError, Option } from 'commander'
import { type ConfigOf, type ConfigSchema, parseConfig, renderConfig } from '../infra/runtime/config.ts'
import { mistypedSettings } from '../infra/runtime/mistyped.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What a program takes beside its settings. */
interface Taken<Arguments extends ConfigSchema> {
  /**
   * Each is named as the usage shows it: `<file>` and `[action]` by their place, `--email <address>` and `--json` as
   * options. No variable of the environment sets one.
   */
  readonly arguments?: Arguments
  /** Options that set a variable, such as `--segments <heads>`: `PIPELINE_SEGMENTS`. */
  readonly variables?: Readonly<Record<string, string>>
}

/** A program that the command line starts. */
export interface Program {
  readonly settings: ConfigSchema
  readonly arguments: ConfigSchema
  readonly variables: Readonly<Record<string, string>>
  /** Resolves once the program serves, or a command has ended. `given`: its arguments, by their names in the usage. */
  run(env: Environment, given: Environment): Promise<void>
}

export const program = <Settings extends ConfigSchema, Arguments extends ConfigSchema = Record<never, never>>(
  settings: Settings,
  run: (config: ConfigOf<Settings & Arguments>) => Promise<void>,
  { arguments: taken, variables = {} }: Taken<Arguments> = {},
): Program => {
  const all = { ...settings, ...taken } as Settings & Arguments
  return {
    settings,
    arguments: taken ?? {},
    variables,
    run: (env, given) => run(parseConfig(all, { ...env, ...given })),
  }
}

const PRINT_CONFIG = '--print-config'

/** The values that an argument allows, where it is one of several words. */
const wordsOf = (allowed: string): string => (allowed.startsWith('one of ') ? ` (${allowed})` : '')

/** Adds what a program takes to its command, for the usage and the parser. */
const describeProgram = (command: Command, { arguments: taken, variables, settings }: Program): void => {
  for (const { env: usage, doc, allowed, ...setting } of Object.values(taken)) {
    const about = `${doc}${wordsOf(allowed)}`
    if (!usage.startsWith('--')) command.argument(usage, about)
    else command.addOption(new Option(usage, about).makeOptionMandatory(!('default' in setting)))
  }
  for (const [usage, variable] of Object.entries(variables)) command.option(usage, `The same as ${variable}.`)
  command.option(PRINT_CONFIG, 'Print the settings in force, secrets masked, and stop.')
  const count = Object.keys(settings).length
  command.addHelpText('after', `\nSettings are environment variables: ${count}, all shown by ${PRINT_CONFIG}.`)
}

/** What was given, by the names of the usage. */
const givenTo = (command: Command, { arguments: taken, variables }: Program) => {
  const places: readonly (string | undefined)[] = command.processedArgs
  const options: Readonly<Record<string, string | true | undefined>> = command.opts()
  const given: Record<string, string | undefined> = {}
  let place = 0
  for (const { env: usage } of Object.values(taken)) {
    const value = usage.startsWith('--') ? options[new Option(usage).attributeName()] : places[place++]
    given[usage] = value === undefined ? undefined : String(value)
  }
  const set = Object.entries(variables).flatMap(([usage, variable]) => {
    const value = options[new Option(usage).attributeName()]
    return value === undefined ? [] : [[variable, String(value)] as const]
  })
  return { given, set: Object.fromEntries(set), isToPrint: options.printConfig === true }
}

export interface Listed {
  readonly about: string
  /** Loads only the command's own code: a single program is smaller and starts faster. */
  readonly load: () => Promise<Program>
}

/** A setting that was given as an option: says how settings are given. */
const settingInstead = (name: string, words: readonly string[], { settings }: Program): string | null => {
  for (const [place, word] of words.entries()) {
    const [flag = '', value = words[place + 1]] = word.split('=', 2)
    const variable = flag.replace(/^-+/, '').replaceAll('-', '_').toUpperCase()
    const isSetting = flag.startsWith('--') && Object.values(settings).some(({ env }) => env === variable)
    if (isSetting)
      return `It is a setting, and settings are environment variables: ${variable}=${value ?? '…'} npm run assay -- ${name}`
  }
  return null
}

/**
 * Runs a command line: `assay <command> [words]`. Answers the exit code, 2 for words that are not understood; null when
 * the program ends by itself.
 */
export const runCommandLine = async (
  words: readonly string[],
  { version, commands }: { readonly version: string; readonly commands: Readonly<Record<string, Listed>> },
): Promise<number | null> => {
  const root = new Command('assay')
    .version(version, '--version', 'Print the version.')
    .helpOption('--help', 'Show this. `assay <command> --help` shows what a command takes.')
    .helpCommand(false)
    .addHelpText('after', '\nSettings are environment variables: see docs/reference/configuration.md.')
    .exitOverride()
  const [name = '', ...rest] = words
  const chosen = Object.hasOwn(commands, name) ? await commands[name]?.load() : undefined
  const described = new Map(
    Object.entries(commands).map(([each, { about }]) => [each, root.command(each).description(about)]),
  )
  const command = described.get(name)
  try {
    if (chosen === undefined || command === undefined)
      await root.parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' })
    else {
      describeProgram(command, chosen)
      await command.helpOption('--help', 'Show this.').exitOverride().parseAsync(rest, { from: 'user' })
    }
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const instead = error.code === 'commander.unknownOption' && chosen ? settingInstead(name, rest, chosen) : null
    if (instead !== null) process.stderr.write(`${instead}\n`)
    return error.exitCode === 0 ? 0 : 2
  }
  if (chosen === undefined || command === undefined) return 2
  const { given, set, isToPrint } = givenTo(command, chosen)
  const env = { ...process.env, ...set }
  for (const sentence of mistypedSettings(chosen.settings, env)) process.stderr.write(`${sentence}\n`)
  if (!isToPrint) {
    await chosen.run(env, given)
    return null
  }
  process.stdout.write(`${renderConfig(chosen.settings, parseConfig(chosen.settings, env))}\n`)
  return 0
}
