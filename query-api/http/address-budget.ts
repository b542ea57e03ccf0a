import { createHmac, randomBytes } from 'node:crypto'
import { addressGroup } from '../../infra/runtime/addresses.ts'
import { createWindowCounts } from '../../infra/runtime/window-counts.ts'
import { assertWithin } from '../operations/call/call-limits.ts'

/** What strangers may ask of this program, an address. */
interface AddressBudget {
  /** Counts so much before it is done; rejects with `rate_limited` when the address has used its minute up. */
  spend(address: string, points: number): Promise<void>
  /** Counts more, of what was done already. */
  add(address: string, points: number): Promise<void>
}

const WINDOW_SECONDS = 60
/** Addresses share this many budgets, so that strangers with many addresses fill no memory. */
const BUDGETS = 16_384

/**
 * So many points a minute for each address, or for a subscriber's whole IPv6 network; 0: without limit. Which addresses
 * share a budget is drawn anew in each program, so that nobody can use up the budget of another on purpose.
 */
export const createAddressBudget = (perMinute: number): AddressBudget => {
  if (perMinute === 0) return { spend: async () => {}, add: async () => {} }
  const counts = createWindowCounts(WINDOW_SECONDS)
  const drawn = randomBytes(16)
  const budgetOf = (address: string): string =>
    String(createHmac('sha256', drawn).update(addressGroup(address)).digest().readUInt32BE(0) % BUDGETS)
  return {
    spend: async (address, points) => assertWithin(perMinute, counts.count(budgetOf(address), points)),
    add: async (address, points) => void counts.count(budgetOf(address), points),
  }
}

/** What calls without a key may take of this program, an address. */
export interface KeylessBudget {
  /**
   * Counts so many calls before they are answered; rejects with `rate_limited` when the address has used its minute up.
   */
  spend(address: string, calls: number): Promise<void>
  /** Counts what was answered: every 32 KiB is as dear as a call. */
  answered(address: string, bytes: number): Promise<void>
}

const BYTES_OF_A_CALL = 32 * 1024

/** So many calls a minute for each address; 0: without limit. */
export const createKeylessBudget = (perMinute: number): KeylessBudget => {
  const { spend, add } = createAddressBudget(perMinute)
  return {
    spend,
    answered: async (address, bytes) => {
      const calls = Math.floor(bytes / BYTES_OF_A_CALL)
      if (calls > 0) await add(address, calls)
    },
  }
}
