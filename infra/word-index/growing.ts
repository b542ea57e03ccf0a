/** The array, or one twice as long or more with the same numbers where it is too short for so many. */
export const longEnough = <
  Numbers extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array,
>(
  numbers: Numbers,
  count: number,
): Numbers => {
  if (count <= numbers.length) return numbers
  // The constructor of a typed array makes another of its kind, which its type does not say.
  const grown = new (numbers.constructor as new (length: number) => Numbers)(Math.max(count, numbers.length * 2))
  grown.set(numbers)
  return grown
}
