import { createHash } from 'node:crypto'

/** SHA-256 (hex) of the trimmed text in lower case with single spaces: `Content.text_hash`. */
export const textHash = (text: string): string =>
  createHash('sha256').update(text.toLowerCase().replace(/\s+/gu, ' ').trim()).digest('hex')

/** One spelling for each mailbox: `Sender <SENDER@Example.com>` is `sender@example.com`. */
export const normalizeAddress = (written: string): string => {
  const angled = written.match(ANGLED)?.map(found => found.slice(1, -1)) ?? []
  const address = angled.find(inner => inner.slice(1, -1).includes('@')) ?? written
  return address.normalize('NFKC').trim().toLowerCase()
}

const ANGLED = /<[^<>\s]+>/g
