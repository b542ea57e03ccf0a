const LEAST_LENGTH = 5
/** From this length on one other letter is more likely a slip than another word. */
const LEAST_SUBSTITUTED = 8
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]/u

/**
 * Whether one word is the other with a slip of the finger: two letters changed places, one is missing or too many, or, in a long word, one
 * is another. The first letter stays. In Turkish one `m` makes a verb its opposite: it counts as a slip beside another `m` alone.
 */
export const isTypo = (one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < LEAST_LENGTH - 1 || long.length < LEAST_LENGTH || long.length - short.length > 1) return false
  if (short[0] !== long[0] || UNSPACED.test(long)) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  if (long.length > short.length) {
    const added = long[at]
    const doubled = added === long[at - 1] || added === long[at + 1]
    return short.slice(at) === long.slice(at + 1) && (added !== 'm' || doubled)
  }
  const swapped = short[at] === long[at + 1] && short[at + 1] === long[at]
  if (swapped) return short.slice(at + 2) === long.slice(at + 2)
  return short.length >= LEAST_SUBSTITUTED && short.slice(at + 1) === long.slice(at + 1)
}
