import type { ConfigOf, ConfigSchema } from '../runtime/config.ts'
import { AssayError } from '../runtime/errors.ts'
import { optional, type Setting, text } from '../runtime/settings.ts'

/** A mail server and its connection. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (RFC 8314); otherwise STARTTLS, where the server offers it. */
  readonly implicitTls: boolean
  readonly login: { readonly user: string; readonly password: string } | null
}

export interface Sender {
  /** Empty when the setting has no name. */
  readonly name: string
  readonly address: string
}

export interface MailConnection {
  readonly server: SmtpServer
  readonly from: Sender
}

const DEFAULT_PORT = { 'smtp:': 587, 'smtps:': 465 } as const

/** Undefined for an incomplete URL, and for one with further parts. */
export const parseSmtpUrl = (value: string): SmtpServer | undefined => {
  if (!URL.canParse(value)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(value)
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return undefined
  if (hostname === '' || !/^\/?$/.test(pathname) || search !== '' || hash !== '') return undefined
  if ((username === '') !== (password === '')) return undefined
  const login = decodedLogin(username, password)
  if (login === undefined) return undefined
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? DEFAULT_PORT[protocol] : Number(port),
    implicitTls: protocol === 'smtps:',
    login,
  }
}

const decodedLogin = (user: string, password: string): SmtpServer['login'] | undefined => {
  if (user === '') return null
  try {
    return { user: decodeURIComponent(user), password: decodeURIComponent(password) }
  } catch {
    return undefined
  }
}

/** An address that needs no quoting in a header or envelope: no quotes, blanks or line ends. */
const MAIL_ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,189}$/u

const FROM = /^(?:"?([^"<>\p{Cc}]{0,120})"? ?<([^<>]+)>|([^<>]+))$/u

/** Parses `Name <address>` or an address alone. */
export const parseSender = (value: string): Sender | undefined => {
  const [, name = '', inBrackets, alone] = FROM.exec(value.trim()) ?? []
  const address = (inBrackets ?? alone ?? '').trim()
  return MAIL_ADDRESS.test(address) ? { name: name.trim(), address } : undefined
}

const smtpUrl: Setting<string> = {
  ...text({
    env: 'SMTP_URL',
    secret: true,
    doc: 'The mail server that takes what Assay sends: links for a forgotten password, invitations, and to confirm an address. smtps:// is TLS at once, smtp:// uses STARTTLS where it is offered and never gives a password without it, except on this machine. Unless set, nothing is sent, and people are given links to copy.',
  }),
  allowed:
    'smtp://host:587 or smtps://host:465, with user:password@ before the host where it asks for that, their special signs %-encoded, and nothing behind the port',
  parse: value => (parseSmtpUrl(value) === undefined ? undefined : value),
}

const mailFrom: Setting<string> = {
  ...text({
    env: 'MAIL_FROM',
    doc: 'Whom mails come from. Must be set with SMTP_URL; the mail server has to let this address send.',
  }),
  allowed: 'an address, such as assay@example.com, or a name with it, such as Assay <assay@example.com>',
  parse: value => (parseSender(value) === undefined ? undefined : value),
}

/** The settings of mail that the service sends. */
export const OUTGOING_MAIL_CONFIG = {
  smtpUrl: optional(smtpUrl),
  mailFrom: optional(mailFrom),
} satisfies ConfigSchema

/** Null: no mail is sent. Throws `invalid_configuration` when only one of the two is set. */
export const mailConnection = ({ smtpUrl, mailFrom }: ConfigOf<typeof OUTGOING_MAIL_CONFIG>): MailConnection | null => {
  if (smtpUrl === null) {
    if (mailFrom !== null) throw new AssayError('invalid_configuration', SERVER_MISSING)
    return null
  }
  const server = parseSmtpUrl(smtpUrl)
  const from = parseSender(mailFrom ?? '')
  if (server !== undefined && from !== undefined) return { server, from }
  // Both parsed before: only the sender can be missing.
  throw new AssayError('invalid_configuration', FROM_MISSING)
}

const SERVER_MISSING =
  'The configuration is not valid.\nMAIL_FROM is set and SMTP_URL is not: no mail would be sent. SMTP_URL names the mail server, such as smtps://user:password@smtp.example.com:465.'

const FROM_MISSING =
  'The configuration is not valid.\nSMTP_URL is set and MAIL_FROM is not. MAIL_FROM says whom mails come from, such as Assay <assay@example.com>.'
