import { addressGroup } from '../../infra/runtime/addresses.ts'
import { threadCpuMs } from '../../infra/runtime/cpu-budget.ts'
import { createTokenBuckets } from '../../infra/runtime/token-buckets.ts'
import { rateLimited } from '../operations/call/call-limits.ts'
import type { Caller } from '../operations/define.ts'

/** Account and tenant whose budgets a body uses. */
export interface BodySender {
  /** A person in the app, all keys of a person, or a stranger's address. */
  readonly account: string
  /** Null for a stranger. */
  readonly tenant: Caller['tenantId'] | null
}

export const senderOf = ({ tenantId, userId, via: through }: Caller): BodySender => ({
  account: through.kind === 'key' ? `keys of ${userId}` : userId,
  tenant: tenantId,
})

export const strangerAt = (address: string): BodySender => ({ account: addressGroup(address), tenant: null })

/** Limits the main thread's work on the bodies of a sender, before the tenant's turn in the queue. */
export interface BodyBudget {
  /** Throws `rate_limited` while the account or its tenant owes bytes or CPU. */
  admit(from: BodySender): void
  takeBytes(from: BodySender, bytes: number): void
  /** Runs synchronous work and charges its CPU, for refusals as well. */
  spending<T>(from: BodySender, work: () => T): T
}

interface Share {
  readonly perSecond: number
  /** Amount available at once after a quiet time. */
  readonly burst: number
}

interface Shares {
  readonly cpuMs: Share
  readonly bytes: Share
}

const MEBIBYTE = 1024 * 1024

/**
 * Less than a tenth of the main thread for an account. A person has two accounts, the app and all their keys; both
 * together leave a quarter of the tenant's share to its other people, so that no member can keep an owner from removing
 * them. A list or a capture of 2 KB takes 0.01 ms, a triage of 200 signals 0.07 ms, a Living Document of 100 KB 0.3 ms:
 * only thousands of calls a second, or bodies made for the purpose, reach the limit.
 */
const OF_ACCOUNT: Shares = {
  cpuMs: { perSecond: 75, burst: 225 },
  bytes: { perSecond: 3 * MEBIBYTE, burst: 24 * MEBIBYTE },
}
const OF_TENANT: Shares = {
  cpuMs: { perSecond: 200, burst: 600 },
  bytes: { perSecond: 8 * MEBIBYTE, burst: 64 * MEBIBYTE },
}

const monotonic = (): number => performance.now()

const createBuckets = <Key>({ cpuMs, bytes }: Shares, now: () => number) => {
  const cpu = createTokenBuckets<Key>({ ...cpuMs, now })
  const sent = createTokenBuckets<Key>({ ...bytes, now })
  return {
    /** Seconds until the debt is gone; 0 without a debt. */
    secondsOwed: (key: Key): number => Math.max(0, -cpu.left(key) / cpuMs.perSecond, -sent.left(key) / bytes.perSecond),
    takeBytes: sent.take,
    takeCpu: cpu.take,
  }
}

/** Each process counts on its own. */
export const createBodyBudget = (now = monotonic): BodyBudget => {
  const accounts = createBuckets<string>(OF_ACCOUNT, now)
  const tenants = createBuckets<Caller['tenantId']>(OF_TENANT, now)
  return {
    admit: ({ account, tenant }) => {
      const seconds = Math.max(accounts.secondsOwed(account), tenant === null ? 0 : tenants.secondsOwed(tenant))
      if (seconds > 0) throw rateLimited(Math.ceil(seconds))
    },
    takeBytes: ({ account, tenant }, bytes) => {
      accounts.takeBytes(account, bytes)
      if (tenant !== null) tenants.takeBytes(tenant, bytes)
    },
    spending: ({ account, tenant }, work) => {
      const before = threadCpuMs()
      try {
        return work()
      } finally {
        const used = threadCpuMs() - before
        accounts.takeCpu(account, used)
        if (tenant !== null) tenants.takeCpu(tenant, used)
      }
    },
  }
}
