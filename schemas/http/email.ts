import type { CutKind } from '../domain/vocabulary.ts'

/** Somebody, as a mail names them. Null for what it leaves out. */
export interface ProjectedMailbox {
  readonly name: string | null
  readonly email: string | null
}

export interface ProjectedAttachment {
  /** Empty when it has none. */
  readonly name: string
  /** Its media type, such as `image/png`. */
  readonly type: string
  /** In bytes, decoded. */
  readonly size: number
}

/** A part of a mail's text that is taken for something else than what its author wrote this time. */
export interface MailCut {
  readonly kind: CutKind
  readonly text: string
}

/**
 * What the e-mail receiver keeps of a mail: the JSON in `received.body` of the format `email`. Of a forwarded mail,
 * everything but `forward` is of the one that was forwarded. Attachments are listed, never kept.
 */
export interface ProjectedMail {
  /** Without the prefixes of answers and forwards; empty when there is none. */
  readonly subject: string
  /**
   * The newest part of the thread: what its author wrote this time. At most `MAX_TEXT_CODE_POINTS` with the subject.
   */
  readonly text: string
  /** What is not in the text, whole, in the order in which it stood. */
  readonly cuts: readonly MailCut[]
  /** How many characters of these were too many to keep; absent: none. */
  readonly cut_omitted?: number
  readonly author: ProjectedMailbox
  /** Milliseconds since the epoch; null when the mail does not say, or not plausibly. */
  readonly occurred_at: number | null
  /**
   * Who forwarded it and what they wrote above it, or below; null when it came from its author. A long note is whole in
   * the first of the cuts.
   */
  readonly forward: { readonly by: ProjectedMailbox; readonly note: string } | null
  /** True when a program wrote it, such as a form's notification. */
  readonly automatic: boolean
  /** The same for every mail of one thread; null when the mail has neither a Message-ID nor references. */
  readonly thread: string | null
  /** The first of them. */
  readonly attachments: readonly ProjectedAttachment[]
  /** How many the mail had. */
  readonly attachment_count: number
  /** True when its texts had to be cut: a long subject, and the rest of a long text, are among the cuts. */
  readonly shortened: boolean
}

/** The same as it waits in the log. An older program wrote what the mail quotes, and nothing else beside its text. */
export type LoggedMail = Omit<ProjectedMail, 'cuts'> & {
  readonly cuts?: readonly MailCut[]
  readonly quoted?: string
}
