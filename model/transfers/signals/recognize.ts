import {
  type CsvReading,
  DELIMITERS,
  type Delimiter,
  MAPPED_FIELDS,
  type MappedField,
} from '../../../schemas/transfers/reading.ts'
import { csvScan } from '../records/formats.ts'
import { readRecords } from '../records/read-records.ts'

const LOOKED_AT = 30

/** What senders and other tools call the fields. */
const OTHER_NAMES: Readonly<Record<MappedField, readonly string[]>> = {
  text: ['feedback', 'comment', 'message', 'body', 'content', 'description', 'review', 'note', 'verbatim'],
  source: ['channel', 'origin system', 'product'],
  source_url: ['url', 'link', 'permalink'],
  occurred_at: ['date', 'time', 'timestamp', 'created', 'created at', 'submitted at', 'received at'],
  actor_name: ['name', 'customer', 'author', 'user', 'reporter', 'from'],
  actor_email: ['email', 'e mail', 'mail', 'customer email', 'user email', 'author email'],
  signal_origin: ['origin'],
  actor_role: ['role'],
  event: ['type', 'category', 'kind'],
  metadata: ['meta', 'properties'],
}

const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_.-]+/g, ' ')

/** The first records of a file, with their fields; `bytes` are its beginning. Those that are none are left out. */
export const firstRecords = async (
  bytes: Uint8Array,
  delimiter: Delimiter,
  most = LOOKED_AT,
): Promise<readonly (readonly string[])[]> => {
  const records: (readonly string[])[] = []
  for await (const { content } of readRecords(only(bytes), csvScan(delimiter))) {
    if (content !== 'too_long' && content.ok && content.fields.some(field => field !== '')) records.push(content.fields)
    if (records.length === most) break
  }
  return records
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * How a CSV file is likely meant, by its beginning: its delimiter, whether its first line names columns, and which
 * fields they are.
 */
export const recognizeCsv = async (beginning: Uint8Array): Promise<CsvReading> => {
  let best: { readonly delimiter: Delimiter; readonly score: number; readonly first: readonly string[] } | null = null
  for (const delimiter of DELIMITERS) {
    const records = await firstRecords(beginning, delimiter)
    const [first = []] = records
    // Columns that hold in every record count, and more of them are better.
    const alike = records.filter(record => record.length === first.length).length
    const score = first.length < 2 ? 0 : (alike / records.length) * (1 + Math.log(first.length))
    if (best === null || score > best.score) best = { delimiter, score, first }
  }
  const { delimiter = ',', first = [] } = best ?? {}
  const mapping = suggestMapping(first)
  const header = mapping.length > 0 || looksLikeNames(first)
  // One column without a name that is known can only be what was said.
  const text =
    mapping.some(({ field }) => field === 'text') || first.length !== 1 ? [] : [{ field: 'text' as const, column: 0 }]
  return { delimiter, header, mapping: header ? [...mapping, ...text] : text, keep_other_columns: true }
}

/** Short, not empty, each another, and no figures, addresses or times. */
const looksLikeNames = (fields: readonly string[]): boolean =>
  fields.length > 1 &&
  new Set(fields.map(plain)).size === fields.length &&
  fields.every(field => /^[^\d@:/]{1,40}$/u.test(field.trim()) && field.trim().split(/\s+/).length <= 4)

/** The fields that columns of these names are: by the field's own name first, then by others that are usual. */
const suggestMapping = (names: readonly string[]): CsvReading['mapping'] => {
  const columns = names.map(plain)
  const mapping: CsvReading['mapping'] = []
  for (const wanted of ['own', 'other'] as const) {
    for (const field of MAPPED_FIELDS) {
      if (mapping.some(mapped => mapped.field === field)) continue
      const known = wanted === 'own' ? [plain(field)] : OTHER_NAMES[field]
      const column = columns.findIndex(
        (name, at) => known.includes(name) && !mapping.some(mapped => mapped.column === at),
      )
      if (column !== -1) mapping.push({ field, column })
    }
  }
  return mapping.toSorted((one, other) => MAPPED_FIELDS.indexOf(one.field) - MAPPED_FIELDS.indexOf(other.field))
}
