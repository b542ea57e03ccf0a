/** The beginning of a text, at most `most` characters and three dots; never half of a character that takes two code units. */
export const clip = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`
