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
 * Knows who a key acts as: its owner, with the role that the owner has now, unless the account is disabled. A
 * provisioning key works while its owner is an administrator. One look-up by hash, honoured for 60 s; unknown keys are
 * not remembered, so a new one works at once.
 */
export const createKeyring = (database: Database, now: () => Date) => {
  const cache = new Map<string, { readonly caller: Caller; readonly until: number }>()
  let deletions = 0

  const hashIn = (authorization: string | null): Buffer | null => {
    const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
    return key !== undefined && KEY.test(key) ? sha256(key) : null
  }

  const lookUp = async (hash: Buffer): Promise<Caller | null> => {
    // Runs when the cache does not know the key, so when it was last used is right to about a minute.
    const row = await database.transaction({ role: 'assay_accounts', isDivisible: true }, transaction =>
      recordKeyUse(transaction, hash),
    )
    return row ? callerOf(row) : null
  }

  return {
    /** The caller behind an `Authorization` header; null when there is no key in it or the key is not valid. */
    callerOf: async (authorization: string | null): Promise<Caller | null> => {
      const hash = hashIn(authorization)
      if (hash === null) return null
      const name = hash.toString('hex')
      const cached = cache.get(name)
      if (cached && cached.until > now().getTime()) return cached.caller
      const deletionsBefore = deletions
      const caller = await lookUp(hash)
      cache.delete(name)
      // A key deleted while it was looked up must not come back for another minute.
      if (caller && deletions === deletionsBefore) {
        makeRoom(cache, MAX_CACHED)
        cache.set(name, { caller, until: now().getTime() + HONOURED_FOR_MS })
      }
      return caller
    },
    /** Whether the key in the header was valid when this process last looked it up. Asks nobody. */
    knows: (authorization: string | null): boolean => {
      const hash = hashIn(authorization)
      return hash !== null && cache.has(hash.toString('hex'))
    },
    forget: (id: KeyId): void => {
      deletions += 1
      for (const [name, { caller }] of cache) {
        // It stays known until then: one that was refused something and is valid is no stranger's.
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
