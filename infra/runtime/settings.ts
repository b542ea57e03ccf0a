import { domainToASCII } from 'node:url'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../schemas/domain/durations.ts'

/** One setting, or an argument of a command: its name, meaning, and how its text becomes a value. */
export interface Setting<Value> {
  /** The environment variable; of an argument how the usage shows it, such as `--email <address>`. */
  readonly env: string
  /** Variables of earlier versions: one that is set is refused with the name of today. */
  readonly formerly?: RegExp
  readonly doc: string
  /** The allowed values, in words that fit after "must be". */
  readonly allowed: string
  /** The value when the variable is not set. Without a default the variable is required. */
  readonly default?: Value
  /** Never shown, neither by `--print-config` nor in an error. */
  readonly secret: boolean
  /** Undefined when the text is not allowed. */
  parse(text: string): Value | undefined
  /** The value as a user would write it. */
  write(value: Value): string
}

interface About<Value> {
  readonly env: string
  readonly formerly?: RegExp
  readonly doc: string
  readonly default?: Value
  readonly secret?: boolean
}

interface Kind<Value> {
  readonly allowed: string
  readonly parse: (text: string) => Value | undefined
  readonly write?: (value: Value) => string
}

const setting = <Value>(
  { secret = false, ...about }: About<Value>,
  { allowed, parse, write = String }: Kind<Value>,
): Setting<Value> => ({
  ...about,
  allowed,
  secret,
  parse,
  write,
})

/** For a setting that takes every text. */
export const ANY_TEXT = 'text'
export const YES_OR_NO = 'true or false'
export const LENGTH_OF_TIME = 'a length of time with its unit (ms, s, m, h or d), such as 30s'

export const text = (about: About<string>): Setting<string> =>
  setting(about, { allowed: ANY_TEXT, parse: value => (value === '' ? undefined : value) })

/** A whole number from `min` to `max`, inclusive. */
export const integer = ({
  min,
  max,
  ...about
}: About<number> & { readonly min: number; readonly max: number }): Setting<number> =>
  setting(about, {
    allowed: `a whole number from ${min} to ${max}`,
    parse: value => {
      const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      return number >= min && number <= max ? number : undefined
    },
  })

/** A TCP port to listen on; with 0 the system chooses one. */
export const port = (about: About<number>): Setting<number> => integer({ ...about, min: 0, max: 65_535 })

/** One of the given words. */
export const choice = <Value extends string>({
  values,
  ...about
}: About<Value> & { readonly values: readonly Value[] }): Setting<Value> =>
  setting(about, {
    allowed: `one of ${values.join(', ')}`,
    parse: value => values.find(candidate => candidate === value),
  })

export const flag = (about: About<boolean>): Setting<boolean> =>
  setting(about, {
    allowed: YES_OR_NO,
    parse: value => ({ true: true, false: false })[value],
  })

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

const writeDuration = (ms: number): string => {
  const unit = Object.entries(UNITS).findLast(([, factor]) => ms >= factor && ms % factor === 0)
  return unit === undefined ? `${ms}ms` : `${ms / unit[1]}${unit[0]}`
}

/** A duration in milliseconds, written with its unit: `500ms`, `30s`, `5m`, `12h`, `7d`. */
export const duration = (about: About<number>): Setting<number> =>
  setting(about, {
    allowed: LENGTH_OF_TIME,
    parse: value => {
      const [, digits, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value) ?? []
      const factor = UNITS[unit]
      return digits === undefined || factor === undefined ? undefined : Number(digits) * factor
    },
    write: writeDuration,
  })

const maskPassword = (address: string): string => {
  const parsed = new URL(address)
  if (parsed.password !== '') parsed.password = '********'
  return parsed.href
}

/** An absolute URL with one of the schemes, without trailing slashes. A password is masked when shown. */
export const url = ({
  schemes = ['http', 'https'],
  ...about
}: About<string> & { readonly schemes?: readonly string[] }): Setting<string> =>
  setting(about, {
    allowed: `an absolute URL that begins with ${schemes.map(scheme => `${scheme}://`).join(' or ')}`,
    parse: value => {
      const parsed = URL.canParse(value) ? new URL(value) : null
      return parsed !== null && schemes.includes(parsed.protocol.slice(0, -1))
        ? value.replace(/(?<!\/)\/+$/, '')
        : undefined
    },
    write: maskPassword,
  })

/** A web site's origin: scheme, host, and port where it is not the scheme's default. */
export const origin = (about: About<string>): Setting<string> =>
  setting(about, {
    allowed:
      'a URL that begins with http:// or https:// and ends with the host or the port, such as https://assay.example.com',
    parse: value => {
      const parsed = URL.canParse(value) ? new URL(value) : null
      const isPlain = parsed !== null && /^https?:\/\/[^/?#@]+\/*$/i.test(value)
      return isPlain ? parsed.origin : undefined
    },
  })

const HEADER = /^[\w!#$%&'*+.^`|~-]+$/

/** The name of an HTTP header, in lower case. */
export const headerName = (about: About<string>): Setting<string> =>
  setting(about, {
    allowed: 'the name of a header, such as x-forwarded-for',
    parse: value => (HEADER.test(value) ? value.toLowerCase() : undefined),
  })

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** A domain name in lower case; a name in another script becomes its `xn--` form. */
export const domain = (about: About<string>): Setting<string> =>
  setting(about, {
    allowed: 'a domain’s name, such as in.example.com',
    parse: value => {
      const ascii = domainToASCII(value)
      return DOMAIN.test(ascii) ? ascii : undefined
    },
  })

/** The same setting, but null when the variable is not set. */
export const optional = <Value>({ default: _, ...inner }: Setting<Value>): Setting<Value | null> => ({
  ...inner,
  default: null,
  parse: inner.parse,
  write: value => (value === null ? '' : inner.write(value)),
})
