import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { readLedgers, type WorkspaceLedger } from './ledger.ts'
import type { LedgerStores } from './ledger-stores.ts'

/** Fewer signals are counted at once: it takes some hundredths of a second. */
const LEAST_KEPT = 100_000
/** A count is answered again for so long. */
const KEPT_MS = 60_000
/** Whoever asks later than this after a count has the next one made, and need not wait for it. */
const RENEWED_MS = 10_000

interface CountedLedger {
  readonly ledger: WorkspaceLedger
  /** When the count began: what happened since may be missing. In milliseconds since 1970. */
  readonly countedAt: number
}

/** The ledgers of workspaces, each by a full count of both stores. */
export interface KeptLedgers {
  /** Of a large workspace the last count, where that is less than a minute old. */
  count(stores: LedgerStores, workspaceId: WorkspaceId): Promise<CountedLedger>
  /** Resolves when nothing is being counted. */
  idle(): Promise<unknown>
}

/**
 * Remembers what it counted in large workspaces, since that takes seconds. `now` is in milliseconds since 1970;
 * `leastKept` is how many received signals make a workspace large.
 */
export const createKeptLedgers = (now: () => number = Date.now, leastKept = LEAST_KEPT): KeptLedgers => {
  const kept = new Map<WorkspaceId, CountedLedger>()
  const counting = new Map<WorkspaceId, Promise<CountedLedger>>()

  const countAnew = async (stores: LedgerStores, workspaceId: WorkspaceId): Promise<CountedLedger> => {
    const countedAt = now()
    const [ledger] = await readLedgers(stores, [workspaceId])
    if (ledger === undefined) throw new Error('A workspace that was asked for has a ledger.')
    const counted = { ledger, countedAt }
    if (ledger.received >= leastKept) kept.set(workspaceId, counted)
    else kept.delete(workspaceId)
    return counted
  }
  /** One count of a large workspace at a time, which those who ask meanwhile share. */
  const renew = (stores: LedgerStores, workspaceId: WorkspaceId): Promise<CountedLedger> => {
    const running =
      counting.get(workspaceId) ?? countAnew(stores, workspaceId).finally(() => counting.delete(workspaceId))
    counting.set(workspaceId, running)
    return running
  }

  return {
    count: async (stores, workspaceId) => {
      const last = kept.get(workspaceId)
      if (last === undefined) return countAnew(stores, workspaceId)
      const age = now() - last.countedAt
      if (age > KEPT_MS) return renew(stores, workspaceId)
      // What fails is tried again by the next one who asks.
      if (age > RENEWED_MS) renew(stores, workspaceId).catch(() => {})
      return last
    },
    idle: () => Promise.allSettled(counting.values()),
  }
}
