import type { Readable } from 'node:stream'
import {
  type AddressObject,
  type AttachmentStream,
  MailParser,
  type MailParserOptions,
  type MessageText,
} from 'mailparser'
import { visibleText } from '../../../../schemas/domain/visible-text.ts'
import type { ProjectedAttachment, ProjectedMailbox } from '../../../../schemas/http/email.ts'
import { htmlText } from './visible-html.ts'

/** The headers of a mail by their names in lower case: each as it is written, the last one of a name. */
export type RawHeaders = ReadonlyMap<string, string>

/** A mail apart, with every charset and encoding undone. */
export interface MimeMail {
  readonly headers: RawHeaders
  readonly subject: string
  readonly from: ProjectedMailbox
  readonly text: string
  readonly attachments: readonly ProjectedAttachment[]
  readonly attachmentCount: number
  /** The first mail that is attached, as it is; null when there is none. */
  readonly attachedMail: Buffer | null
}

const MAX_LISTED_ATTACHMENTS = 50
const MAX_NAME_LENGTH = 255

/** mailparser hands these on to mailsplit; its types leave out those of mailsplit. */
const OPTIONS: MailParserOptions & Record<'ignoreEmbedded' | 'maxHeadSize' | 'maxChildNodes', unknown> = {
  // A mail inside of a mail is a mail of its own, whichever disposition it has.
  ignoreEmbedded: true,
  maxHeadSize: 256 * 1024,
  maxChildNodes: 200,
  skipHtmlToText: true,
  skipTextLinks: true,
  skipImageLinks: true,
}

const HTML = /text\/html/i

/** More lines have nothing but an attachment in them: 10 MiB of base64 are 135,000. */
const MAX_LINES = 140_000
/** As much of the bodies of a mail's texts is read, and as much of each text is put beside HTML. */
const MAX_TEXT_BYTES = 1024 * 1024
const MAX_TEXT_BESIDE_HTML = 150_000
/** The headers that are read as more than a line, and how much of each. */
const READ_HEADERS: ReadonlySet<string> = new Set(['subject', 'from', 'content-id'])
const MAX_READ_HEADER = 16_000

interface Chunk {
  readonly type: string
  /** How the body is encoded, where the chunk is a node. */
  readonly encoding?: string | false
  value?: Buffer
}

interface HeaderLine {
  readonly key: string
  readonly line: string
}

/** What the parser is made of and its types leave out. */
interface Inside {
  readonly curnode?: { readonly isAttachment: boolean }
  processHeaders(lines: readonly HeaderLine[]): unknown
  processChunk(chunk: Chunk, done: () => void): void
  textToHtml(text: string): string
}

// The class has these methods, in every version of this major one; the tests of hostile mail would not pass without.
const ParserInside = MailParser as unknown as new (options: MailParserOptions) => MailParser & Inside

/**
 * The decoder of quoted-printable looks from each blank of a row for the end of the line. A row in a text is encoded,
 * which says the same; an attachment, of which nothing but the size is kept, has the beginning of it.
 */
const withoutRowsOfBlanks = (quoted: Buffer, isAttachment: boolean): Buffer => {
  const text = quoted.toString('latin1')
  const encoded = text.replace(/(?<![\t ])[\t ]{8,}/g, row =>
    isAttachment ? row.slice(0, 8) : row.replaceAll(' ', '=20').replaceAll('\t', '=09'),
  )
  return encoded === text ? quoted : Buffer.from(encoded, 'latin1')
}

/** Takes as much of the texts as a person may have written, so that the rest of a large mail costs nothing. */
class BoundedParser extends ParserInside {
  #bytes = MAX_TEXT_BYTES
  #besideHtml = MAX_TEXT_BESIDE_HTML
  #isQuotedPrintable = false

  override processHeaders(lines: readonly HeaderLine[]): unknown {
    const read = lines.filter(({ key }) => READ_HEADERS.has(key))
    return super.processHeaders(read.map(({ key, line }) => ({ key, line: line.slice(0, MAX_READ_HEADER) })))
  }

