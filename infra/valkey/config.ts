import type { ConfigSchema } from '../runtime/config.ts'
import { optional, type Setting, url } from '../runtime/settings.ts'

/** The names mean the same protocol; those with an s use TLS. */
const VALKEY_SCHEMES = ['redis', 'rediss', 'valkey', 'valkeys'] as const

const DEFAULT_PORT = 6379

interface ValkeyAddress {
  readonly host: string
  readonly port: number
  /** Empty without one. */
  readonly username: string
  /** Empty without one. */
  readonly password: string
  /** The number of the database. */
  readonly database: number
  readonly tls: boolean
}

/**
 * The parts of `redis://user:password@host:6379/0`, percent-decoded; null for anything else. Options after a question
 * mark are refused: a password in them would not be masked.
 */
export const parseValkeyUrl = (url: string): ValkeyAddress | null => {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const scheme = VALKEY_SCHEMES.find(candidate => `${candidate}:` === parsed?.protocol)
  const database = /^\/?(\d{0,5})$/.exec(parsed?.pathname ?? '')?.[1]
  if (!parsed || !scheme || database === undefined || parsed.hostname === '' || parsed.search || parsed.hash)
    return null
  try {
    return {
      host: parsed.hostname.replace(/^\[|\]$/g, ''),
      port: parsed.port === '' ? DEFAULT_PORT : Number(parsed.port),
      username: decodeURIComponent(parsed.username),
      password: decodeURIComponent(parsed.password),
      database: Number(database),
      tls: scheme === 'rediss' || scheme === 'valkeys',
    }
  } catch {
    // A "%" that begins no percent-encoded character.
    return null
  }
}

const address = url({
  env: 'VALKEY_URL',
  schemes: VALKEY_SCHEMES,
  doc: 'A Valkey or Redis server in which several edges count requests together: redis://user:password@host:6379/0, with TLS rediss:// or valkeys://. Without one, and while it is away, each edge limits by itself.',
})

const valkeyUrl: Setting<string> = {
  ...address,
  parse: value => {
    const parsed = address.parse(value)
    return parsed !== undefined && parseValkeyUrl(parsed) !== null ? parsed : undefined
  },
}

/** How separately running programs reach the store of shared counts. */
export const VALKEY_CONFIG = { valkeyUrl: optional(valkeyUrl) } satisfies ConfigSchema
