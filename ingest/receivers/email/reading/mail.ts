import { createHash } from 'node:crypto'
import { codeOf } from '../../../../infra/runtime/errors.ts'
import { showsSomething } from '../../../../schemas/domain/visible-text.ts'
import { MAX_TEXT_CODE_POINTS } from '../../../../schemas/domain/vocabulary.ts'
import type { ProjectedMail } from '../../../../schemas/http/email.ts'
import type { MailReading } from '../reader.ts'
import { type MimeMail, type RawHeaders, readMime } from './mime.ts'
import { findForward, readSubject } from './quoting.ts'
import { readThread } from './thread.ts'
import { parseWrittenDate } from './written-date.ts'

/** As much of a text is looked at: what was written last stands at the beginning. */
const MAX_LENGTH = 150_000
const MAX_SUBJECT_CODE_POINTS = 1_000
const MAX_QUOTED_CODE_POINTS = 20_000
const MAX_NOTE_CODE_POINTS = 2_000

/** Reads a mail (RFC 5322, MIME). Never rejects: what cannot be read is an answer, too. */
export const readMail = async (bytes: Buffer): Promise<MailReading> => {
  let mail: MimeMail
  try {
    mail = await readMime(bytes)
  } catch (error) {
    return { kind: 'unreadable', reason: codeOf(error) === 'EMAXLEN' ? 'too_complex' : 'malformed' }
  }
  const automatic = isAutomatic(mail.headers, mail.subject)
  if (automatic === 'says nothing') return { kind: 'ignored' }
  const projected = await project(mail, automatic === 'written by a program')
  if (!showsSomething(`${projected.subject}${projected.text}`)) return { kind: 'unreadable', reason: 'without_text' }
  return { kind: 'mail', mail: projected, messageId: idsIn(mail.headers.get('message-id'))[0] ?? null }
}

interface Part {
  readonly author: ProjectedMail['author']
  readonly subject: string
  readonly writtenAt: number | null
  readonly text: string
  readonly forward: ProjectedMail['forward']
}

const project = async (mail: MimeMail, automatic: boolean): Promise<ProjectedMail> => {
  const part = (await attached(mail)) ?? inline(mail)
  const long = part.text.length > MAX_LENGTH
  const { newest, quoted } = readThread(part.text.slice(0, MAX_LENGTH))
  const subject = cut(part.subject, MAX_SUBJECT_CODE_POINTS)
  const text = cut(newest, MAX_TEXT_CODE_POINTS - MAX_SUBJECT_CODE_POINTS - 2)
  const rest = cut(quoted, MAX_QUOTED_CODE_POINTS)
  return {
    subject: subject.text,
    text: text.text,
    quoted: rest.text,
    author: part.author,
    occurred_at: part.writtenAt,
    forward: part.forward && { ...part.forward, note: cut(part.forward.note, MAX_NOTE_CODE_POINTS).text },
    automatic,
    thread: threadOf(mail.headers),
    attachments: mail.attachments,
    attachment_count: mail.attachmentCount,
    shortened: long || subject.shortened || text.shortened || rest.shortened,
  }
}

const inline = (mail: MimeMail): Part => {
  const { plain, forwarded } = readSubject(mail.subject)
  const { text } = mail
  const own = { author: mail.from, subject: plain, writtenAt: dateOf(mail.headers), text, forward: null }
  const found = findForward(text.slice(0, MAX_LENGTH), forwarded)
  if (found === null || found.text === '') return own
  return {
    ...own,
    ...found,
    subject: found.subject ?? plain,
    forward: { by: mail.from, note: readThread(found.note).newest },
  }
}

/** A mail that another one carries as an attachment; null when there is none that can be read. */
const attached = async (mail: MimeMail): Promise<Part | null> => {
  if (mail.attachedMail === null) return null
  const inner = await readMime(mail.attachedMail).catch(() => null)
  if (inner === null || !showsSomething(inner.text)) return null
  return {
    ...inline(inner),
    forward: { by: mail.from, note: readThread(mail.text.slice(0, MAX_LENGTH)).newest },
  }
}

const dateOf = (headers: RawHeaders): number | null => {
  const date = headers.get('date')
  return date === undefined ? null : parseWrittenDate(date)
}

const idsIn = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(/[\s<>]+/)
    .filter(id => id !== '')
    .slice(0, 1000)

/** By the thread's first mail, which every later one refers to. */
const threadOf = (headers: RawHeaders): string | null => {
  const names = ['references', 'in-reply-to', 'message-id']
  const [first] = names.flatMap(name => idsIn(headers.get(name)).slice(0, 1))
  return first === undefined ? null : createHash('sha256').update(first).digest('hex').slice(0, 16)
}

const cut = (text: string, codePoints: number): { readonly text: string; readonly shortened: boolean } => {
  if (text.length <= codePoints) return { text, shortened: false }
  const characters = Array.from(text.slice(0, 2 * codePoints))
  return { text: characters.slice(0, codePoints).join(''), shortened: Array.from(text).length > codePoints }
}

type Automatic = 'no' | 'written by a program' | 'says nothing'

const AUTOMATIC_REPLY =
  /^(automatic reply|auto(matic)?[ -]?reply|out of office|automatische antwort|abwesenheit|abwesenheitsnotiz|réponse automatique|absence du bureau|respuesta automática|risposta automatica|resposta automática|automatisch antwoord|autosvar|automaattinen vastaus|automatyczna odpowiedź|автоответ|自动回复|自動応答|undeliverable|undelivered mail returned|mail delivery (failed|failure)|delivery status notification)\b/iu

/**
 * Whether a program wrote a mail (RFC 3834), and whether it says anything: answers that programs give and reports about
 * other mail (RFC 6522) do not. A form's notification, which is generated rather than an answer, does.
 */
const isAutomatic = (headers: RawHeaders, subject: string): Automatic => {
  const header = (name: string) => headers.get(name)?.trim().toLowerCase() ?? ''
  const submitted = header('auto-submitted')
  const saysNothing =
    submitted.startsWith('auto-replied') ||
    header('content-type').startsWith('multipart/report') ||
    header('return-path') === '<>' ||
    header('precedence') === 'auto_reply' ||
    headers.has('x-autoreply') ||
    headers.has('x-autorespond') ||
    headers.has('x-failed-recipients') ||
    (subject.length < 500 && AUTOMATIC_REPLY.test(subject) && submitted !== 'no' && submitted !== '')
  if (saysNothing) return 'says nothing'
  return submitted.startsWith('auto-') ? 'written by a program' : 'no'
}
