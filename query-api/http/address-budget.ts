import { addressGroup } from '../../infra/runtime/addresses.ts'
import { assertWithin } from '../operations/call/call-limits.ts'
import { createDrawnCounts } from './drawn-counts.ts'

const WINDOW_SECONDS = 60

/** Budget of each address for calls without a key. */
export interface KeylessBudget {
  /** Counts calls before they are answered. Rejects with `rate_limited` when the address has used up its minute. */
  spend(address: string, calls: number): Promise<void>
  /** Counts the answer's size: 32 KiB cost as much as a call. */
  answered(address: string, bytes: number): void
  /** Takes calls back whose key turned out to be valid. */
  giveBack(address: string, calls: number): void
}

const BYTES_OF_A_CALL = 32 * 1024

/** Calls a minute for each address, or for a subscriber's whole IPv6 network; 0 means no limit. */
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
