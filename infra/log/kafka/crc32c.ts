/** The Castagnoli polynomial with reversed bits (RFC 3720, appendix B.4). */
const POLYNOMIAL = 0x82f63b78
const BYTES_A_STEP = 8

/** By a byte's distance from the end of eight bytes, then by its value: its contribution to the checksum. */
const TABLES: readonly Int32Array[] = (() => {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1
    return rest
  })
  const tables = [first]
  for (let distance = 1; distance < BYTES_A_STEP; distance += 1) {
    const before = tables[distance - 1] ?? first
    tables.push(before.map(rest => (rest >>> 8) ^ (first[rest & 0xff] ?? 0)))
  }
  return tables
})()

const [T0, T1, T2, T3, T4, T5, T6, T7] = TABLES as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
]

/**
 * The CRC-32C of the bytes from `start` up to `end`, unsigned. Eight bytes at a time ("slicing by eight", Kounavis and
 * Berry 2005) as two words, which takes a quarter of the time of single bytes.
 */
export const crc32c = (bytes: Uint8Array, start: number, end: number): number => {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let rest = -1
  let at = start
  const whole = end - ((end - start) % BYTES_A_STEP)
  for (; at < whole; at += BYTES_A_STEP) {
    rest ^= words.getInt32(at, true)
    const next = words.getInt32(at + 4, true)
    rest =
      entry(T7, rest & 0xff) ^
      entry(T6, (rest >>> 8) & 0xff) ^
      entry(T5, (rest >>> 16) & 0xff) ^
      entry(T4, rest >>> 24) ^
      entry(T3, next & 0xff) ^
      entry(T2, (next >>> 8) & 0xff) ^
      entry(T1, (next >>> 16) & 0xff) ^
      entry(T0, next >>> 24)
  }
  for (; at < end; at += 1) rest = entry(T0, (rest ^ words.getUint8(at)) & 0xff) ^ (rest >>> 8)
  return ~rest >>> 0
}

/** Each index is below 256, hence never undefined. A check would cost a tenth of the time. */
const entry = (table: Int32Array, at: number): number => table[at] as number
