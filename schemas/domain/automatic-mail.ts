/** What a mail is that no person wrote. */
export const AUTOMATIC_MAILS = ['delivery_report', 'automatic_reply', 'read_receipt', 'calendar_reply'] as const

/** What of a mail says so: its type, a header, the empty sender, its sender with its form, or its subject with more. */
export const AUTOMATIC_SIGNS = [
  'report',
  'auto_submitted',
  'answer_header',
  'null_sender',
  'calendar',
  'sender',
  'subject',
] as const

/** Why a mail is kept apart from what people wrote, until somebody says that it is a signal. */
export interface Automatic {
  readonly kind: (typeof AUTOMATIC_MAILS)[number]
  readonly sign: (typeof AUTOMATIC_SIGNS)[number]
}
