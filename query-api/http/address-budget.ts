import { addressGroup } from '../../infra/runtime/addresses.ts'
import { assertWithin } from '../operations/call/call-limits.ts'
import { createDrawnCounts } from './drawn-counts.ts'

const WINDOW_SECONDS = 60

/** What calls without a key may take of this program, an address. */
export interface KeylessBudget {
  /**
   * Counts so many calls before they are answered; rejects with `rate_limited` when the address has used its minute up.
   */
  spend(address: string, calls: number): Promise<void>
  /** Counts what was answered: every 32 KiB is as dear as a call. */
  answered(address: string, bytes: number): void
  /** Takes calls back that showed a valid key, which this program had not seen before. */
  giveBack(address: string, calls: number): void
}

const BYTES_OF_A_CALL = 32 * 1024

/** So many calls a minute for each address, or for a subscriber's whole IPv6 network; 0: without limit. */
export const createKeylessBudget = (perMinute: number): KeylessBudget => {
  if (perMinute === 0) return { spend: async () => {}, answered: () => {}, giveBack: () => {} }
  const counts = createDrawnCounts(WINDOW_SECONDS)
  return {
    spend: async (address, calls) => assertWithin(perMinute, counts.count(addressGroup(address), calls)),
    answered: (address, bytes) => {
      const calls = Math.floor(bytes / BYTES_OF_A_CALL)
      if (calls > 0) counts.count(addressGroup(address), calls)
    },
    giveBack: (address, calls) => counts.giveBack(addressGroup(address), calls),
  }
}
