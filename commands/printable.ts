/**
 * A name as it is printed to a terminal: what people call themselves must not move an operator's cursor, turn a line
 * round or hide in it.
 */
export const printable = (words: string): string => words.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd')
