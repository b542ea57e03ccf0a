import { parseIngestionAddress } from '../../../model/sources/ingestion-address.ts'
import type { SourceId } from '../../../schemas/domain/ids.ts'

/** A mail for more of our addresses than this is not a person's. */
export const MAX_RECIPIENTS = 50
/** As much of a mail is searched for the end of its headers. */
const MAX_HEADER_BYTES = 256 * 1024
const RECIPIENT_HEADERS = new Set(['to', 'cc', 'delivered-to', 'x-original-to'])

/** The sources that the ingestion addresses in a list of addresses name, each once. Other addresses are somebody else's. */
export const recipientsIn = (addresses: string, domain: string): readonly SourceId[] => {
  const ids = new Set<SourceId>()
  for (const word of addresses.split(/[\s<>,;:"'()]+/)) {
    const id = parseIngestionAddress(word, domain)
    if (id !== null) ids.add(id)
    if (ids.size === MAX_RECIPIENTS) break
  }
  return [...ids]
}

/** Those that a mail's own headers name; for a way in that does not know the envelope. */
export const recipientsInHeaders = (mail: Buffer, domain: string): readonly SourceId[] => {
  const head = mail.toString('latin1', 0, MAX_HEADER_BYTES)
  const end = /\r?\n\r?\n/.exec(head)
  const lines = head.slice(0, end?.index ?? head.length).split(/\r?\n(?![ \t])/)
  const wanted = lines.filter(line => RECIPIENT_HEADERS.has(line.slice(0, line.indexOf(':')).trim().toLowerCase()))
  return recipientsIn(wanted.map(line => line.slice(line.indexOf(':') + 1)).join('\n'), domain)
}
