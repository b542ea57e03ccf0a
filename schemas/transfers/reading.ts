import { type Static, Type } from 'typebox'

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

const MAX_COLUMNS = 500

const field = Type.Enum([...MAPPED_FIELDS], { type: 'string' })

/** Where a field of every signal comes from: a column, by its position from 0, or one value for all of them. */
const Mapped = Type.Object(
  {
    field,
    column: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_COLUMNS - 1 })),
    value: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  },
  { additionalProperties: false },
)

/** How a CSV file is read as signals. */
export const CsvReading = Type.Object(
  {
    delimiter: Type.Enum([...DELIMITERS], { type: 'string' }),
    header: Type.Boolean({ description: 'Whether the first record names the columns.' }),
    mapping: Type.Array(Mapped, { maxItems: MAPPED_FIELDS.length }),
    keep_other_columns: Type.Boolean({
      description: 'Whether columns that are no field go into the metadata, by their names.',
    }),
    dates: Type.Optional(
      Type.Enum([...DATE_ORDERS], {
        type: 'string',
        description:
          'What 3/4/2026 means in the column of occurred_at. Without it such a date is refused; one that says its order by itself never is.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type CsvReading = Static<typeof CsvReading>

/** What a dry run found. Lines are counted from 1, and told without anything that stands in them. */
export const ImportReport = Type.Object({
  records: Type.Integer(),
  accepted: Type.Integer(),
  refused: Type.Integer(),
  duplicates: Type.Integer({ description: 'Of those accepted, how many say what an earlier line of the file says.' }),
  duplicate_lines: Type.Array(Type.Integer(), { description: 'The first of them.' }),
  reasons: Type.Array(
    Type.Object({
      reason: Type.String(),
      count: Type.Integer(),
      lines: Type.Array(Type.Integer(), { description: 'The first of them.' }),
    }),
  ),
  earliest: Type.Union([Type.String(), Type.Null()], {
    description: 'The earliest time that a signal gives, ISO 8601.',
  }),
  latest: Type.Union([Type.String(), Type.Null()]),
})
export type ImportReport = Static<typeof ImportReport>
