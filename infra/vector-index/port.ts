/** Words of 32 bits that hold the 1,024 sign bits of a vector. */
export const SIGN_WORDS = 32

/**
 * The sign bits of a vector: bit set where the value is above 0, as pgvector's `binary_quantize` has it, the first in
 * the highest place.
 */
export type SignBits = Uint32Array

export interface Near {
  /** What the bits were added under. */
  readonly key: number
  /** How many bits differ. */
  readonly distance: number
}

/** Finds sign bits that differ in few places from given ones. */
export interface BitIndex {
  readonly size: number
  /** About how much memory it holds, in bytes. */
  readonly bytes: number
  /** Keys count up from 0, one for each entry. */
  add(entries: readonly SignBits[]): void
  /** At most `count`, the nearest first; among equals the earlier key. */
  nearest(bits: SignBits, count: number): readonly Near[]
  /** Writes itself to a file, blocking; false, and no file, where it is made anew as quickly as it is read. */
  save(file: string): boolean
}
