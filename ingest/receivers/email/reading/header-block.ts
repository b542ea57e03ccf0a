import { type LabelledLines, readNotesBlock } from './notes-block.ts'
import { unquote } from './quoted-lines.ts'

/** The names of mail headers that programs write above a forwarded or quoted mail, in their languages. */
const LABELS = {
  from: 'from|von|de|da|van|från|fra|frá|od|от|от кого|від|від кого|kimden|gönderen|lähettäjä|feladó|отправитель|šalje|шаље|siuntėjas|nadawca|de la|expeditor|expeditorul|expéditeur|remitente|mittente|από|saatja|dari|từ|จาก|מאת|من|از|差出人|送信元|发件人|寄件者|보낸 사람',
  date: 'date|sent|datum|gesendet|envoyé|envoyé le|fecha|fecha de envío|enviado|enviado el|enviada el|data|inviato|enviada|enviada em|enviado em|verzonden|skickat|sendt|dato|wysłano|data wysłania|odesláno|odoslané|dátum|dátum odoslania|дата|отправлено|надіслано|дата отправки|изпратено|послато|poslano|tarih|gönderildi|gönderilme tarihi|päivämäärä|päiväys|pvm|відправлено|kuupäev|dagsetning|lähetetty|küldve|elküldve|trimis|dată|data trimiterii|στάλθηκε|ημερομηνία|ημ/νία|saadetud|nosūtīts|išsiųsta|sendt dato|dikirim|đã gửi|ngày|ส่ง|วันที่|נשלח|תאריך|تاريخ الإرسال|التاريخ|تاریخ|送信日時|日時|日付|发送时间|发件时间|日期|寄件日期|傳送時間|날짜|보낸 날짜',
  subject:
    'subject|betreff|objet|sujet|asunto|oggetto|assunto|onderwerp|ämne|emne|efni|temat|předmět|predmet|тема|предмет|konu|thema|aihe|tárgy|subiect|subiectul|naslov|наслов|zadeva|относно|θέμα|teema|tēma|tema|subjek|perihal|chủ đề|tiêu đề|เรื่อง|נושא|الموضوع|موضوع|件名|主题|主題|主旨|제목',
  to: 'to|an|à|pour|para|a|aan|till|til|do|komu|pro|кому|до|kime|alıcı|vastaanottaja|címzett|получатель|prima|прима|за|za|gavėjas|adresat|către|catre|destinatar|προς|kellele|saaja|kepada|tới|đến|ถึง|אל|إلى|به|宛先|收件人|收件者|받는 사람|받는사람',
  other:
    'cc|bcc|kopie|copie|copia|cópia|kopia|kopi|kopio|dw|копия|копія|másolatot kap|másolat|kópia|κοιν|κοινοποίηση|bilgi|reply-to|antwort an|répondre à|rispondi a|responder a|responder para|antwoord aan|beantwoorden|svar till|svar til|odpowiedz do|odpovědět|răspuns către|απάντηση προς|ответить|yanıt adresi|vastaa|válaszcím|返信先|回复|resent-from|organization|importance|wichtigkeit|priorité|importancia|priorità|priority|attachments|anlagen|pièces jointes',
} as const

export type LabelName = keyof typeof LABELS

/** By the word in lower case: the header that it names. */
export const LABEL_WORDS: ReadonlyMap<string, LabelName> = new Map(
  Object.entries(LABELS).flatMap(([name, words]) =>
    // `Object.entries` forgets the type of the table's keys.
    words.split('|').map(word => [word, name as LabelName] as const),
  ),
)
const LABELLED = /^[*_]{0,2}([\p{L}][\p{L}\p{M}/ -]{0,30}?)[*_.]{0,2}\s{0,3}[:：][*_]{0,2}(.*)$/u

const isLabelled = (line: string): boolean => LABELLED.test(line.slice(0, 1000))

/**
 * Reads a line such as `From: Somebody <somebody@example.com>`, in any of the languages, bold or not; null for other
 * lines.
 */
