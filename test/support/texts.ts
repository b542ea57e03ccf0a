const WORDS = ['lamp', 'river', 'stone', 'ladder', 'violin', 'harbour', 'needle', 'orchard', 'pillow', 'quarry']

/** A text of its own for each number below 9000: none counts as a repeat of another. */
export const distinctText = (number: number): string =>
  [...String(1000 + number)]
    .map((digit, place) => `${WORDS[Number(digit)]}${'abcdef'[place]}${digit}${place}`)
    .join(' of the ')

/** A text that the edge takes and of which no signal becomes: the embedding model of the tests refuses it. */
export const POISON = 'The model refuses this one.'

/**
 * What a mixed load sends to a lane as its text of a number: of every five one is poison, and one repeats the one
 * before.
 */
export const mixedText = (number: number): string => {
  if (number % 5 === 2) return POISON
  return distinctText(number % 5 === 4 ? number - 1 : number)
}
