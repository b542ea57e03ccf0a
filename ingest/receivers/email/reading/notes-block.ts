import { unquote } from './quoted-lines.ts'

/** Headers that a mail program wrote above a forwarded or quoted mail. */
export interface LabelledLines {
  readonly values: Readonly<Partial<Record<'from' | 'date' | 'subject' | 'to' | 'other', string>>>
  /** The index of the line after them. */
  readonly end: number
}

const DAY = String.raw`\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)`
const TIME = String.raw`\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?(?:\s[A-Z]{3,4})?`

/** `Kim Lee/Sales/Example`, `"Lee, Kim" <kim@example.com> on 06/19/2026 06:51:07 PM`, `From: Kim Lee 06/19/2026` */
const AUTHOR = new RegExp(
  `^(?:from:\\s{0,30})?(?<name>["“<]{0,2}\\p{L}[^:?!]{1,120}?)(?:(?:\\s{1,40}(?:on|am|le|el|il))?\\s{1,40}(?<day>${DAY})(?:\\s{1,40}(?<time>${TIME}))?)?$`,
  'iu',
)
const WHEN = new RegExp(`^(?:(?<day>${DAY})\\s{0,9})?(?<time>${TIME})?$`, 'u')
const BETWEEN =
  /^(?:sent by|phone no|please respond to|gesendet von|bitte antwort an|envoyé par|veuillez répondre à|enviado por)(?!\p{L})/iu
const SENT_BY = /\sSent by: [^:\d]{1,100}(?=\s\d)/u

/** Maximum of lines between the author and the recipients. */
const MAX_LINES = 8
const MAX_LENGTH = 4_000
/** Notes lists each recipient, even whole departments. */
const MAX_RECIPIENT_LINES = 150

/** The name without the directory path that Notes writes behind it. */
const personOf = (name: string): string => {
  const end = /[^\s@]@[^\s@]{1,60}\.\p{L}{2}/u.test(name) ? -1 : name.search(/[@/]/)
  return end === -1 ? name : name.slice(0, end).trim()
}

/** The lines that Lotus Notes writes above the recipients; no label names the author. */
interface NotesHead {
  readonly from: string
  readonly date: string
  /** The index of the line with the recipients. */
  readonly next: number
}

/**
 * The head that begins at a line: a name, with day and time on the same line or below. Takes the fewest lines. Null
 * when something else follows.
 */
const readNotesHead = (lines: readonly string[], start: number): NotesHead | null => {
  const first = AUTHOR.exec(
    unquote(lines[start] ?? '')
      .trim()
      .slice(0, 300),
  )?.groups
  if (first?.name === undefined || /\p{Ll}{3}[.;]\s/u.test(first.name)) return null
  let { day, time } = first
  for (let next = start + 1; next < lines.length && next < start + MAX_LINES; next++) {
    const line = unquote(lines[next] ?? '').trim()
    if (line === '' || BETWEEN.test(line.slice(0, 100))) continue
    const when = line.length < 60 ? WHEN.exec(line)?.groups : undefined
    const isWhen = when !== undefined && !(when.day && day) && !(when.time && time)
    if (isWhen) {
      day ??= when.day
      time ??= when.time
    } else if (day === undefined || time === undefined) return null
    else return { from: personOf(first.name), date: `${day} ${time}`, next }
  }
  return null
}

/** Labels of later versions of Notes, each alone on the line above its value. */
const ALONE: ReadonlyMap<string, 'to' | 'other' | 'subject'> = new Map([
  ...['to', 'an', 'para', 'per', 'pour', 'a', 'à', 'aan', 'till', 'til', 'do'].map(word => [word, 'to'] as const),
  ...['cc', 'bcc', 'kopie', 'copie', 'fax to', 'fax an'].map(word => [word, 'other'] as const),
  ...['subject', 'thema', 'betreff', 'objet', 'asunto', 'assunto', 'oggetto', 'onderwerp', 'ämne', 'emne', 'temat'].map(
    word => [word, 'subject'] as const,
  ),
])

/** The headers with such labels, up to the subject; empty when the first line is no label. */
const readAlone = (lines: readonly string[], start: number): LabelledLines => {
  const values: Partial<Record<'to' | 'other' | 'subject', string>> = {}
  let inside: 'to' | 'other' | 'subject' | null = null
  for (let index = start; index < lines.length && index < start + MAX_RECIPIENT_LINES; index++) {
    const line = unquote(lines[index] ?? '').trim()
    const name: 'to' | 'other' | 'subject' | undefined = ALONE.get(line.toLowerCase())
    if (name !== undefined && values[name] === undefined) {
      inside = name
      values[name] = ''
    } else if (inside === null) break
    else if (line !== '') {
      values[inside] = `${values[inside]} ${line}`.trim().slice(0, MAX_LENGTH)
      if (inside === 'subject') return { values, end: index + 1 }
    }
  }
  return { values: {}, end: start }
}

/**
 * The block that Lotus Notes writes above a quoted or forwarded mail; null when none begins at the line. It needs an
 * author, a day with a time, recipients and a subject.
 */
export const readNotesBlock = (
  lines: readonly string[],
  start: number,
  readLabels: (lines: readonly string[], start: number, most: number) => LabelledLines,
): LabelledLines | null => {
  const line = unquote(lines[start] ?? '').trim()
  if (line === '' || line.length > MAX_LENGTH) return null
  // All on one line, where columns became blanks.
  const to = line.indexOf(' To: ')
  const subject = to === -1 ? -1 : line.indexOf(' Subject:', to)
  if (subject !== -1) {
    const head = readNotesHead([line.slice(0, to).replace(SENT_BY, ' '), 'To:'], 0)
    const values = { to: line.slice(to + 5, subject).trim(), subject: line.slice(subject + 9).trim() }
    return head && { values: { ...values, from: head.from, date: head.date }, end: start + 1 }
  }
  const head = readNotesHead(lines, start)
  if (head === null) return null
  const labelled = readLabels(lines, head.next, MAX_RECIPIENT_LINES)
  const { values, end } = labelled.end > head.next ? labelled : readAlone(lines, head.next)
  if (values.to === undefined || values.subject === undefined || values.from !== undefined) return null
  return { values: { ...values, from: head.from, date: head.date }, end }
}
