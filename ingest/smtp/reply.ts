import type { SMTPServerError } from 'smtp-server'
import type { Refusal } from '../refusal.ts'

/**
 * A refusal in SMTP's words (RFC 5321 section 4.2): 4xx has the sending server keep the mail and try again, 5xx has it tell its author.
 */
const CODES: Readonly<Record<number, number>> = {
  401: 550,
  404: 550,
  413: 552,
  422: 554,
  429: 452,
  503: 451,
}
/** What nobody foresaw may pass: the mail is worth keeping. */
const UNFORESEEN = 451

export const smtpError = (code: number, message: string): SMTPServerError =>
  Object.assign(new Error(message), { responseCode: code })

export const smtpRefusal = ({ status, detail }: Pick<Refusal, 'status' | 'detail'>): SMTPServerError =>
  smtpError(CODES[status] ?? UNFORESEEN, detail)
