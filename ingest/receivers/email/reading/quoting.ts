import type { ProjectedMailbox } from '../../../../schemas/http/email.ts'

const RULE = String.raw`[\s>]*[-_=*]{2,}(?:\s[\s-]*)?`

const ORIGINAL = new RegExp(
  `^${RULE}(original message|original appointment|reply message|antwort nachricht|ursprüngliche (?:nachricht|e?-?mail)|original-?nachricht|mail original|message d['’]origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|originalmeddelande|ursprungligt meddelande|oprindelig meddelelse|oprindelig besked|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|původní zpráva|исходное сообщение|оригинальное сообщение|orijinal mesaj|原始邮件|原始郵件|邮件原件|元のメッセージ|원본 메시지)[-_=*\\s]*$`,
  'iu',
)

const FORWARDED = new RegExp(
  `^(?:${RULE}(forwarded (?:message|text|mail|e-mail)(?: from .{1,64}| (?:begins|follows)(?: here)?)?|begin (?:forwarded|included|inserted) (?:text|message|mail|article)|(?:included|inserted) message|(?:forwarded by|weitergeleitet von|transféré par|réacheminé par|inoltrato da|reenviado por|remitido por|encaminhado por|doorgestuurd door) .{1,64}|weitergeleitete nachricht|message (?:transféré|transmis)|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht|vidarebefordrat (?:meddelande|mejl)|videresendt (?:meddelelse|melding)|(?:välitetty|edelleenlähetetty) viesti(?: \\/ fwd\\.msg)?|przekazana wiadomość|wiadomość (?:przekazana|przesłana) dalej|treść przekazanej wiadomości|přeposlaná zpráva|(?:пересланное|пересылаемое) сообщение|перенаправленное сообщение|[iİ]let(?:ilen|ilmiş) (?:mesaj|[iİ]leti)|proslijeđena poruka|прослеђена порука|posredovano sporočilo|preposlaná správa(?: --- forwarded message)?|továbbított (?:üzenet|levél)|mensagem reencaminhada|mesaj redirec[țţ]ionat|переслане повідомлення|перенаправлене повідомлення|препратено съобщение|προωθημένο μήνυμα|edastatud kiri|persiųstas laiškas|pārsūtīts ziņojums|missatge reenviat|áframsent skeyti|pesan (?:terusan|yang diteruskan)|thư (?:đã )?chuyển tiếp|הודעה (?:שהועברה|מועברת)|ข้อความที่ส่งต่อ|转发的邮件|轉寄郵件|転送メッセージ|メッセージを転送|전달된 메시지)[-_=*\\s]*|[\\s>]*(begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:transféré|réexpédié)|inicio del mensaje reenviado|inizio messaggio inoltrato|início da mensagem (?:encaminhada|reencaminhada)|begin doorgestuurd bericht|vidarebefordrat (?:brev|mejl)|(?:påbegyndt|start på) videresendt besked|videresendt melding|započni proslijeđenu poruku|továbbított levél kezdete|začátek přeposílané zprávy|začiatok preposlanej správy|încep(?:e mesajul|utul mesajului) redirec[țţ]ionat|[iİ]leti başlangıcı|välitetty viesti alkaa|αρχή προωθημένου μηνύματος|початок (?:листа, що пересилається|переадресованого повідомлення)|forwarded message|początek przekazywanej wiadomości|начало переадресованного сообщения|начало пересылаемого сообщения|开始转发的邮件|転送されたメッセージ|전달된 메시지 시작)\\s?[:：]?\\s*)$`,
  'iu',
)

const MAX_LENGTH = 200

/** A line such as `-----Original Message-----`. */
export const isOriginalSeparator = (line: string): boolean => line.length <= MAX_LENGTH && ORIGINAL.test(line)

/** A line such as `---------- Forwarded message ---------` or `Begin forwarded message:`. */
export const isForwardSeparator = (line: string): boolean => line.length <= MAX_LENGTH && FORWARDED.test(line)

