/** Vectors as the log's records hold them; `infra/postgres/vectors.ts` has the form that the database takes. */

/** Float32, little endian, whatever the machine's own order. */
export const toVectorBytes = (vector: Float32Array): Uint8Array => {
  const bytes = new Uint8Array(vector.length * 4)
  const view = new DataView(bytes.buffer)
  vector.forEach((value, index) => {
    view.setFloat32(index * 4, value, true)
  })
  return bytes
}

export const fromVectorBytes = (bytes: Uint8Array): Float32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, index) => view.getFloat32(index * 4, true))
}

/** The cosine of two unit vectors, which is their dot product. */
export const cosine = (left: Float32Array, right: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < left.length; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0)
  return sum
}
