const EMPTY = 0n
const FIRST_SIZE = 1024
const FULL = 0.7

/** Keys of 64 bits, each with a small number: 10 to 20 bytes of memory for each, where a Map takes a hundred. */
export class KeySet {
  #keys = new BigUint64Array(FIRST_SIZE)
  #levels = new Uint16Array(FIRST_SIZE)
  #size = 0

  /** False when the key is there already; its number stays as it was. */
  add(key: bigint, level = 0): boolean {
    const at = this.#placeOf(key)
    if (this.#keys[at] !== EMPTY) return false
    this.#keys[at] = solid(key)
    this.#levels[at] = level
    this.#size += 1
    if (this.#size > this.#keys.length * FULL) this.#grow()
    return true
  }

  /** The number that the key was added with; null when it was not. */
  levelOf(key: bigint): number | null {
    const at = this.#placeOf(key)
    return this.#keys[at] === EMPTY ? null : (this.#levels[at] ?? 0)
  }

  #placeOf(key: bigint): number {
    const wanted = solid(key)
    const mask = this.#keys.length - 1
    let at = Number(BigInt.asUintN(32, wanted)) & mask
    while (this.#keys[at] !== EMPTY && this.#keys[at] !== wanted) at = (at + 1) & mask
    return at
  }

  #grow(): void {
    const [keys, levels] = [this.#keys, this.#levels]
    this.#keys = new BigUint64Array(keys.length * 2)
    this.#levels = new Uint16Array(keys.length * 2)
    for (const [from, key] of keys.entries()) {
      if (key === EMPTY) continue
      const at = this.#placeOf(key)
      this.#keys[at] = key
      this.#levels[at] = levels[from] ?? 0
    }
  }
}

/** 0 stands for an empty place. */
const solid = (key: bigint): bigint => (key === EMPTY ? 1n : key)
