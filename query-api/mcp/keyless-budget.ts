import { createAddressBudget } from '../http/address-budget.ts'

/** What calls without a key may take of this program, an address. */
export interface KeylessBudget {
  /** Counts so many calls before they are answered; rejects with `rate_limited` when the address has used its minute up. */
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
