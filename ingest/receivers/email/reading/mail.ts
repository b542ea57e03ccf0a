import { codeOf } from '../../../../infra/runtime/errors.ts'
import { normalizeAddress } from '../../../../model/signals/normalize.ts'
import type { Automatic } from '../../../../schemas/domain/automatic-mail.ts'
import { showsSomething } from '../../../../schemas/domain/visible-text.ts'
import { MAX_TEXT_CODE_POINTS } from '../../../../schemas/domain/vocabulary.ts'
import type { MailCut, ProjectedAttachment, ProjectedMail } from '../../../../schemas/http/email.ts'
import type { MailReading } from '../reader.ts'
import { automaticMail, fromNullSender, isGenerated } from './automatic.ts'
import { type ForwardedText, findForward } from './forward.ts'
import { MAX_LISTED_ATTACHMENTS, type MimeMail, type RawHeaders, readMime } from './mime.ts'
import { readSubject } from './quoting.ts'
import { readThread } from './thread.ts'
import { keyOfThread } from './thread-key.ts'
import { parseWrittenDate } from './written-date.ts'

/** Characters of a text that are searched for quotes: the newest text is at the beginning. The rest becomes a cut. */
const MAX_LENGTH = 150_000
const MAX_SUBJECT_CODE_POINTS = 1_000
const MAX_NOTE_CODE_POINTS = 2_000

/**
 * Reads a mail (RFC 5322, MIME). `sender` is the envelope's; null when unknown. Never rejects: an unreadable mail is a
 * result too.
 */
export const readMail = async (bytes: Buffer, sender: string | null = null): Promise<MailReading> => {
  let mail: MimeMail
  try {
    mail = await readMime(bytes)
  } catch (error) {
    return { kind: 'unreadable', reason: codeOf(error) === 'EMAXLEN' ? 'too_complex' : 'malformed' }
  }
  const own = automaticMail(mail, bytes) ?? (sender === '' ? fromNullSender(mail) : null)
  // A report is about the mail that it contains, and does not forward it.
  const part = (own === null ? await attached(mail) : null) ?? withAttached(inline(mail, own), mail)
  const projected = project(mail, part)
  const saysSomething = showsSomething(`${projected.subject}${projected.text}`)
  if (!saysSomething)
    return part.automatic === null ? { kind: 'unreadable', reason: 'without_text' } : { kind: 'ignored' }
  return { kind: 'mail', mail: projected, messageId: part.messageId ?? ownId(mail), automatic: part.automatic }
}

const ownId = ({ headers }: MimeMail): string | null => idsIn(headers.get('message-id'))[0] ?? null

interface Part {
  /** The id of the original mail, however often it was forwarded; null without one. */
  readonly messageId: string | null
  readonly author: ProjectedMail['author']
  readonly subject: string
  readonly writtenAt: number | null
  readonly text: string
  readonly forward: ProjectedMail['forward']
  readonly automatic: Automatic | null
  /** Text of the mail that is neither in `text` nor in the note. */
  readonly cuts: readonly MailCut[]
  /** True when its headers say that it answers another mail. */
  readonly answers: boolean
  readonly shortened: boolean
  readonly attachments: readonly ProjectedAttachment[]
  readonly attachmentCount: number
}

/** Splits a text at the limit, at the end of a line where possible. */
const partLong = (text: string): { readonly start: string; readonly rest: string } => {
  if (text.length <= MAX_LENGTH) return { start: text, rest: '' }
  const end = text.lastIndexOf('\n', MAX_LENGTH)
  const at = end > MAX_LENGTH / 2 ? end : MAX_LENGTH
  return { start: text.slice(0, at), rest: text.slice(at).trim() }
}

const project = (mail: MimeMail, part: Part): ProjectedMail => {
  const { start, rest } = partLong(part.text)
  const { newest, cuts } = readThread(start, part.answers)
  const note = cut(part.forward?.note ?? '', MAX_NOTE_CODE_POINTS)
  const subject = cut(part.subject, MAX_SUBJECT_CODE_POINTS)
  const text = cut(newest, MAX_TEXT_CODE_POINTS - MAX_SUBJECT_CODE_POINTS - 2)
  return {
    subject: subject.text,
    text: text.text,
    // Text that is too long for its field goes to the cuts: a note, a subject, the rest of a text.
    cuts: [
      ...(note.shortened ? quoted(part.forward?.note ?? '') : []),
      ...(subject.shortened ? quoted(part.subject) : []),
      ...part.cuts,
      ...cuts,
      ...(text.shortened ? quoted(newest.slice(text.text.length).trim()) : []),
      ...quoted(rest),
    ],
    author: part.author,
    occurred_at: part.writtenAt,
    forward: part.forward && { ...part.forward, note: note.text },
    automatic: part.automatic !== null || isGenerated(mail),
    thread: threadOf(mail.headers),
    attachments: part.attachments.slice(0, MAX_LISTED_ATTACHMENTS),
    attachment_count: part.attachmentCount,
    shortened: part.shortened || subject.shortened || text.shortened,
  }
}

