import type { ConfigSchema } from '../runtime/config.ts'
import { optional, type Setting, url } from '../runtime/settings.ts'
import { parseValkeyUrl, VALKEY_SCHEMES } from './url.ts'

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

/** How programs of their own reach the store of what several of them count together. */
export const VALKEY_CONFIG = { valkeyUrl: optional(valkeyUrl) } satisfies ConfigSchema
