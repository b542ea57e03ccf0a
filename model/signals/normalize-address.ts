/** One spelling for each mailbox: `Sender <SENDER@Example.com>` is `sender@example.com`. */
export const normalizeAddress = (written: string): string => {
  const angled = written.match(ANGLED)?.map(found => found.slice(1, -1)) ?? []
  const address = angled.find(inner => inner.slice(1, -1).includes('@')) ?? written
  return address.normalize('NFKC').trim().toLowerCase()
}

const ANGLED = /<[^<>\s]+>/g
