import { AssayError } from '../../infra/runtime/errors.ts'
import type { TransferFormat } from '../../schemas/domain/vocabulary.ts'

/** How many bytes of a file are enough to tell its format by, where it has that many. */
export const SNIFF_BYTES = 4096

const ZIP = Buffer.from('PK')
const UTF16 = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]
const GZIP = Buffer.from([0x1f, 0x8b])
const EXPORT_BEGINS = '{"assay_export":'

/** What a file is, by its beginning and not by its name. Throws `unsupported` for what is no text of ours, saying what to do. */
export const formatOf = (beginning: Uint8Array): TransferFormat => {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, Math.min(beginning.length, SNIFF_BYTES))
  const begins = (sign: Buffer): boolean => bytes.subarray(0, sign.length).equals(sign)
  if (begins(ZIP))
    throw unsupported(
      'It is a spreadsheet or an archive. Save the sheet as CSV (UTF-8), or unpack the archive, and upload that.',
    )
  if (begins(GZIP)) throw unsupported('It is compressed. Unpack it and upload what is inside.')
  if (UTF16.some(begins)) throw unsupported('It is UTF-16. Save it as UTF-8 and upload it again.')
  if (bytes.includes(0)) throw unsupported('It is no text.')
  const text = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (text === '') throw new AssayError('invalid_input', 'The file is empty.')
  if (text.startsWith(EXPORT_BEGINS)) return 'workspace'
  return text.startsWith('{') ? 'json_lines' : 'csv'
}

const unsupported = (why: string): AssayError =>
  new AssayError('unsupported', `The file cannot be imported. ${why} CSV, JSON Lines and exports of Assay are taken.`)
