/** Many values in one buffer of their own, which moves to another thread without being copied. */
export interface PackedValues {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where each value ends. */
  readonly ends: readonly number[]
}

export const packValues = (values: readonly Uint8Array[]): PackedValues => {
  const bytes = new Uint8Array(values.reduce((total, value) => total + value.byteLength, 0))
  let end = 0
  const ends = values.map(value => {
    bytes.set(value, end)
    end += value.byteLength
    return end
  })
  return { bytes, ends }
}

/** The values, as views on the one buffer. */
export const unpackValues = ({ bytes, ends }: PackedValues): Uint8Array[] =>
  ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
