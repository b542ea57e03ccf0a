import { isBlank, SIGNATURE_MARK } from './quoted-lines.ts'

/** Limits of a signature. */
const MAX_LINES = 12
const MAX_LINE_LENGTH = 200
/** A person's signature, a program's above it, and once more. */
const MAX_SIGNATURES = 3

/** Devices in the lines that phones add, such as `Sent from my iPhone`, in their languages. */
const DEVICE =
  '(?:iphone|ipad|ipod|mac|macbook|apple watch|android|android[- ]?(?:phone|mobiltelefon|device|gerät)|blackberry|samsung(?: galaxy)?(?:[ -](?:\\w{1,12})){0,3}|galaxy(?: \\w{1,8}){0,2}|huawei(?: \\w{1,12}){0,3}|xiaomi(?: \\w{1,12}){0,3}|nokia(?: \\w{1,12}){0,2}|pixel(?: \\w{1,8}){0,2}|windows phone|mobile|mobile (?:device|phone)|phone|handheld|mobiltelefon|mobilgerät|smartphone|handy|tablet|teléfono móvil|móvil|téléphone|portable|mobiel|telefon|mobil|telefonu)'
const SENT =
  '(?:sent (?:from|via|by|with)|from|gesendet von|von|versendet von|diese nachricht wurde von|envoyé (?:de|depuis|à partir de)|enviado (?:desde|do|de|a partir do)|enviada do|inviato (?:da|dal)|verzonden (?:vanaf|met|via)|verstuurd (?:vanaf|met)|skickat från|sendt fra|lähetetty|wysłano z|wysłane z|odesláno z|odoslané z|отправлено с|надіслано з|küldve|trimis de pe|elküldve|gönderildi|στάλθηκε από)'
const MY = '(?:my|meinem|meiner|mein|mon|ma|mi|meu|mio|mia|mijn|min|mitt|mojego|mého|môjho|моего|мого|το|το κινητό μου)'
const ON_THE_WAY = new RegExp(
  `^${SENT}\\s${MY}?\\s{0,2}(?:\\w{1,12}\\s){0,2}${DEVICE}(?:\\s\\d{1,2})?(?:\\s(?:gesendet|lähetetty|küldve|gönderildi))?$`,
  'iu',
)
const PROGRAM = new RegExp(
  `^(?:get outlook for (?:ios|android|mac)|outlook für (?:ios|android) beziehen|obtenir outlook pour (?:ios|android)|téléchargez outlook pour (?:ios|android)|obtener outlook para (?:ios|android)|obter o outlook para (?:ios|android)|scarica outlook per (?:ios|android)|ottieni outlook per (?:ios|android)|download outlook voor (?:ios|android)|hämta outlook för (?:ios|android)|hent outlook til (?:ios|android)|pobierz program outlook dla systemu (?:ios|android)|${SENT}\\s(?:(?:yahoo|aol|proton|zoho|nylas|windows|gmx|web\\.de|fast|spark|air|hot|t-online)[ -]?mail(?: mobile| for \\w{1,12}| app| on android| en android| auf android| sur android)?|outlook(?: for \\w{1,12}| mobile)?|outlook\\.com(?: mobile)?|mail for windows(?: 10)?|mail für windows(?: 10)?|courrier pour windows(?: 10)?|correo para windows(?: 10)?|mail(?:box)?(?: for ipad| for iphone)|mailbox|airmail|sparrow|thunderbird|spark|superhuman|k-9 mail|typeapp|bluemail|blue mail for android|front|protonmail(?: mobile)?|proton mail(?: for \\w{1,12})?|yahoo! mail(?: mobile)?|hey\\.com|fairemail|canary))$`,
  'iu',
)
const LINK = /[<([]{1,2}https?:\/\/[^\s<>()[\]]{1,300}[>)\]]{1,2}$/u

/** True for a line that a program added, such as `Sent from my iPhone`. */
const isOfProgram = (line: string): boolean => {
  if (line.length > MAX_LINE_LENGTH) return false
  const said = line
    .trim()
    .replace(LINK, '')
    .replace(/[.!]$/, '')
    .replace(/\s{1,9}/g, ' ')
  return ON_THE_WAY.test(said) || PROGRAM.test(said)
}

