import { type Static, Type } from 'typebox'
import { COLUMN_FIELDS, DATE_ORDERS, DELIMITERS } from './columns.ts'

/** Exports of trackers have some hundred columns with repeated names. */
const MAX_COLUMNS = 2000
/** A text may combine several columns, such as title and description. */
const MAX_MAPPED = 20

const field = Type.Enum([...COLUMN_FIELDS], { type: 'string' })

/** The origin of a field of every signal: a column, by its position from 0, or one value for all signals. */
const Mapped = Type.Object(
  {
    field,
    column: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_COLUMNS - 1 })),
    value: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  },
  { additionalProperties: false },
)

/** How a CSV file, or a JSON file of another tool, is read as signals. */
export const CsvReading = Type.Object(
  {
    delimiter: Type.Enum([...DELIMITERS], { type: 'string', description: 'Of CSV; of JSON it says nothing.' }),
    header: Type.Boolean({ description: 'Whether the first record of CSV names the columns.' }),
    second_header: Type.Optional(
      Type.Boolean({ description: 'Whether the second record goes on with the names, as that of some surveys does.' }),
    ),
    begins: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Of JSON: the byte from which on the records stand, as preview_import found it.',
      }),
    ),
    mapping: Type.Array(Mapped, {
      maxItems: MAX_MAPPED,
      description:
        'text may be several columns, which are put below each other; any other field is one. row_id is the column that names each row, such as the number of a ticket: the same row of another file is the same Signal, edited where it changed. company, plan, revenue, tags and language go into the metadata under these names.',
    }),
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
    leave_unread_dates: Type.Optional(
      Type.Boolean({
        description:
          'Whether a date that cannot be read stays in the metadata as it is, and its Signal says no time. Without it, its line is refused.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type CsvReading = Static<typeof CsvReading>

/** The result of a dry run. Lines count from 1, and none of their content is shown. */
export const ImportReport = Type.Object({
  records: Type.Integer(),
  accepted: Type.Integer(),
  refused: Type.Integer(),
  known: Type.Integer({
    description:
      'Of those accepted, how many rows are here from an earlier import, or stand in the file before. They are no new Signals.',
  }),
  changed: Type.Integer({
    description:
      'Of those known, how many rows say something else than when they came. Their Signals are edited: each keeps its reference, and what people made of it.',
  }),
  reworded: Type.Integer({ description: 'Of those changed, how many have another text.' }),
  changed_rows: Type.Array(
    Type.Object({
      line: Type.Integer(),
      signal: Type.Union([Type.String(), Type.Null()], { description: 'Null of a repeat.' }),
      is_reworded: Type.Boolean(),
    }),
    { description: 'Three of those changed, first those with another text.' },
  ),
  duplicates: Type.Integer({
    description: 'Of the other accepted, how many say what an earlier line of the file says.',
  }),
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
