import type { ProjectedMail } from '../../../schemas/http/email.ts'

/** What a mail turned out to be. */
export type MailReading =
  | { readonly kind: 'mail'; readonly mail: ProjectedMail; readonly messageId: string | null }
  /** An answer that a program gave, or a report about other mail: nobody said anything. */
  | { readonly kind: 'ignored' }
  /** It cannot be evidence, for a reason that its sender can do something about. */
  | { readonly kind: 'unreadable'; readonly reason: 'malformed' | 'too_complex' | 'without_text' }

/** To the reader's thread, which answers before it is asked again. */
export interface ReadRequest {
  readonly mail: Uint8Array
}

/** From the reader's thread. */
export interface ReadResponse {
  readonly reading: MailReading
}
