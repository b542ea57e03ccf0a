import type { CutKind } from '../domain/vocabulary.ts'

/** A person as a mail names them; null for missing parts. */
export interface ProjectedMailbox {
  readonly name: string | null
  readonly email: string | null
}

export interface ProjectedAttachment {
  /** Empty for an attachment without a name. */
  readonly name: string
  /** Its media type, such as `image/png`. */
  readonly type: string
  /** Decoded size, bytes. */
  readonly size: number
}

/** A part of a mail's text that is not the author's newest text. */
export interface MailCut {
  readonly kind: CutKind
  readonly text: string
}

/**
 * The e-mail receiver's projection of a mail: the JSON in `received.body` of the format `email`. For a forwarded mail,
 * all fields but `forward` describe the original mail. Attachments are listed, never stored.
 */
export interface ProjectedMail {
  /** Without the prefixes of answers and forwards; empty without a subject. */
  readonly subject: string
  /** The author's newest text. At most `MAX_TEXT_CODE_POINTS` together with the subject. */
  readonly text: string
  /** The other parts of the text, whole, in their order. */
  readonly cuts: readonly MailCut[]
  /** Number of characters of `cuts` that were too many to keep; absent when all were kept. */
  readonly cut_omitted?: number
  readonly author: ProjectedMailbox
  /** Milliseconds since the epoch; null without a plausible time. */
  readonly occurred_at: number | null
  /**
   * The forwarder of the mail, with their own text; null for a mail that came from its author. A long note is whole in
   * the first of the cuts.
   */
  readonly forward: { readonly by: ProjectedMailbox; readonly note: string } | null
  /** True when a program wrote it, such as a form's notification. */
  readonly automatic: boolean
  /** Equal for all mails of a thread; null for a mail without Message-ID and references. */
  readonly thread: string | null
  /** The first attachments; see `attachment_count`. */
  readonly attachments: readonly ProjectedAttachment[]
  /** Number of all attachments. */
  readonly attachment_count: number
  /** True when texts were cut. A long subject and the rest of a long text are in `cuts`. */
  readonly shortened: boolean
}

/** The projection as it may be in the log: older programs wrote `quoted` instead of `cuts`. */
export type LoggedMail = Omit<ProjectedMail, 'cuts'> & {
  readonly cuts?: readonly MailCut[]
  readonly quoted?: string
}
