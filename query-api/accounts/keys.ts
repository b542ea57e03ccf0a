import type { Database } from '../../infra/postgres/port.ts'
import { makeRoom } from '../../infra/runtime/make-room.ts'
import { sha256 } from '../../infra/runtime/secrets.ts'
import { recordKeyUse, type UsedKey } from '../../model/keys/keys.ts'
import type { KeyId } from '../../schemas/domain/ids.ts'
import type { Caller } from '../operations/define.ts'

const KEY = /^service_mcp_[0-9a-f]{32}$/
const HONOURED_FOR_MS = 60_000
const MAX_CACHED = 10_000

/**
 * Finds the caller of a key: the owner with the owner's current role, unless the account is disabled. A provisioning
 * key works while its owner is an administrator. A look-up by hash holds for 60 s; unknown keys are not cached, so a
 * new key works at once.
 */
export const createKeyring = (database: Database, now: () => Date) => {
  const cache = new Map<string, { readonly caller: Caller; readonly until: number }>()
  let deletions = 0

  const hashIn = (authorization: string | null): Buffer | null => {
    const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
    return key !== undefined && KEY.test(key) ? sha256(key) : null
  }

  const lookUp = async (hash: Buffer): Promise<Caller | null> => {
    // Runs only when the cache misses, so a key's last use is accurate to about a minute.
    const row = await database.transaction({ role: 'assay_accounts', isDivisible: true }, transaction =>
      recordKeyUse(transaction, hash),
    )
    return row ? callerOf(row) : null
  }

  return {
    /** Caller of an `Authorization` header; null without a valid key. */
    callerOf: async (authorization: string | null): Promise<Caller | null> => {
      const hash = hashIn(authorization)
      if (hash === null) return null
      const name = hash.toString('hex')
      const cached = cache.get(name)
      if (cached && cached.until > now().getTime()) return cached.caller
      const deletionsBefore = deletions
      const caller = await lookUp(hash)
      cache.delete(name)
      // A key that was deleted during the look-up must not be cached for another minute.
      if (caller && deletions === deletionsBefore) {
        makeRoom(cache, MAX_CACHED)
        cache.set(name, { caller, until: now().getTime() + HONOURED_FOR_MS })
      }
      return caller
    },
    /** True when the key was valid at this process's last look-up. Makes no query. */
    knows: (authorization: string | null): boolean => {
      const hash = hashIn(authorization)
      return hash !== null && cache.has(hash.toString('hex'))
    },
    forget: (id: KeyId): void => {
      deletions += 1
      for (const [name, { caller }] of cache) {
        // The entry expires but stays known: a refused call with a valid key does not count as a stranger's.
        if (caller.via.kind === 'key' && caller.via.keyId === id) cache.set(name, { caller, until: 0 })
      }
    },
  }
}

export type Keyring = ReturnType<typeof createKeyring>

const callerOf = (row: UsedKey): Caller => ({
  tenantId: row.tenant_id,
  workspaceId: row.workspace_id,
  userId: row.owner_id,
  userName: row.owner_name,
  role: row.role,
  via: {
    kind: 'key',
    keyId: row.id,
    label: row.label,
    ...(row.scope === 'provisioning' ? { scope: row.scope } : {}),
  },
})