const DELIMITER = /^--\s?$/
const POSTSCRIPT = /^\s{0,9}p\.?\s?s\.?(?![\p{L}\p{N}])/iu
const HAS_CONTACT = /[^\s@]@[^\s@]{1,64}\.\p{L}{2}|https?:\/\/|www\.|\+?\d[\d ()/.-]{6,20}\d/iu
/** Four words and a full stop, or more words than a name, a role and a company have. */
const IS_SENTENCE = /^(?:\S{1,40}\s{1,3}){3,60}\S{1,40}[.!?…]["”)]?$|^(?:\S{1,40}\s{1,3}){9}/u

const SMALL_WORD = /(?<!\S)\p{Ll}{2}/gu

const isSentence = (line: string): boolean => IS_SENTENCE.test(line) && (line.match(SMALL_WORD)?.length ?? 0) > 1

const looksLikeContact = (line: string): boolean =>
  isBlank(line) || (line.length <= MAX_LINE_LENGTH && (HAS_CONTACT.test(line) || !isSentence(line.trim())))

/** Indices of the lines of a signature, and of a program's footer. */
interface Tail {
  readonly signature: ReadonlySet<number>
  readonly footer: ReadonlySet<number>
}

/**
 * The lines at the end that are not the author's words: contact data behind the delimiter `-- `, a marked signature, a
 * phone's line, a mailing list's footer. Anything else, such as a postscript, is the author's.
 */
export const findTail = (lines: readonly string[]): Tail => {
  const signature = new Set<number>()
  const footer = new Set<number>()
  let end = withoutBlanks(lines, lines.length)
  const cutFrom = (start: number, into: Set<number>) => {
    for (let index = start; index < end; index++) into.add(index)
    end = withoutBlanks(lines, start)
  }
  const list = footerStart(lines, end)
  if (list !== -1) cutFrom(list, footer)
  for (let part = 0; part < MAX_SIGNATURES; part += 1) {
    const start = signatureStart(lines, end)
    // A mail of nothing but a signature is kept whole.
    if (start === -1 || withoutBlanks(lines, start) === 0) break
    cutFrom(start, signature)
  }
  return { signature, footer }
}

/** The end without trailing blank lines. */
const withoutBlanks = (lines: readonly string[], end: number): number => {
  let last = end
  while (last > 0 && isBlank(lines[last - 1] ?? '')) last--
  return last
}

const isMarked = (line: string | undefined): boolean => line?.startsWith(SIGNATURE_MARK) === true

/** The first line of the signature that ends before `end`; -1 when there is none. */
const signatureStart = (lines: readonly string[], end: number): number => {
  const last = lines[end - 1] ?? ''
  if (isMarked(last)) return markedStart(lines, end)
  if (isOfProgram(last)) return end - 1
  return delimitedStart(lines, end)
}

const markedStart = (lines: readonly string[], end: number): number => {
  let start = end
  while (start > 0 && (isMarked(lines[start - 1]) || isBlank(lines[start - 1] ?? ''))) start--
  const marked = lines.slice(start, end).map(line => line.replace(SIGNATURE_MARK, ''))
  const isShort = marked.filter(line => !isBlank(line)).length <= MAX_LINES
  if (!isShort || marked.some(line => POSTSCRIPT.test(line))) return -1
  // Gmail writes the delimiter above the marked element.
  const delimiter = withoutBlanks(lines, start) - 1
  return DELIMITER.test(lines[delimiter] ?? '') ? delimiter : start
}

/**
 * The index of the last match among the last `most` lines; -1 without a match, or when only the first line of the text
 * matches.
 */
const lastOf = (lines: readonly string[], end: number, most: number, pattern: RegExp): number => {
  const from = Math.max(0, end - most)
  const last = from + lines.slice(from, end).findLastIndex(line => pattern.test(line))
  return last < Math.max(1, from) ? -1 : last
}

const delimitedStart = (lines: readonly string[], end: number): number => {
  const start = lastOf(lines, end, MAX_LINES + 1, DELIMITER)
  if (start === -1) return -1
  const rest = lines.slice(start + 1, end)
  const isContact = rest.every(line => looksLikeContact(line) && !POSTSCRIPT.test(line))
  // Two dashes alone may be a person's rule; with a blank behind them they are the delimiter of RFC 3676.
  const isSure = lines[start] === '-- ' || rest.some(line => HAS_CONTACT.test(line) || isOfProgram(line))
  return rest.length > 0 && isContact && isSure ? start : -1
}

const OF_LIST = [
  /^you received this message because you are subscribed to the google groups /i,
  /^to unsubscribe send an email to \S{1,64}-leave@/i,
]
/** The addresses at which Mailman 2 and 3 show a list. */
const LIST_PAGE = /^https?:\/\/\S*$/i
const LIST_PATHS = ['/listinfo/', '/mailman3/lists/']

const isOfList = (line: string): boolean =>
  OF_LIST.some(says => says.test(line)) || (LIST_PAGE.test(line) && LIST_PATHS.some(path => line.includes(path)))

/** A line of dashes above a list's footer. */
const RULE = /^(?:-- ?|_{2,90}|-{5,90})$/

/** The first line of a mailing list's footer; -1 when there is none. */
const footerStart = (lines: readonly string[], end: number): number => {
  const start = lastOf(lines, end, MAX_LINES, RULE)
  return start !== -1 && lines.slice(start + 1, end).some(line => isOfList(line.trim())) ? start : -1
}
