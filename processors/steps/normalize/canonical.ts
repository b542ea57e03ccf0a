import { textHash } from '../../../model/signals/normalize.ts'
import { visibleText } from '../../../schemas/domain/visible-text.ts'
import type { CutKind } from '../../../schemas/domain/vocabulary.ts'
import type { Content } from '../../../schemas/events/signal.ts'
import type { MailCut } from '../../../schemas/http/email.ts'

const UNSTORABLE = /[\0\p{Surrogate}]/gu
const LINE_END = /\r\n?|\u2028|\u2029/g
/**
 * A grapheme joiner is set after every 30 marks in a row: without it, normalizing a hostile text takes quadratic time
 * (UAX #15, Stream-Safe Text Format).
 */
const CROWDED_MARKS = /(\p{M}{30})(?=\p{M})/gu

/** Text for storing: NFC, line feeds as line ends, without NUL, lone surrogates and invisible characters. */
const cleanText = (text: string): string =>
  visibleText(text.replace(UNSTORABLE, '').replace(LINE_END, '\n')).replace(CROWDED_MARKS, '$1\u034f').normalize('NFC')

const MAX_LABEL_LENGTH = 200
/** UTF-16 units of a label that are read, because a sender may put anything there. */
const READ_OF_LABEL = 10 * MAX_LABEL_LENGTH

/** A label such as a source or a name: one line of at most 200 code points; null when it is empty. */
const cleanLabel = (label: string | null | undefined): string | null => {
  const line = cleanText((label ?? '').slice(0, READ_OF_LABEL))
    .replace(/\s+/gu, ' ')
    .trim()
  return line === '' ? null : Array.from(line).slice(0, MAX_LABEL_LENGTH).join('')
}

/** An address of at most 254 characters (RFC 5321); null when it is empty. */
const cleanAddress = (address: string | null): string | null =>
  cleanText((address ?? '').slice(0, MAX_ADDRESS_LENGTH)).trim() || null

const MAX_ADDRESS_LENGTH = 500

/** An `http` or `https` link, which a browser may follow; null otherwise. */
const cleanUrl = (url: string | null | undefined): string | null => {
  const text = cleanText(url ?? '').trim()
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : null
}

/** A JSON value with cleaned keys and strings. */
const cleanJson = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanJson(inner)]))
}

/** The fields that a format's reader takes from a body. `canonical` cleans them. */
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
  /** The parts that were cut off from a mail. Other signals have none. */
  readonly cuts?: readonly MailCut[]
  readonly cut_omitted?: number
}

/** The cut parts of one kind as one text; null without any. */
const cutOf = ({ cuts = [] }: Reading, kind: CutKind): string | null => {
  const text = cuts.flatMap(cut => (cut.kind === kind ? [cleanText(cut.text).trim()] : [])).join('\n\n')
  return text === '' ? null : text
}

/** The canonical signal. A `source_url` that is no link stays in the metadata. */
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
    cut_signature: cutOf(reading, 'signature'),
    cut_quoted: cutOf(reading, 'quoted'),
    cut_footer: cutOf(reading, 'footer'),
    cut_omitted: reading.cut_omitted || null,
  }
}
