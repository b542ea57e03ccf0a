import { isAscii, isUtf8 } from 'node:buffer'
import { detectedCharset } from '../../../infra/charsets/detected-charset.ts'
import { FILE_ENCODINGS, type FileEncoding } from '../../../schemas/domain/vocabulary.ts'

/** Converts a file to UTF-8, piece by piece, from any encoding. */
export interface Transcoder {
  /** Bytes of the next piece as UTF-8. */
  add(piece: Uint8Array): Buffer
  /** Rest of an incomplete character. */
  end(): Buffer
  /** Encoding of the pieces so far. */
  readonly encoding: FileEncoding
}

const LITTLE_ENDIAN = Buffer.from([0xff, 0xfe])
const BIG_ENDIAN = Buffer.from([0xfe, 0xff])

/**
 * A transcoder for one file. A byte order mark tells UTF-16; the first bytes beyond ASCII tell another charset when
 * they are no UTF-8. UTF-8 stays as it is with its faults: a faulty record is refused with its line.
 */
export const createTranscoder = (): Transcoder => {
  let encoding: FileEncoding = 'utf-8'
  let decoder: Pick<InstanceType<typeof TextDecoder>, 'decode'> | null = null
  let isFirst = true
  let isTold = false
  // The last bytes, while they may begin the file's first UTF-8 character.
  let held: Buffer = Buffer.alloc(0)
  const decodeAs = (named: FileEncoding, label: string): void => {
    encoding = named
    decoder = new TextDecoder(label)
    isTold = true
  }
  const tell = (piece: Buffer, isLast: boolean): void => {
    if (isFirst && piece.subarray(0, 2).equals(LITTLE_ENDIAN)) decodeAs('utf-16', 'utf-16le')
    else if (isFirst && piece.subarray(0, 2).equals(BIG_ENDIAN)) decodeAs('utf-16', 'utf-16be')
    else if (isUtf8(piece)) isTold = !isAscii(piece)
    else if (!isLast && isAscii(piece.subarray(0, -CUT_BYTES))) held = piece.subarray(-CUT_BYTES)
    else if (isMostlyUtf8(piece)) isTold = true
    else {
      const charset = charsetOf(piece)
      decodeAs(charset, charset)
    }
    isFirst = false
  }
  const add = (given: Uint8Array, isLast: boolean): Buffer => {
    const piece = Buffer.concat([held, given])
    held = Buffer.alloc(0)
    if (!isTold) tell(piece, isLast)
    const known = piece.subarray(0, piece.length - held.length)
    return decoder === null ? known : Buffer.from(decoder.decode(known, { stream: !isLast }))
  }
  return {
    add: piece => add(piece, false),
    end: () => add(NOTHING, true),
    get encoding() {
      return encoding
    },
  }
}

/** Names that differ in the detector. Greek tables come from spreadsheets. */
const NAMES: Readonly<Record<string, string>> = { cp932: 'shift_jis', cp949: 'euc-kr', 'iso-8859-7': 'windows-1253' }

const charsetOf = (piece: Buffer): FileEncoding => {
  const detected = detectedCharset(piece.toString('latin1')).toLowerCase()
  const { encoding } = new TextDecoder(NAMES[detected] ?? detected)
  return FILE_ENCODINGS.find(known => known === encoding) ?? 'windows-1252'
}

const NOTHING = new Uint8Array()

/** The longest UTF-8 character without its last byte, which may be at the end of a piece. */
const CUT_BYTES = 3

const isMostlyUtf8 = (piece: Buffer): boolean => {
  for (let cut = 1; cut <= CUT_BYTES; cut += 1) if (isUtf8(piece.subarray(0, -cut))) return true
  // A UTF-8 file may have some broken bytes. In other encodings hardly any character is UTF-8 by chance.
  const beyondAscii = piece.toString('utf8').match(/[^\p{ASCII}]/gu) ?? []
  return beyondAscii.filter(sign => sign === '\ufffd').length * 2 < beyondAscii.length
}
