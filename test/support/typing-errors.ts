/** A word as somebody types it who has one finger wrong in the middle: by the kind of the error. */
const typingErrors = (word: string): Readonly<Record<string, string>> => {
  const letters = Array.from(word)
  const middle = letters.length >> 1
  const [before = '', there = ''] = letters.slice(middle - 1)
  const withThere = (typed: string, from = middle): string =>
    [...letters.slice(0, from), typed, ...letters.slice(middle + 1)].join('')
  return {
    dropped: withThere(''),
    doubled: withThere(there + there),
    swapped: withThere(there + before, middle - 1),
    'wrong letter': withThere(there === 'x' ? 'q' : 'x'),
  }
}

/** How somebody may type a word: whole, its beginning, and where it is long enough with an error of each kind. */
export const waysToType = (word: string): Readonly<Record<string, string>> => ({
  whole: word,
  beginning: word.slice(0, Math.max(3, Math.ceil(word.length * 0.6))),
  ...(Array.from(word).length >= 5 && /^\p{L}+$/u.test(word) && typingErrors(word)),
})
