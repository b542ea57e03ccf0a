/** The fields of a signal that a column can be, in the order in which people look for them. */
export const MAPPED_FIELDS = [
  'text',
  'source',
  'source_url',
  'occurred_at',
  'actor_name',
  'actor_email',
  'signal_origin',
  'actor_role',
  'event',
  'metadata',
] as const
export type MappedField = (typeof MAPPED_FIELDS)[number]

/** The signs that may stand between the fields of CSV, the likeliest first. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** What `3/4/2026` means: the 3rd of April, or March 4. */
export const DATE_ORDERS = ['day_first', 'month_first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]
