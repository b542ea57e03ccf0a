import { formatIngestionAddress } from '../../../model/sources/ingestion-address.ts'
import { isPosted, postedPath } from '../../../model/sources/kinds/index.ts'
import type { SourceIdentity } from '../../../model/sources/read-sources.ts'
import type { Services } from '../define.ts'

/** Where senders reach a source: a URL to post to, or an address to send mail to. */
export interface SourceAddress {
  /** Null for mail. */
  readonly url: string | null
  /** Null for what is posted, and while this installation takes no mail. */
  readonly address: string | null
}

type Reachable = Pick<Services, 'baseUrl' | 'mailDomain'>

/** `slug` is the workspace's. */
export const sourceAddressOf = (
  { baseUrl, mailDomain }: Reachable,
  source: SourceIdentity,
  slug: string,
): SourceAddress => {
  const { kind, code_host: codeHost } = source
  if (isPosted(kind)) return { url: `${baseUrl}${postedPath(kind, codeHost)}${source.id}`, address: null }
  if (mailDomain === null) return { url: null, address: null }
  return { url: null, address: formatIngestionAddress({ slug, sourceId: source.id, domain: mailDomain }) }
}
