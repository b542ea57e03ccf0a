/** A hash of a row's texts. It differs when the row was changed since it was read. */
export const versionOf = (written: string): string => `encode(sha256(convert_to(${written}::text, 'UTF8')), 'hex')`

/** The hash of everything that a sender wrote in a row of signals or occurrences. */
export const CONTENT_VERSION = versionOf(
  'jsonb_build_array(text, event, source, source_url, actor_name, actor_email, actor_key, metadata, cut_signature, cut_quoted, cut_footer)',
)
