import { AssayError, type Violation } from './errors.ts'
import { ANY_TEXT, LENGTH_OF_TIME, type Setting, YES_OR_NO } from './settings.ts'

/** The settings of a program, by the names that its code uses. */
export type ConfigSchema = Readonly<Record<string, Setting<unknown>>>

type ValueOf<S> = S extends { parse(text: string): infer Value } ? Exclude<Value, undefined> : never

/** The typed values that a schema's settings parse to. */
export type ConfigOf<Schema> = { readonly [Name in keyof Schema]: ValueOf<Schema[Name]> }

type Environment = Readonly<Record<string, string | undefined>>

type Read = { readonly value: unknown } | { readonly wrong: string }

const read = (setting: Setting<unknown>, given: string | undefined): Read => {
  if (given === undefined || given === '') {
    if ('default' in setting) return { value: setting.default }
    const allowed = setting.allowed === ANY_TEXT ? '' : ` It must be ${setting.allowed}.`
    return { wrong: `${setting.env} is not set.${allowed} ${setting.doc}` }
  }
  const value = setting.parse(given)
  if (value !== undefined) return { value }
  const shown = setting.secret ? 'has a value that is not allowed' : `is ${JSON.stringify(maskUrl(given))}`
  return { wrong: `${setting.env} ${shown}. It must be ${setting.allowed}.` }
}

/** Hides the password of a URL that could not be parsed, too: an error message must not show it. */
const maskUrl = (given: string): string => given.replace(/(:\/\/[^/@\s:]*):[^/@\s]*@/, '$1:********@')

const formerNames = ({ formerly }: Setting<unknown>, env: Environment): readonly string[] =>
  formerly === undefined ? [] : Object.keys(env).filter(name => formerly.test(name) && env[name])

/**
 * Reads every setting from the environment. An empty variable counts as not set. Throws `invalid_configuration` with
 * one line for each wrong value, which names the variable and what is allowed.
 */
export const parseConfig = <Schema extends ConfigSchema>(schema: Schema, env: Environment): ConfigOf<Schema> => {
  const violations: Violation[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(schema)) {
    for (const former of formerNames(setting, env))
      violations.push({ pointer: `/${former}`, message: `${former} is ${setting.env} by now.` })
    const result = read(setting, env[setting.env])
    if ('wrong' in result) violations.push({ pointer: `/${setting.env}`, message: result.wrong })
    else values[name] = result.value
  }
  if (violations.length > 0) {
    const lines = violations.map(violation => violation.message)
    throw new AssayError('invalid_configuration', ['The configuration is not valid.', ...lines].join('\n'), {
      violations,
    })
  }
  // Every setting was parsed above under its own name, and none is missing.
  return values as ConfigOf<Schema>
}

const MASK = '********'

const shown = (setting: Setting<unknown>, value: unknown): string => {
  if (value === null || value === undefined) return ''
  return setting.secret ? MASK : setting.write(value)
}

/** The settings in use as `NAME=value` lines for an env file. Secrets are masked. */
export const renderConfig = <Schema extends ConfigSchema>(schema: Schema, config: ConfigOf<Schema>): string => {
  const values: Readonly<Record<string, unknown>> = config
  return Object.entries(schema)
    .map(([name, setting]) => `${setting.env}=${shown(setting, values[name])}`)
    .join('\n')
}

/** For these kinds the default already shows the form of a value. */
const SHOWN_BY_DEFAULT = [YES_OR_NO, LENGTH_OF_TIME]

/** The condition on a setting, in brackets, as far as its default does not show that already. */
const limitsOf = (setting: Setting<unknown>, value: string): string => {
  const isShown = setting.allowed === ANY_TEXT || (value !== '' && SHOWN_BY_DEFAULT.includes(setting.allowed))
  const limits = [
    'default' in setting ? '' : 'required',
    isShown ? '' : setting.allowed.replace(/^(?:a whole number from|an absolute URL that begins with) /, ''),
    setting.secret ? 'secret' : '',
  ].filter(limit => limit !== '')
  return limits.length === 0 ? '' : ` (${limits.join('; ')})`
}

/** A Markdown list of the settings: variable with default, allowed values, meaning. */
export const describeConfig = (schema: ConfigSchema): string =>
  Object.values(schema)
    .map(setting => {
      const value = 'default' in setting ? shown(setting, setting.default) : ''
      const name = value === '' ? setting.env : `${setting.env}=${value}`
      return `- \`${name}\`${limitsOf(setting, value)}: ${setting.doc.replace(/\s+/g, ' ')}`
    })
    .join('\n')
