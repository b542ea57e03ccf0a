import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { readLedgers, type WorkspaceLedger } from './ledger.ts'
import type { LedgerStores } from './ledger-stores.ts'

/** Received signals from which a count is kept. Fewer take some hundredths of a second to count. */
const LEAST_KEPT = 100_000
/** Age up to which a kept count is answered, ms. */
const KEPT_MS = 60_000
/** Age from which a request starts the next count in the background, ms. */
const RENEWED_MS = 10_000

interface CountedLedger {
  readonly ledger: WorkspaceLedger
  /** Start of the count, milliseconds since the epoch. Later signals may be missing. */
  readonly countedAt: number
}

/** Ledgers of workspaces, each by a full count of both stores. */
export interface KeptLedgers {
  /** For a large workspace the last count, when it is less than a minute old. */
  count(stores: LedgerStores, workspaceId: WorkspaceId): Promise<CountedLedger>
  /** Resolves when no count is running. */
  idle(): Promise<unknown>
}

/**
 * Keeps the counts of large workspaces, because a count takes seconds. `now` is in milliseconds since the epoch; a
 * workspace with `leastKept` received signals is large.
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
  /** One count of a workspace at a time; simultaneous requests share it. */
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
      // The next request tries a failed count again.
      if (age > RENEWED_MS) renew(stores, workspaceId).catch(() => {})
      return last
    },
    idle: () => Promise.allSettled(counting.values()),
  }
}
