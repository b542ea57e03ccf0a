import type { ProjectedMailbox } from '../../../../schemas/http/email.ts'
import { parseWrittenDate } from './written-date.ts'

/** What is on a quoted line, whatever its depth; other lines as they are. */
export const unquote = (line: string): string => line.replace(/^(?:[^\S\n]?>)+[^\S\n]?/, '')

export const isQuoted = (line: string): boolean => /^[^\S\n]?>/.test(line)

export const isBlank = (line: string): boolean => line.trim() === ''

/** Lines as a text: no blank ones around it, never more than one in a row, nothing behind a line. */
export const joinLines = (lines: readonly string[]): string =>
  lines
    .map(line => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

const RULE = String.raw`[\s>]*[-_=*]{2,}(?:\s[\s-]*)?`

const ORIGINAL = new RegExp(
  `^${RULE}(original message|original appointment|ursprüngliche nachricht|originalnachricht|message d['’]origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|originalmeddelande|ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|původní zpráva|исходное сообщение|оригинальное сообщение|orijinal mesaj|原始邮件|原始郵件|邮件原件|元のメッセージ|원본 메시지)[-_=*\\s]*$`,
  'iu',
)

const FORWARDED = new RegExp(
  `^(?:${RULE}(forwarded message|forwarded by.{0,60}|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht|vidarebefordrat meddelande|videresendt (?:meddelelse|melding)|välitetty viesti|przekazana wiadomość|wiadomość przekazana dalej|přeposlaná zpráva|пересланное сообщение|перенаправленное сообщение|iletilen mesaj|转发的邮件|轉寄郵件|転送メッセージ|전달된 메시지)[-_=*\\s]*|[\\s>]*(begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:transféré|réexpédié)|inicio del mensaje reenviado|inizio messaggio inoltrato|início da mensagem (?:encaminhada|reencaminhada)|begin doorgestuurd bericht|vidarebefordrat brev|påbegyndt videresendt besked|początek przekazywanej wiadomości|начало переадресованного сообщения|начало пересылаемого сообщения|开始转发的邮件|転送されたメッセージ|전달된 메시지 시작)\\s?[:：]?\\s*)$`,
  'iu',
)

const MAX_LENGTH = 200

/** A line such as `-----Original Message-----`. */
export const isOriginalSeparator = (line: string): boolean => line.length <= MAX_LENGTH && ORIGINAL.test(line)

/** A line such as `---------- Forwarded message ---------` or `Begin forwarded message:`. */
const isForwardSeparator = (line: string): boolean => line.length <= MAX_LENGTH && FORWARDED.test(line)

/** A line that is nothing but a rule, as Outlook puts above what it quotes. */
export const isRule = (line: string): boolean => /^\s*[_-]{10,}\s*$/.test(line)

/**
 * What mail programs call the headers that they write above a forwarded or quoted mail, in the languages they speak.
 */
const LABELS = {
  from: 'from|von|de|da|van|från|fra|od|от|от кого|від|kimden|gönderen|lähettäjä|feladó|差出人|发件人|寄件者|보낸 사람',
  date: 'date|sent|datum|gesendet|envoyé|envoyé le|fecha|enviado|enviado el|data|inviato|enviada em|verzonden|skickat|sendt|dato|wysłano|odesláno|дата|отправлено|надіслано|tarih|gönderildi|päivämäärä|lähetetty|küldve|送信日時|日時|日付|发送时间|日期|寄件日期|날짜|보낸 날짜',
  subject:
    'subject|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|temat|předmět|тема|konu|aihe|tárgy|件名|主题|主旨|제목',
  to: 'to|an|à|pour|para|a|aan|till|til|do|komu|кому|kime|vastaanottaja|címzett|宛先|收件人|收件者|받는 사람|받는사람',
  other:
    'cc|bcc|kopie|copie|copia|kopia|kopi|dw|копия|másolatot kap|reply-to|antwort an|répondre à|resent-from|organization|importance|attachments',
} as const

type LabelName = keyof typeof LABELS

const BY_WORD = new Map(
  Object.entries(LABELS).flatMap(([name, words]) =>
    // The table's own keys; `Object.entries` forgets their type.
    words.split('|').map(word => [word, name as LabelName] as const),
  ),
)
const LABELLED = /^[*_]{0,2}([\p{L}][\p{L} -]{0,30}?)[*_]{0,2}\s{0,3}[:：][*_]{0,2}(.*)$/u

/** A line such as `From: Somebody <somebody@example.com>`, in any of the languages, bold or not; null for others. */
const readLabel = (line: string): { readonly name: LabelName; readonly value: string } | null => {
  const [, word, value = ''] = LABELLED.exec(line.slice(0, 1000)) ?? []
  const name = word === undefined ? undefined : BY_WORD.get(word.toLowerCase())
  return name === undefined ? null : { name, value: value.trim() }
}

/** Headers as a mail program writes them above a forwarded or quoted mail. */
interface HeaderBlock {
  readonly values: Readonly<Partial<Record<LabelName, string>>>
  /** The index of the line behind it. */
  readonly end: number
}

interface ReadLine {
  readonly text: string
  readonly label: ReturnType<typeof readLabel>
}

/** Each line is read once, however many blocks might begin above it. */
const READ_LINES = new WeakMap<readonly string[], ReadLine[]>()

const readLine = (lines: readonly string[], index: number): ReadLine => {
  const read = READ_LINES.get(lines) ?? []
  if (read.length === 0) READ_LINES.set(lines, read)
  const known = read[index]
  if (known !== undefined) return known
  const text = unquote(lines[index] ?? '').trim()
  read[index] = { text, label: readLabel(text) }
  return read[index]
}

/** A long list of recipients may go on over this many lines. */
const MAX_LINES = 30

/**
 * The block that begins at a line; null when none does: it names its author and at least two of date, subject and
 * recipient, with nothing in between but a value's further lines.
 */
export const readHeaderBlock = (lines: readonly string[], start: number): HeaderBlock | null => {
  const values: Partial<Record<LabelName, string>> = {}
  let last: LabelName | null = null
  let end = start
  for (; end < lines.length && end < start + MAX_LINES; end++) {
    const { text: line, label } = readLine(lines, end)
    if (label !== null) {
      values[label.name] ??= label.value
      last = label.name
    } else if (line === '') {
      // Some programs put an empty line between the headers that they write.
      if (readLine(lines, end + 1).label === null || end === start) break
    } else if (last === null || !continues(last, values[last] ?? '', line)) break
    else values[last] = `${values[last]} ${line}`.trim()
  }
  const { from, date, subject, to } = values
  const others = [date, subject, to].filter(value => value !== undefined).length
  return from !== undefined && others >= 2 ? { values, end } : null
}

/** Recipients may be wrapped after a comma, and any value may begin on the line below its label. */
const continues = (label: LabelName, value: string, line: string): boolean =>
  value === '' ||
  ((label === 'to' || label === 'other') && (value.endsWith(',') || value.endsWith(';'))) ||
  (label === 'from' && /^[<[(]\S+@/.test(line))

/** A mail that was forwarded inside of another's text. */
interface ForwardedText {
  /** What the forwarder wrote above it. */
  readonly note: string
  readonly author: ProjectedMailbox
  readonly subject: string | null
  readonly writtenAt: number | null
  readonly text: string
}

/**
 * The mail that a text forwards, when its headers say so plainly: behind a line that announces it, or, where the
 * program writes none (Outlook), when the subject says that the mail was forwarded. Null for every other text.
 */
export const findForward = (text: string, isAutomaticSubject: boolean): ForwardedText | null => {
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const announced = isForwardSeparator(line)
    if (!announced && !isAutomaticSubject) continue
    let start = announced ? index + 1 : index
    while (announced && start < lines.length && isBlank(unquote(lines[start] ?? ''))) start++
    const block = readHeaderBlock(lines, start)
    if (block === null) continue
    const { from = '', date, subject } = block.values
    const note = lines.slice(0, index)
    return {
      note: joinLines(note.filter(noted => !isRule(noted))),
      author: readMailbox(from),
      subject: subject === undefined ? null : readSubject(subject).plain,
      writtenAt: date === undefined ? null : parseWrittenDate(date),
      text: joinLines(unquoteAll(lines.slice(block.end))),
    }
  }
  return null
}

/** Apple Mail quotes what it forwards: one level goes when every line has it. */
const unquoteAll = (lines: readonly string[]): readonly string[] =>
  lines.every(line => isBlank(line) || isQuoted(line)) ? lines.map(line => line.replace(/^\s?>\s?/, '')) : lines

const ADDRESS = /[^\s<>()[\]"',;:]{1,64}@[^\s<>()[\]"',;:]{1,255}/

/** `Name <address>`, `Name [mailto:address]`, `"Name" address` or one of both. */
const readMailbox = (written: string): ProjectedMailbox => {
  const line = written.slice(0, 500)
  const email = ADDRESS.exec(line.replace(/mailto:/gi, ' '))?.[0] ?? null
  const name = line
    .replace(/[<[(]?(mailto:)?[^\s<>()[\]"',;:]{1,64}@[^\s<>()[\]"',;:]{1,255}[>\])]?/gi, ' ')
    .replace(/[<>[\]"*]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return { name: name === '' ? null : name, email }
}

const ANSWER = 're|aw|antw|antwort|sv|vs|odp|rif|rép|resp|ynt|回复|回覆|答复|返信|ответ|на'
const FORWARD = 'fwd?|wg|tr|rv|enc|i|doorst|vb|pd|vl|ilt|továbbítás|переслать|пересл|转发|轉寄|転送'
const PREFIX = new RegExp(
  `^(?:(?<answer>${ANSWER})|(?<forward>${FORWARD}))\\s?(?:\\[\\d+\\]|\\(\\d+\\))?\\s?[:：]\\s*`,
  'iu',
)

interface Subject {
  /** Without the prefixes. */
  readonly plain: string
  /** True when the outermost prefix says that the mail was forwarded. */
  readonly forwarded: boolean
}

/** A subject apart from what answering and forwarding put before it, in any of the languages. */
export const readSubject = (subject: string): Subject => {
  let plain = subject.replace(/\s+/g, ' ').trim()
  let forwarded: boolean | null = null
  for (;;) {
    const match = PREFIX.exec(plain)
    if (match === null) return { plain, forwarded: forwarded ?? false }
    forwarded ??= match.groups?.forward !== undefined
    plain = plain.slice(match[0].length)
  }
}
