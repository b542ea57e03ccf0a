const ANSWER = 're|aw|antw|antwort|sv|vs|odp|rif|rép|resp|ynt|回复|回覆|答复|返信|ответ|на'
const FORWARD = 'fwd?|wg|tr|rv|enc|i|doorst|vb|pd|vl|ilt|továbbítás|переслать|пересл|转发|轉寄|転送'
const PREFIX = new RegExp(
  `^(?:(?<answer>${ANSWER})|(?<forward>${FORWARD}))\\s?(?:\\[\\d+\\]|\\(\\d+\\))?\\s?[:：]\\s*`,
  'iu',
)

export interface Subject {
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