  override processChunk(chunk: Chunk, done: () => void): void {
    if (chunk.type === 'body' && chunk.value !== undefined && this.curnode?.isAttachment === false) {
      chunk.value = chunk.value.subarray(0, this.#bytes)
      this.#bytes -= chunk.value.length
    }
    if (chunk.type === 'node') this.#isQuotedPrintable = chunk.encoding === 'quoted-printable'
    if (chunk.type === 'body' && chunk.value !== undefined && this.#isQuotedPrintable)
      chunk.value = withoutRowsOfBlanks(chunk.value, this.curnode?.isAttachment === true)
    super.processChunk(chunk, done)
  }

  override textToHtml(text: string): string {
    const read = text.slice(0, this.#besideHtml)
    this.#besideHtml -= read.length
    return super.textToHtml(read)
  }
}

const firstLines = (mail: Buffer): Buffer => {
  let end = 0
  for (let line = 0; line < MAX_LINES; line += 1) {
    const next = mail.indexOf('\n', end)
    if (next === -1) return mail
    end = next + 1
  }
  return mail.subarray(0, end)
}

/** Takes a mail apart. Rejects for one that is beyond the bounds, or broken. */
export const readMime = async (sent: Buffer): Promise<MimeMail> => {
  const mail = firstLines(sent)
  // With any HTML the parser writes all texts as HTML, too, in the order of the parts; without, that would be for
  // nothing.
  const parser = new BoundedParser({ ...OPTIONS, skipTextToHtml: !HTML.test(mail.toString('latin1')) })
  const headers = new Map<string, string>()
  const attachments: ProjectedAttachment[] = []
  let attachedMail: Buffer | null = null
  let attachmentCount = 0
  let subject: unknown
  let from: unknown
  let content: MessageText = { type: 'text' }

  const attach = async (attachment: AttachmentStream) => {
    const isMail = attachment.contentType === 'message/rfc822' && attachedMail === null
    const chunks: Buffer[] = []
    let size = 0
    // The parser's own class is a readable stream, which its types do not say.
    for await (const chunk of attachment.content as Readable) {
      size += chunk.length
      if (isMail) chunks.push(chunk)
    }
    if (isMail) attachedMail = Buffer.concat(chunks)
    else {
      attachmentCount++
      const { filename, contentType } = attachment
      if (attachments.length < MAX_LISTED_ATTACHMENTS)
        attachments.push({ name: cut(filename ?? ''), type: cut(contentType), size })
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
      if (data.type === 'attachment') attach(data).catch(reject)
      else content = data
    })
    parser.on('error', reject)
    parser.on('end', resolve)
    parser.end(mail)
  })
  return {
    headers,
    subject: typeof subject === 'string' ? subject : '',
    from: mailboxOf(from),
    text: textOf(content),
    attachments,
    attachmentCount,
    attachedMail,
  }
}

const cut = (text: string): string =>
  Array.from(text.slice(0, 2 * MAX_NAME_LENGTH))
    .slice(0, MAX_NAME_LENGTH)
    .join('')

/** The first mailbox of a From header. */
const mailboxOf = (from: unknown): ProjectedMailbox => {
  // mailparser's map of headers does not say which header has which form.
  const [first] = (from as AddressObject | undefined)?.value ?? []
  const mailbox = first?.group?.[0] ?? first
  return { name: cut(mailbox?.name ?? '') || null, email: cut(mailbox?.address ?? '') || null }
}

/**
 * The text as a person sees it: as the mail brings it, unless most of it is in the HTML alone, as when a program that
 * writes only HTML says so in the plain part. Without soft hyphens, which programs put between what somebody wrote.
 */
const textOf = ({ text = '', html }: MessageText): string => {
  const ofMail = visibleText(text)
  const ofHtml = typeof html === 'string' ? visibleText(htmlText(html)) : ''
  const chosen = 2 * visible(ofMail) >= visible(ofHtml) ? ofMail : ofHtml
  return chosen.replace(/\r\n?/g, '\n').replaceAll('\u00ad', '').replaceAll('\u00a0', ' ')
}

const visible = (text: string): number => text.replace(/\s+/g, '').length
