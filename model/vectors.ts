import { endianness } from 'node:os'

/** Vectors as the log's records hold them; `infra/postgres/vectors.ts` has the form that the database takes. */

const IS_LITTLE_ENDIAN = endianness() === 'LE'

/** Float32, little endian, whatever the machine's own order. */
export const toVectorBytes = (vector: Float32Array): Uint8Array => {
  const bytes = new Uint8Array(vector.length * 4)
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
  return IS_LITTLE_ENDIAN ? bytes : Buffer.from(bytes.buffer).swap32()
}

export const fromVectorBytes = (bytes: Uint8Array): Float32Array => {
  const own = new Uint8Array(bytes)
  if (!IS_LITTLE_ENDIAN) Buffer.from(own.buffer).swap32()
  return new Float32Array(own.buffer)
}

/** The cosine of two unit vectors, which is their dot product. */
export const cosine = (left: Float32Array, right: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < left.length; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0)
  return sum
}
