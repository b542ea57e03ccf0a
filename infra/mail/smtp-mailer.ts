import { getSystemErrorName } from 'node:util'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { AssayError, codeOf } from '../runtime/errors.ts'
import { memoizeSuccess } from '../runtime/promises.ts'
import type { MailConnection, SmtpServer } from './config.ts'
import type { Mailer } from './port.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1'])

/**
 * True when a password is sent over the network: then only over TLS, since an attacker in between could remove the
 * offer of STARTTLS and read the password.
 */
const mustEncrypt = ({ host, login }: SmtpServer): boolean => login !== null && !LOOPBACK.has(host)

const CONNECT_MS = 10_000
const SILENT_MS = 30_000

const optionsOf = (server: SmtpServer) => ({
  host: server.host,
  port: server.port,
  secure: server.implicitTls,
  requireTLS: !server.implicitTls && mustEncrypt(server),
  // A server on this machine has no certificate for its name.
  tls: { rejectUnauthorized: !LOOPBACK.has(server.host) },
  ...(server.login !== null && { auth: { user: server.login.user, pass: server.login.password } }),
  connectionTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: SILENT_MS,
  // The library must not read any part of a mail from a file or URL.
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** A connection for each mail, since an installation sends few. The library is loaded with the first mail. */
export const createSmtpMailer = ({ server, from }: MailConnection): Mailer => {
  const transport = memoizeSuccess(async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return createTransport(optionsOf(server))
  })
  const [, domain = 'localhost'] = from.address.split('@')
  return {
    send: async ({ id, to, subject, text }) => {
      const message: SendMailOptions = {
        from,
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        // Prevents automatic answers, such as out-of-office notes (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      }
      try {
        await (await transport()).sendMail(message)
      } catch (error) {
        throw mailError(error)
      }
    },
  }
}

/**
 * Commands whose permanent refusal (5yz, RFC 5321, 4.2.1) concerns this mail; other refusals concern every mail, and an
 * operator must act.
 */
const ABOUT_THIS_MAIL = new Set(['RCPT TO', 'DATA'])

const WHY: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server refuses the user or the password that it is given.',
  ETLS: 'No secure connection to the mail server: it offers none, or its certificate is not one that is trusted here.',
  EDNS: 'The mail server’s name is not known.',
  ENOTFOUND: 'The mail server’s name is not known.',
  ECONNREFUSED: 'Nobody takes connections at the mail server’s address.',
  ECONNECTION: 'The mail server cannot be reached.',
  ETIMEDOUT: 'The mail server does not answer in time.',
}

interface SmtpError {
  readonly responseCode?: unknown
  readonly command?: unknown
}

/** The error in our own words: a server's message quotes addresses. */
const mailError = (error: unknown): AssayError => {
  const { responseCode, command } = error as SmtpError
  const status = typeof responseCode === 'number' ? responseCode : null
  if (status !== null && status >= 500 && ABOUT_THIS_MAIL.has(String(command))) {
    return new AssayError('invalid_input', `The mail server refuses this mail or its address (${status}).`)
  }
  const code = reasonCode(error)
  const known = WHY[code]
  if (known !== undefined) return new AssayError('unavailable', known)
  if (status !== null) return new AssayError('unavailable', `The mail server refuses mail now (${status}).`)
  return new AssayError('unavailable', `The mail server cannot be reached (${code}).`)
}

/** The library's code for every failure of a socket is `ESOCKET`. */
const reasonCode = (error: unknown): string => {
  const code = String(codeOf(error))
  if (code !== 'ESOCKET' || !(error instanceof Error)) return code
  if (/certificate|SSL|TLS/i.test(error.message)) return 'ETLS'
  return 'errno' in error && typeof error.errno === 'number' ? getSystemErrorName(error.errno) : code
}
