const LEAST_WITH_ERROR = 4

/** Words in lower case without accents, which people leave out. */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** True when the words differ by one letter that is added, missing or wrong, or by two swapped letters. */
const isOneErrorFrom = (one: string, other: string): boolean => {
  if (Math.abs(one.length - other.length) > 1) return false
  let begin = 0
  while (begin < one.length && one[begin] === other[begin]) begin += 1
  const [rest, otherRest] = [one.slice(begin), other.slice(begin)]
  return (
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    rest.slice(1) === otherRest.slice(1) ||
    (rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2))
  )
}

const fitsWord = (word: string, typed: string): boolean =>
  word.startsWith(typed) ||
  (word.length >= LEAST_WITH_ERROR &&
    typed.length >= LEAST_WITH_ERROR &&
    (typed.startsWith(word) || isOneErrorFrom(word, typed) || isOneErrorFrom(word.slice(0, typed.length), typed)))

/** True when each typed word begins a word of the name, extends it, or differs by one error. */
export const fits = (name: string, typed: string): boolean => {
  const words = wordsOf(name)
  return wordsOf(typed).every(each => words.some(word => fitsWord(word, each)))
}
