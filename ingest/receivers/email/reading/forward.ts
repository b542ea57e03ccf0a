import type { ProjectedMailbox } from '../../../../schemas/http/email.ts'
import { isBlank, isForwardSeparator, isQuoted, isRule, joinLines, readHeaderBlock, unquote } from './quoting.ts'
import { parseWrittenDate } from './written-date.ts'

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
