const WORDS = ['lamp', 'river', 'stone', 'ladder', 'violin', 'harbour', 'needle', 'orchard', 'pillow', 'quarry']

/** A text of its own for each number below 9000: none counts as a repeat of another. */
export const distinctText = (number: number): string =>
  [...String(1000 + number)]
    .map((digit, place) => `${WORDS[Number(digit)]}${'abcdef'[place]}${digit}${place}`)
    .join(' of the ')
