/** 32-bit words that hold the 1,024 sign bits of a vector. */
export const SIGN_WORDS = 32

/**
 * A vector's sign bits, set where the value is above 0, as in pgvector's `binary_quantize`. The first value's bit is
 * the highest of the first word.
 */
export type SignBits = Uint32Array

export interface Near {
  /** The entry's key. */
  readonly key: number
  /** Number of differing bits. */
  readonly distance: number
}

/** Finds entries whose sign bits differ little from given ones. */
export interface BitIndex {
  readonly size: number
  /** Approximate memory, bytes. */
  readonly bytes: number
  /** Adds entries with keys that count from 0. */
  add(entries: readonly SignBits[]): void
  /** At most `count` entries, nearest first; of equal ones the lower key first. */
  nearest(bits: SignBits, count: number): readonly Near[]
  /**
   * Writes the index to a file, synchronously. False, without a file, when building it anew is as fast as reading it.
   */
  save(file: string): boolean
}
