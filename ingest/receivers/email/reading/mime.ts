import { type Readable, Transform } from 'node:stream'
import { type AddressObject, type AttachmentStream, MailParser, type MailParserOptions } from 'mailparser'
import type { ProjectedAttachment, ProjectedMailbox } from '../../../../schemas/http/email.ts'
import { readableHeader, readText } from './charset.ts'
import { MAX_PARTS, mended } from './mended-mime.ts'
import { type Part, textOfTree } from './parts.ts'

/** By lower-case name: the value as written, the last one of a repeated header. */
export type RawHeaders = ReadonlyMap<string, string>

/** A mail's parts, with charsets and encodings decoded. */
export interface MimeMail {
  readonly headers: RawHeaders
  readonly subject: string
  readonly from: ProjectedMailbox
  readonly text: string
  readonly attachments: readonly ProjectedAttachment[]
  readonly attachmentCount: number
  /** The first attached mail, as bytes and as an attachment; null when there is none. */
  readonly attachedMail: { readonly mail: Buffer; readonly listed: ProjectedAttachment } | null
  /** True when the mail has more text than is read. */
  readonly shortened: boolean
}

export const MAX_LISTED_ATTACHMENTS = 50
const MAX_NAME_LENGTH = 255

/** mailparser passes these on to mailsplit; its types lack mailsplit's options. */
const OPTIONS: MailParserOptions & Record<'ignoreEmbedded' | 'maxHeadSize' | 'maxChildNodes', unknown> = {
  // An attached mail is a mail of its own, whatever its disposition.
  ignoreEmbedded: true,
  maxHeadSize: 256 * 1024,
  maxChildNodes: MAX_PARTS,
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
}

/** Limit of lines. Further lines belong to attachments: 10 MiB of base64 are 135,000 lines. */
const MAX_LINES = 140_000
/** Bytes of the texts of a mail that are read. */
const MAX_TEXT_BYTES = 1024 * 1024
/** Headers that are decoded, and the length that is read of each. */
const READ_HEADERS: ReadonlySet<string> = new Set(['subject', 'from', 'content-id'])
const MAX_READ_HEADER = 16_000

interface Chunk {
  readonly type: string
  /** A node's properties, where the chunk is a node. */
  readonly encoding?: string | false
  contentType?: string | false
  charset?: string | false
  readonly filename?: string | false
  /** The node of a chunk that is no node. */
  readonly node?: unknown
  value?: Buffer
}

interface HeaderLine {
  readonly key: string
  readonly line: string
}

type Node = { -readonly [Property in keyof Part]: Part[Property] } & {
  readonly node: unknown
  readonly isAttachment: boolean
}

/** Members of the parser that its types lack. */
interface Inside {
  readonly tree?: Part
  readonly curnode?: Node
  processHeaders(lines: readonly HeaderLine[]): unknown
  processChunk(chunk: Chunk, done: () => void): void
  getDecoder(): { decodeStream(charset: string): Transform }
  getTextContent(): unknown
}

// The class has these methods in every 3.x version; the tests of hostile mail would fail without them.
const ParserInside = MailParser as unknown as new (options: MailParserOptions) => MailParser & Inside

/** Prefixed to each text's charset, so that the parser passes every text to our decoder, even UTF-8 and ASCII. */
const DECLARED = 'declared:'

/**
 * Works around the quoted-printable decoder, which searches for the line's end from each blank of a run. In a text a
 * run of blanks is encoded, which means the same; in an attachment, of which only the size is kept, the run is
 * shortened.
 */
const withoutRowsOfBlanks = (quoted: Buffer, isAttachment: boolean): Buffer => {
  const text = quoted.toString('latin1')
  const encoded = text.replace(/(?<![\t ])[\t ]{8,}/g, row =>
    isAttachment ? row.slice(0, 8) : row.replaceAll(' ', '=20').replaceAll('\t', '=09'),
  )
  return encoded === text ? quoted : Buffer.from(encoded, 'latin1')
}

/** A parser that reads a limited length of the texts, so that the rest of a large mail costs nothing. */
class BoundedParser extends ParserInside {
  #bytes = MAX_TEXT_BYTES
  #isQuotedPrintable = false
  #shortened = false

  get shortened(): boolean {
    return this.#shortened
  }

  override processHeaders(lines: readonly HeaderLine[]): unknown {
    const read = lines.filter(({ key }) => READ_HEADERS.has(key))
    return super.processHeaders(
      read.map(({ key, line }) => ({ key, line: readableHeader(line.slice(0, MAX_READ_HEADER)) })),
    )
  }

  /** Decodes a text as a whole: its charset may show at the end. */
  override getDecoder() {
    return {
      decodeStream: (charset: string) => {
        const isHtml = this.curnode?.contentType === 'text/html'
        const chunks: Buffer[] = []
        return new Transform({
          transform: (chunk, _encoding, done) => {
            chunks.push(Buffer.from(chunk))
            done()
          },
          flush: done => done(null, readText(Buffer.concat(chunks), charset.slice(DECLARED.length), isHtml)),
        })
      },
    }
  }

