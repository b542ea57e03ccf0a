import { textHash } from '../../../model/signals/text-hash.ts'
import type { Content } from '../../../schemas/events/signal.ts'
import { cleanAddress, cleanJson, cleanLabel, cleanText, cleanUrl } from './clean-text.ts'

/** What a format's reader takes out of a body; `canonical` cleans it. */
export interface Reading {
  readonly text: string
  readonly event: string | null
  readonly source: string | null
  readonly source_url: string | null
  readonly actor_name: string | null
  readonly actor_email: string | null
  readonly signal_origin: Content['signal_origin']
  readonly actor_role: Content['actor_role']
  readonly occurred_at: number | null
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The canonical signal. A `source_url` that is no link is no longer one, but stays as a fact in the metadata. */
export const canonical = (reading: Reading): Content => {
  const text = cleanText(reading.text)
  const url = cleanUrl(reading.source_url)
  const unlinked = url === null && reading.source_url ? { source_url: reading.source_url } : {}
  return {
    text,
    text_hash: textHash(text),
    event: cleanLabel(reading.event),
    source: cleanLabel(reading.source),
    source_url: url,
    actor_name: cleanLabel(reading.actor_name),
    actor_email: cleanAddress(reading.actor_email),
    actor_key: null,
    signal_origin: reading.signal_origin,
    actor_role: reading.actor_role,
    occurred_at: reading.occurred_at,
    metadata: JSON.stringify(cleanJson({ ...unlinked, ...reading.metadata })),
  }
}