const quoted = (text: string): readonly MailCut[] => (text === '' ? [] : [{ kind: 'quoted', text }])

const inline = (mail: MimeMail, automatic: Automatic | null): Part => {
  const named = readSubject(mail.subject)
  const { plain, forwarded, answered } = named
  const { text, attachments, attachmentCount } = mail
  const answers = answered || forwarded || mail.headers.has('in-reply-to') || mail.headers.has('references')
  const shortened = mail.shortened || text.length > MAX_LENGTH
  const listed = { attachments, attachmentCount, shortened, answers }
  const own = {
    messageId: ownId(mail),
    author: mail.from,
    subject: plain,
    writtenAt: dateOf(mail.headers),
    text,
    forward: null,
    cuts: [],
  }
  const { start, rest } = partLong(text)
  const found = automatic === null ? findForward(start, { ...named, answers: mail.headers.has('in-reply-to') }) : null
  if (found === null || found.text.trim() === '') return { ...own, ...listed, automatic }
  const { newest, cuts } = readThread(found.note, answers)
  const subject = found.subject ?? plain
  const inner = automaticMail({ subject, from: found.author, text: found.text, attachments })
  return {
    ...listed,
    messageId: idOfForwarded(found),
    author: found.author,
    subject,
    writtenAt: found.writtenAt,
    text: rest === '' ? found.text : `${found.text}\n${rest}`,
    forward: { by: mail.from, note: newest },
    automatic: withoutNote(newest, inner),
    cuts: [...cuts, ...quoted(found.headers)],
  }
}

/** A mail forwarded in a text has no Message-ID: author and time identify it. */
const idOfForwarded = ({ author: { email }, writtenAt }: ForwardedText): string | null =>
  email === null || writtenAt === null ? null : `forwarded ${normalizeAddress(email)} ${writtenAt}`

/** An automatic mail that was forwarded with a person's note counts as theirs. */
const withoutNote = (note: string, automatic: Automatic | null): Automatic | null =>
  showsSomething(note) ? null : automatic

/** Depth of mails attached to mails: a digest of forwarded mails has this depth. */
const MAX_ATTACHED_DEPTH = 3

/** The first attached mail that can be read; null when there is none. */
const attached = async (mail: MimeMail, depth = MAX_ATTACHED_DEPTH): Promise<Part | null> => {
  if (mail.attachedMail === null || depth === 0) return null
  const bytes = mail.attachedMail.mail
  const inner = await readMime(bytes).catch(() => null)
  if (inner === null) return null
  const { start, rest } = partLong(mail.text)
  const { newest, cuts } = readThread(start, false)
  const automatic = automaticMail(inner, bytes)
  const saysSomething = automatic !== null || showsSomething(inner.text)
  const part = saysSomething
    ? withAttached(inline(inner, withoutNote(newest, automatic)), inner)
    : await attached(inner, depth - 1)
  if (part === null) return null
  const notes = [newest, part.forward?.note ?? ''].filter(note => note !== '')
  return {
    ...part,
    forward: { by: mail.from, note: notes.join('\n\n') },
    cuts: [...cuts, ...quoted(rest), ...part.cuts],
    shortened: part.shortened || mail.shortened || mail.text.length > MAX_LENGTH,
    attachments: [...mail.attachments, ...part.attachments],
    attachmentCount: mail.attachmentCount + part.attachmentCount,
  }
}

/** An attached mail that is not read is listed as an attachment. */
const withAttached = (part: Part, { attachedMail }: MimeMail): Part =>
  attachedMail === null
    ? part
    : { ...part, attachments: [attachedMail.listed, ...part.attachments], attachmentCount: part.attachmentCount + 1 }

const dateOf = (headers: RawHeaders): number | null => {
  const date = headers.get('date')
  return date === undefined ? null : parseWrittenDate(date)
}

const idsIn = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(/[\s<>]+/)
    .filter(id => id !== '')
    .slice(0, 1000)

/** The thread's key, made of the id of its first mail, which every later mail refers to. */
const threadOf = (headers: RawHeaders): string | null => {
  const names = ['references', 'in-reply-to', 'message-id']
  const [first] = names.flatMap(name => idsIn(headers.get(name)).slice(0, 1))
  return first === undefined ? null : keyOfThread(first)
}

const cut = (text: string, codePoints: number): { readonly text: string; readonly shortened: boolean } => {
  if (text.length <= codePoints) return { text, shortened: false }
  const characters = Array.from(text.slice(0, 2 * codePoints))
  return { text: characters.slice(0, codePoints).join(''), shortened: Array.from(text).length > codePoints }
}
