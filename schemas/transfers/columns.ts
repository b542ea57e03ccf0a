/** The fields of a signal that a column can fill, in the order in which people look for them. */
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

/** Facts of the customer, stored in the metadata under these names, whatever the file calls them. */
export const FACT_FIELDS = ['company', 'plan', 'revenue', 'tags', 'language'] as const
export type FactField = (typeof FACT_FIELDS)[number]

/** The meaning of a column: a field, a fact, or the row's id in the tool that made the file. */
export const COLUMN_FIELDS = [...MAPPED_FIELDS, 'row_id', ...FACT_FIELDS] as const
export type ColumnField = (typeof COLUMN_FIELDS)[number]

/** Possible CSV delimiters, the likeliest first. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** The meaning of `3/4/2026`: April 3, or March 4. */
export const DATE_ORDERS = ['day_first', 'month_first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]
