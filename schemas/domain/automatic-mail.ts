/** Kinds of mail that no person wrote. */
export const AUTOMATIC_MAILS = ['delivery_report', 'automatic_reply', 'read_receipt', 'calendar_reply'] as const

/**
 * Signs that a program wrote a mail: its type, a header, the empty sender, its sender together with its form, or its
 * subject with another sign.
 */
export const AUTOMATIC_SIGNS = [
  'report',
  'auto_submitted',
  'answer_header',
  'null_sender',
  'calendar',
  'sender',
  'subject',
] as const

/** Why a mail is kept apart from people's mail, until a member makes a signal of it. */
export interface Automatic {
  readonly kind: (typeof AUTOMATIC_MAILS)[number]
  readonly sign: (typeof AUTOMATIC_SIGNS)[number]
}
