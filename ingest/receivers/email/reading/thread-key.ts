import { createHash } from 'node:crypto'

const HEX_DIGITS = 16
const LETTERS = 'abcdefghijklmnop'

/**
 * A thread's key: a hash of the id of its first mail, so that it reveals nothing. Only letters, since sixteen digits
 * could be a card's number and would be removed from the signal. Begins with `t`, since no base64 that decodes to
 * readable text begins so, and detectors decode base64.
 */
export const keyOfThread = (id: string): string => {
  const digits = createHash('sha256').update(id).digest('hex').slice(0, HEX_DIGITS)
  return `t${Array.from(digits, digit => LETTERS[Number.parseInt(digit, 16)]).join('')}`
}
