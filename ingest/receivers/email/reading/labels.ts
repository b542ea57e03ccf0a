/** What mail programs call the headers that they write above a forwarded or quoted mail, in the languages they speak. */
const LABELS = {
  from: 'from|von|de|da|van|från|fra|od|от|от кого|від|kimden|gönderen|lähettäjä|feladó|差出人|发件人|寄件者|보낸 사람',
  date: 'date|sent|datum|gesendet|envoyé|envoyé le|fecha|enviado|enviado el|data|inviato|enviada em|verzonden|skickat|sendt|dato|wysłano|odesláno|дата|отправлено|надіслано|tarih|gönderildi|päivämäärä|lähetetty|küldve|送信日時|日時|日付|发送时间|日期|寄件日期|날짜|보낸 날짜',
  subject:
    'subject|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|temat|předmět|тема|konu|aihe|tárgy|件名|主题|主旨|제목',
  to: 'to|an|à|pour|para|a|aan|till|til|do|komu|кому|kime|vastaanottaja|címzett|宛先|收件人|收件者|받는 사람|받는사람',
  other:
    'cc|bcc|kopie|copie|copia|kopia|kopi|dw|копия|másolatot kap|reply-to|antwort an|répondre à|resent-from|organization|importance|attachments',
} as const

export type LabelName = keyof typeof LABELS

const BY_WORD = new Map(
  Object.entries(LABELS).flatMap(([name, words]) =>
    // The table's own keys; `Object.entries` forgets their type.
    words.split('|').map(word => [word, name as LabelName] as const),
  ),
)
const LABELLED = /^[*_]{0,2}([\p{L}][\p{L} -]{0,30}?)[*_]{0,2}\s{0,3}[:：][*_]{0,2}[^\S\n]*(.*)$/u

/** A line such as `From: Somebody <somebody@example.com>`, in any of the languages, bold or not; null for others. */
export const readLabel = (line: string): { readonly name: LabelName; readonly value: string } | null => {
  const [, word, value = ''] = LABELLED.exec(line.slice(0, 1000)) ?? []
  const name = word === undefined ? undefined : BY_WORD.get(word.toLowerCase())
  return name === undefined ? null : { name, value: value.trim() }
}
