import type { SourceId } from '../../schemas/domain/ids.ts'
import { servesMail } from '../receivers/email/receiver.ts'
import { type Refusal, refusal, unavailable } from '../refusal.ts'
import type { Registry } from '../registry/registry.ts'
import type { Source } from '../registry/source.ts'

type Recipients = { readonly kind: 'found'; readonly sources: readonly Source[] } | Refusal

/** The sources of these ids that take mail: `404` when there is none, `503` when nothing can be said about one. */
export const findRecipients = async (
  registry: Pick<Registry, 'find'>,
  ids: readonly SourceId[],
): Promise<Recipients> => {
  const all = await Promise.all(ids.map(id => registry.find(id)))
  const sources = all.flatMap(found => (found.kind === 'found' && servesMail(found.source) ? [found.source] : []))
  if (all.some(({ kind }) => kind === 'unavailable')) return UNAVAILABLE
  return sources.length === 0 ? UNKNOWN_RECIPIENT : { kind: 'found', sources }
}

const UNAVAILABLE = unavailable(
  'registry_unavailable',
  'Whether this recipient exists cannot be said right now. Send the mail again.',
  2,
)

export const UNKNOWN_RECIPIENT = refusal(
  404,
  'unknown_recipient',
  'None of the recipients is an ingestion address. Copy the address from Settings → Sources; a replaced one does not come back.',
)