/** `>>> Kim Lee <kim@example.com> 11/23/2026 2:17 PM >>>` (GroupWise) */
const BETWEEN_ARROWS = /^>>> \S.{0,150}\d{1,2}:\d\d.{0,12} >>>\s{0,3}$/

/** True for a line between arrows that announces the mail below. This line is not quoted itself. */
export const isBetweenArrows = (line: string): boolean => line.length <= MAX_LENGTH && BETWEEN_ARROWS.test(line)

const END =
  /^[\s>]*[-_=*]{2,}\s?(?:end (?:of )?(?:the )?(?:forwarded|included|inserted) (?:text|message|mail|article)\b|forwarded message ends)/i

/** A line such as `--- end forwarded text`. */
export const endsForward = (line: string): boolean => END.test(line.slice(0, MAX_LENGTH))

/** Lotus Notes may wrap the line that announces a forwarded mail within its time, or before its last dashes. */
const ANNOUNCED_ABOVE =
  /^\s?(?:\d{1,2}[./]\d{1,2}[./]\d{2,4}\s)?(?:\d{1,2}:\d\d(?::\d\d)?\s)?(?:[AaPp][Mm]\s)?-{3,60}\s?$/

/** True when this line is the wrapped rest of a line above that announces a forwarded mail. */
export const endsAnnouncement = (lines: readonly string[], index: number): boolean =>
  ANNOUNCED_ABOVE.test((lines[index] ?? '').slice(0, 100)) && isForwardSeparator(lines[index - 1] ?? '')

/** True for a line that is only a rule, as Outlook puts above a quote. */
export const isRule = (line: string): boolean => /^\s*[_-]{10,}\s*$/.test(line)

const ADDRESS = /[^\s<>()[\]"',;:]{1,64}@[^\s<>()[\]"',;:]{1,255}/

/** Reads `Name <address>`, `Name [mailto:address]`, `"Name" address`, or one of both. */
export const readMailbox = (written: string): ProjectedMailbox => {
  const line = written.slice(0, 500)
  const email = ADDRESS.exec(line.replace(/mailto:/gi, ' '))?.[0] ?? null
  const name = line
    .replace(/[<[(]?(mailto:)?[^\s<>()[\]"',;:]{1,64}@[^\s<>()[\]"',;:]{1,255}[>\])]?/gi, ' ')
    .replace(/[<>[\]"*]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    // `address (Name)`, as the oldest programs write.
    .replace(/^\((.+)\)$/, '$1')
  return { name: name === '' ? null : name, email }
}

const ANSWER = 're|aw|antw|antwort|sv|vs|odp|rif|rép|resp|ynt|回复|回覆|答复|返信|ответ|на'
const FORWARD =
  'fwd?|wg|tr|rv|enc|i|doorst|vb|pd|vl|[iİ]lt|videresendt?|redirecționat|prosl|proslijeđeno|továbbítás|переслать|пересл|转发|轉寄|転送'
const PREFIX = new RegExp(
  `^(?:(?<answer>${ANSWER})|(?<forward>${FORWARD}))\\s?(?:\\[\\d+\\]|\\(\\d+\\))?\\s?[:：]\\s*`,
  'iu',
)

export interface Subject {
  /** Without the prefixes of answers and forwards. */
  readonly plain: string
  /** True when the outermost prefix says that the mail was forwarded. */
  readonly forwarded: boolean
  /** True when the outermost prefix says that the mail is an answer. */
  readonly answered: boolean
  /** `VS:` is an answer in Finnish, and a forward in Danish and in Norwegian. */
  readonly isEither: boolean
}

const EITHER = /^vs\s?:/i

/** Splits a subject from the prefixes of answers and forwards, in any of the languages. */
export const readSubject = (subject: string): Subject => {
  let plain = subject.replace(/\s+/g, ' ').trim()
  let forwarded: boolean | null = null
  const isEither = EITHER.test(plain)
  for (;;) {
    const match = PREFIX.exec(plain)
    if (match === null) {
      return { plain, forwarded: forwarded === true, answered: forwarded === false, isEither }
    }
    forwarded ??= match.groups?.forward !== undefined
    plain = plain.slice(match[0].length)
  }
}
