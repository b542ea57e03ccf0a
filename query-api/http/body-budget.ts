import { addressGroup } from '../../infra/runtime/addresses.ts'
import { threadCpuMs } from '../../infra/runtime/cpu-budget.ts'
import { createTokenBuckets } from '../../infra/runtime/token-buckets.ts'
import { rateLimited } from '../operations/call/call-limits.ts'
import type { Caller } from '../operations/define.ts'

/** Whose budgets a body is taken from. */
export interface BodySender {
  /** A person in the app, all keys of a person, or the address of a stranger. */
  readonly account: string
  /** Null of a stranger. */
  readonly tenant: Caller['tenantId'] | null
}

export const senderOf = ({ tenantId, userId, via: through }: Caller): BodySender => ({
  account: through.kind === 'key' ? `keys of ${userId}` : userId,
  tenant: tenantId,
})

export const strangerAt = (address: string): BodySender => ({ account: addressGroup(address), tenant: null })

/** What the main thread does for the bodies of a sender, before a turn of its tenant comes. */
export interface BodyBudget {
  /** Throws `rate_limited` while the account or its tenant owes bytes or CPU. */
  admit(from: BodySender): void
  takeBytes(from: BodySender, bytes: number): void
  /** Runs synchronous work, and takes the CPU it used: refusals as well as what is accepted. */
  spending<T>(from: BodySender, work: () => T): T
}

interface Share {
  readonly perSecond: number
  /** What may be taken at once after a while of less. */
  readonly burst: number
}

interface Shares {
  readonly cpuMs: Share
  readonly bytes: Share
}

const MEBIBYTE = 1024 * 1024

/**
 * Less than a tenth of the main thread for an account. A person has two, the app and all their keys: both together
 * leave a quarter of the tenant's to its other people, so that no member keeps an owner from removing them. A list or a
 * capture of 2 KB takes 0.01 ms of it, a triage of 200 signals 0.07 ms, a Living Document of 100 KB 0.3 ms: who meets
 * it sends thousands of calls a second, or bodies made for it.
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
    /** Until nothing is owed any more; 0 where nothing is. */
    secondsOwed: (key: Key): number => Math.max(0, -cpu.left(key) / cpuMs.perSecond, -sent.left(key) / bytes.perSecond),
    takeBytes: sent.take,
    takeCpu: cpu.take,
  }
}

/** Each program counts by itself. */
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
