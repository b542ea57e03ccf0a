import type { ProjectedMailbox } from '../../../../schemas/http/email.ts'
import { readHeaderBlock } from './header-block.ts'
import { isBlank, isQuoted, joinLines, unquote } from './quoted-lines.ts'
import { parseWrittenDate } from './written-date.ts'

const RULE = String.raw`[\s>]*[-_=*]{2,}(?:\s[\s-]*)?`

const ORIGINAL = new RegExp(
  `^${RULE}(original message|original appointment|reply message|antwort nachricht|ursprüngliche nachricht|original-?nachricht|message d['’]origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|originalmeddelande|ursprungligt meddelande|oprindelig meddelelse|oprindelig besked|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|původní zpráva|исходное сообщение|оригинальное сообщение|orijinal mesaj|原始邮件|原始郵件|邮件原件|元のメッセージ|원본 메시지)[-_=*\\s]*$`,
  'iu',
)

const FORWARDED = new RegExp(
  `^(?:${RULE}(forwarded message(?: from .{1,64})?|(?:forwarded by|weitergeleitet von|transféré par|réacheminé par|inoltrato da|reenviado por|remitido por|encaminhado por|doorgestuurd door) .{1,64}|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht|vidarebefordrat meddelande|videresendt (?:meddelelse|melding)|välitetty viesti|przekazana wiadomość|wiadomość przekazana dalej|přeposlaná zpráva|пересланное сообщение|перенаправленное сообщение|iletilen mesaj|转发的邮件|轉寄郵件|転送メッセージ|전달된 메시지)[-_=*\\s]*|[\\s>]*(begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:transféré|réexpédié)|inicio del mensaje reenviado|inizio messaggio inoltrato|início da mensagem (?:encaminhada|reencaminhada)|begin doorgestuurd bericht|vidarebefordrat brev|påbegyndt videresendt besked|początek przekazywanej wiadomości|начало переадресованного сообщения|начало пересылаемого сообщения|开始转发的邮件|転送されたメッセージ|전달된 메시지 시작)\\s?[:：]?\\s*)$`,
  'iu',
)

const MAX_LENGTH = 200

/** A line such as `-----Original Message-----`. */
export const isOriginalSeparator = (line: string): boolean => line.length <= MAX_LENGTH && ORIGINAL.test(line)

/** A line such as `---------- Forwarded message ---------` or `Begin forwarded message:`. */
const isForwardSeparator = (line: string): boolean => line.length <= MAX_LENGTH && FORWARDED.test(line)

/** Lotus Notes breaks the line that announces what it forwards within its time, or before the last of its dashes. */
const ANNOUNCED_ABOVE =
  /^\s?(?:\d{1,2}[./]\d{1,2}[./]\d{2,4}\s)?(?:\d{1,2}:\d\d(?::\d\d)?\s)?(?:[AaPp][Mm]\s)?-{3,60}\s?$/

/** Whether the line above announces a forwarded mail and this line is the rest of it, wrapped within its time. */
export const endsAnnouncement = (lines: readonly string[], index: number): boolean =>
  ANNOUNCED_ABOVE.test((lines[index] ?? '').slice(0, 100)) && isForwardSeparator(lines[index - 1] ?? '')

/** A line that is nothing but a rule, as Outlook puts above what it quotes. */
export const isRule = (line: string): boolean => /^\s*[_-]{10,}\s*$/.test(line)

/** A mail that was forwarded inside of another's text. */
interface ForwardedText {
  /** What the forwarder wrote above it. */
  readonly note: string
  /** The lines in between, which say whose mail it is. */
  readonly headers: string
  readonly author: ProjectedMailbox
  readonly subject: string | null
  readonly writtenAt: number | null
  /** As it stands there: a blank at the end of a line may be a sign. */
  readonly text: string
}

/**
 * The mail that a text forwards, when its headers say so plainly: behind a line that announces it, or, where the
 * program writes none (Outlook), when the subject says that the mail was forwarded. Null for every other text.
 */
export const findForward = (text: string, isAutomaticSubject: boolean): ForwardedText | null => {
  const lines = text.split('\n')
  const firstQuoted = lines.findIndex(isQuoted)
  for (const [index, line] of lines.entries()) {
    // What stands below a quote is of the mails before.
    const announced = isForwardSeparator(line) && (!isQuoted(line) || index === firstQuoted)
    if (!announced && !isAutomaticSubject) continue
    let start = announced ? index + 1 : index
    if (announced && endsAnnouncement(lines, start)) start++
    while (announced && start < lines.length && isBlank(unquote(lines[start] ?? ''))) start++
    const block = announced ? announcedBlock(lines, start) : readHeaderBlock(lines, start)
    if (block === null) continue
    const { from = '', date, subject } = block.values
    const top = titleStart(lines, index)
    return {
      note: joinLines(lines.slice(0, top)),
      headers: joinLines(lines.slice(top, block.end).map(unquote)),
      author: readMailbox(from),
      subject: subject === undefined ? null : readSubject(subject).plain,
      writtenAt: date === undefined ? null : parseWrittenDate(date),
      text: unquoteAll(lines.slice(block.end)).join('\n'),
    }
  }
  return null
}

/** Where the rules begin that a program puts above headers. */
const titleStart = (lines: readonly string[], index: number): number => {
  let top = index
  for (let above = index - 1; above >= 0; above--) {
    const line = lines[above] ?? ''
    if (isRule(line) || isOriginalSeparator(line)) top = above
    else if (!isBlank(line)) break
  }
  return top
}

/** Some programs write the name of a company above the headers. */
const MAX_TITLE_LINES = 4

const announcedBlock = (lines: readonly string[], start: number): ReturnType<typeof readHeaderBlock> => {
  for (let index = start; index < start + MAX_TITLE_LINES; index++) {
    const block = readHeaderBlock(lines, index)
    if (block !== null) return block
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
  /** True when it says that the mail is an answer. */
  readonly answered: boolean
}

/** A subject apart from what answering and forwarding put before it, in any of the languages. */
export const readSubject = (subject: string): Subject => {
  let plain = subject.replace(/\s+/g, ' ').trim()
  let forwarded: boolean | null = null
  for (;;) {
    const match = PREFIX.exec(plain)
    if (match === null) return { plain, forwarded: forwarded === true, answered: forwarded === false }
    forwarded ??= match.groups?.forward !== undefined
    plain = plain.slice(match[0].length)
  }
}
