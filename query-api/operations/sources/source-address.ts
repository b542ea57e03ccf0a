import { formatIngestionAddress } from '../../../model/sources/ingestion-address.ts'
import type { SourceId } from '../../../schemas/domain/ids.ts'
import type { CodeHost, SourceKind } from '../../../schemas/domain/vocabulary.ts'
import type { Services } from '../define.ts'

export interface SourceIdentity {
  readonly id: SourceId
  readonly kind: SourceKind
  readonly code_host: CodeHost | null
}

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
  const segment = segmentOf(source)
  if (segment !== null) return { url: `${baseUrl}/api/webhooks/${segment}/${source.id}`, address: null }
  if (mailDomain === null) return { url: null, address: null }
  return { url: null, address: formatIngestionAddress({ slug, sourceId: source.id, domain: mailDomain }) }
}

/** What the edge's receivers are found under. */
const segmentOf = ({ kind, code_host: codeHost }: SourceIdentity): string | null => {
  switch (kind) {
    case 'signal':
      return 'custom'
    case 'metric':
      return 'metric'
    case 'connection':
      return 'connections'
    case 'code_host':
      return codeHost
    case 'email':
      return null
  }
}
