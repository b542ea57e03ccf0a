import { createHash } from 'node:crypto'

/** SHA-256 (hex) of the text with case folded, white space collapsed and its ends trimmed: the hash of `Content.text_hash`. */
export const textHash = (text: string): string =>
  createHash('sha256').update(text.toLowerCase().replace(/\s+/gu, ' ').trim()).digest('hex')