  override processChunk(chunk: Chunk, done: () => void): void {
    if (chunk.type === 'node') {
      this.#isQuotedPrintable = chunk.encoding === 'quoted-printable'
      // A part without a valid type is plain text (RFC 2045); with a file name it is a file.
      if (!/^[^\s/]+\/[^\s/]/.test(chunk.contentType || ''))
        chunk.contentType = chunk.filename ? 'application/octet-stream' : 'text/plain'
      chunk.charset = `${DECLARED}${chunk.charset || ''}`
    }
    const node = this.curnode
    if (chunk.value !== undefined && chunk.type === 'data' && isUndivided(node, chunk)) {
      node.undivided ??= []
      node.undivided.push(this.#taken(chunk.value))
    }
    if (chunk.value !== undefined && chunk.type === 'body') {
      if (node?.isAttachment === false) chunk.value = this.#taken(chunk.value)
      if (this.#isQuotedPrintable) chunk.value = withoutRowsOfBlanks(chunk.value, node?.isAttachment === true)
    }
    super.processChunk(chunk, done)
  }

  /** The texts are read later, from the complete tree. */
  override getTextContent(): unknown {
    return { type: 'text' }
  }

  #taken(value: Buffer): Buffer {
    const taken = value.subarray(0, this.#bytes)
    this.#bytes -= taken.length
    if (taken.length < value.length) this.#shortened = true
    return taken
  }
}

const isUndivided = (node: Node | undefined, chunk: Chunk): node is Node =>
  node !== undefined &&
  node.node === chunk.node &&
  node.children.length === 0 &&
  /^multipart\//.test(node.contentType || '')

const firstLines = (mail: Buffer): Buffer => {
  let end = 0
  for (let line = 0; line < MAX_LINES; line += 1) {
    const next = mail.indexOf('\n', end)
    if (next === -1) return mail
    end = next + 1
  }
  return mail.subarray(0, end)
}

const BLANKS: ReadonlySet<number | undefined> = new Set([0x09, 0x0a, 0x0d, 0x20])
const MAX_BLANK_START = 64 * 1024
const HEADER_NAME = /^[\x21-\x39\x3b-\x7e]{1,70}:/

/** Skips empty lines above the headers, which a program left that cut the mail out of a file. */
const fromItsHeaders = (mail: Buffer): Buffer => {
  let start = 0
  while (start < MAX_BLANK_START && BLANKS.has(mail[start])) start++
  const begins = mail[start - 1] === 0x0a && HEADER_NAME.test(mail.toString('latin1', start, start + 80))
  return begins ? mail.subarray(start) : mail
}

/** Parses a mail into its parts. Rejects for a broken mail, or one beyond the limits. */
export const readMime = async (sent: Buffer): Promise<MimeMail> => {
  const whole = fromItsHeaders(sent)
  const mail = firstLines(whole)
  const parser = new BoundedParser(OPTIONS)
  const headers = new Map<string, string>()
  const attachments: ProjectedAttachment[] = []
  const attaching: Promise<void>[] = []
  let attachedMail: MimeMail['attachedMail'] = null
  let hasMail = false
  let attachmentCount = 0
  let subject: unknown
  let from: unknown

  const attach = async (attachment: AttachmentStream) => {
    const isMail = attachment.contentType === 'message/rfc822' && !hasMail
    hasMail ||= isMail
    const chunks: Buffer[] = []
    let size = 0
    // The parser's own class is a readable stream, which its types do not say.
    for await (const chunk of attachment.content as Readable) {
      size += chunk.length
      if (isMail) chunks.push(chunk)
    }
    const { filename, contentType } = attachment
    const listed = { name: cut(filename || ''), type: cut(contentType || ''), size }
    if (isMail) attachedMail = { mail: Buffer.concat(chunks), listed }
    else {
      attachmentCount++
      if (attachments.length < MAX_LISTED_ATTACHMENTS) attachments.push(listed)
    }
    attachment.release()
  }

  await new Promise<void>((resolve, reject) => {
    parser.on('headers', parsed => {
      subject = parsed.get('subject')
      from = parsed.get('from')
    })
    parser.on('headerLines', lines => {
      for (const { key, line } of lines) headers.set(key, line.slice(line.indexOf(':') + 1).replace(/\r?\n/g, ''))
    })
    parser.on('data', data => {
      if (data.type !== 'attachment') return
      const attached = attach(data)
      attached.catch(reject)
      attaching.push(attached)
    })
    parser.on('error', reject)
    parser.on('end', resolve)
    parser.end(mended(mail))
  })
  await Promise.all(attaching)
  const { text, shortened } = textOfTree(parser.tree ?? { contentType: 'text/plain', children: [] })
  return {
    headers,
    subject: typeof subject === 'string' ? subject : '',
    from: mailboxOf(from),
    text,
    attachments,
    attachmentCount,
    attachedMail,
    shortened: shortened || parser.shortened || mail.length < whole.length,
  }
}

const cut = (text: string): string =>
  Array.from(text.slice(0, 2 * MAX_NAME_LENGTH))
    .slice(0, MAX_NAME_LENGTH)
    .join('')

/** The first mailbox of a From header. */
const mailboxOf = (from: unknown): ProjectedMailbox => {
  // mailparser's types do not tell which header has which form.
  const [first] = (from as AddressObject | undefined)?.value ?? []
  const mailbox = first?.group?.[0] ?? first
  return { name: cut(mailbox?.name ?? '') || null, email: cut(mailbox?.address ?? '') || null }
}
