const FLOAT4_OID = 700
const HEADER_BYTES = 20
/** Each element is its length, 4, and its value. */
const ELEMENT_BYTES = 8

/**
 * Many vectors as one value of the type `real[]`, end to end, in PostgreSQL's binary form (`array_send`, `float4send`). It is a fifth of the
 * work of reading them from text. `vectorOf` takes them apart again.
 */
export const toVectorBatch = (vectors: readonly Float32Array[]): Buffer => {
  const count = vectors.reduce((sum, vector) => sum + vector.length, 0)
  const bytes = Buffer.alloc(HEADER_BYTES + count * ELEMENT_BYTES)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(FLOAT4_OID, 8)
  bytes.writeInt32BE(count, 12)
  bytes.writeInt32BE(1, 16)
  let at = HEADER_BYTES
  for (const vector of vectors) {
    for (const value of vector) {
      bytes.writeInt32BE(4, at)
      bytes.writeFloatBE(value, at + 4)
      at += ELEMENT_BYTES
    }
  }
  return bytes
}

/** SQL for the vector at a place, from 1, of such a value: `vectorOf('$4', 'ordinal')`. */
export const vectorOf = (batch: string, place: string): string =>
  `(${batch}::real[])[(${place}) * 1024 - 1023 : (${place}) * 1024]::vector(1024)`