const readLabel = (line: string): { readonly name: LabelName; readonly value: string } | null => {
  const [, word, value = ''] = LABELLED.exec(line.slice(0, 1000)) ?? []
  const name = word === undefined ? undefined : LABEL_WORDS.get(word.toLowerCase())
  return name === undefined ? null : { name, value: value.trim() }
}

interface ReadLine {
  readonly text: string
  readonly label: ReturnType<typeof readLabel>
}

/** Each line is parsed once, however many blocks might begin above it. */
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

/** Maximum of lines over which a list of recipients may continue. */
const MAX_LINES = 30

/**
 * The block of headers that begins at a line; null when none does. It names the author and at least two of date,
 * subject and recipient. Only continued values and unknown labels may stand between them.
 */
export const readHeaderBlock = (lines: readonly string[], start: number): LabelledLines | null => {
  const { values, end } = readLabels(lines, start)
  const notes = values.date === undefined ? readNotesBlock(lines, start, readLabels) : null
  return notes ?? (namesMail(values) ? { values, end } : null)
}

/** True when the headers name an author and two of date, subject and recipient. */
export const namesMail = ({ from, date, subject, to }: LabelledLines['values']): boolean =>
  from !== undefined && [date, subject, to].filter(value => value !== undefined).length >= 2

/** The labelled lines from a line on; empty when the first line has no label. */
const readLabels = (lines: readonly string[], start: number, most = MAX_LINES): LabelledLines => {
  const values: Partial<Record<LabelName, string>> = {}
  let last: LabelName | null = null
  let end = start
  if (readLine(lines, start).label === null) return { values, end }
  for (; end < lines.length && end < start + most; end++) {
    const { text: line, label } = readLine(lines, end)
    if (label !== null) {
      values[label.name] ??= label.value
      last = label.name
    } else if (line === '') {
      // Some programs put an empty line between their headers, or above a value.
      const isValue = last !== null && values[last] === '' && end + 1 < lines.length
      if (readLine(lines, end + 1).label === null && !isValue) break
    } else if (last !== null && continues(last, values[last] ?? '', line)) {
      values[last] = `${values[last]} ${line}`.trim()
    } else if (!isFollowedByNewHeader(lines, end, values)) break
    else if (!isLabelled(line) && last !== null) values[last] = `${values[last]} ${line}`.trim()
  }
  return { values, end }
}

/** Recipients may be wrapped after a comma, and any value may begin below its label. */
const continues = (label: LabelName, value: string, line: string): boolean =>
  value === '' ||
  ((label === 'to' || label === 'other') && (/[,;]$/.test(value) || listsRecipients(line))) ||
  (label === 'from' && (/^[<[(]\S+@/.test(line) || /(?:<|mailto:)$/.test(value)))

/** Recipients wrapped within a name: `Lee/Sales@Example, Kim`. */
const listsRecipients = (line: string): boolean => line.includes('@') && /[,;]/.test(line) && !/[.!?]\s/.test(line)

/**
 * True when one of the next two lines is a header that the block lacks: the line before it, an unknown label or a
 * continued value, then belongs to the block.
 */
const isFollowedByNewHeader = (lines: readonly string[], index: number, values: LabelledLines['values']): boolean => {
  const next = [1, 2].map(ahead => readLine(lines, index + ahead).label)
  return next.some(label => label !== null && values[label.name] === undefined)
}

const HAS_DAY = /\d{1,4}\D{1,12}\d/
const HAS_TIME = /\d[:.h時时시]\s?\d\d/
const HAS_ADDRESS = /[^\s@]@[^\s@]/

/**
 * True when a mail program surely wrote the block. People write three of these labels too, such as about a journey.
 * Therefore all four with a day are needed, or a second sign that the mail quotes another mail (`hasSign`).
 */
export const isSureBlock = ({ values }: LabelledLines, hasSign: boolean): boolean => {
  const { from = '', date = '', subject, to } = values
  const hasDay = HAS_DAY.test(date)
  if (hasDay && subject !== undefined && to !== undefined) return true
  if (!hasSign) return false
  const hasAddress = HAS_ADDRESS.test(`${from} ${to ?? ''}`)
  return subject === undefined ? hasDay && (hasAddress || HAS_TIME.test(date)) : hasDay || hasAddress
}
