import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Listening } from '../../infra/runtime/listen.ts'
import type { IngestSettings } from '../config.ts'
import type { ListenerPorts, SmtpSettings } from './listener.ts'

type Given = Pick<
  IngestSettings,
  'smtpHost' | 'smtpPort' | 'smtpTlsCert' | 'smtpTlsKey' | 'mailDomain' | 'stopTimeoutMs'
>

/**
 * The listener's settings; null when there is none. Rejects with `invalid_configuration` for settings that do not fit
 * together.
 */
const smtpSettings = async (given: Given): Promise<SmtpSettings | null> => {
  const { smtpHost: host, smtpPort: port, mailDomain: domain, stopTimeoutMs } = given
  if (port === null) return null
  if (domain === null) throw invalid('SMTP_PORT needs INGEST_MAIL_DOMAIN, the domain that mail is taken for.')
  return { host, port, domain, tls: await readTls(given), stopTimeoutMs }
}

const readTls = async ({ smtpTlsCert, smtpTlsKey }: Given): Promise<SmtpSettings['tls']> => {
  if (smtpTlsCert === null && smtpTlsKey === null) return null
  if (smtpTlsCert === null || smtpTlsKey === null) throw invalid('SMTP_TLS_CERT and SMTP_TLS_KEY go together.')
  try {
    const tls = { cert: await readFile(smtpTlsCert), key: await readFile(smtpTlsKey) }
    createSecureContext(tls)
    return tls
  } catch (cause) {
    throw invalid(
      'SMTP_TLS_CERT and SMTP_TLS_KEY must name files with a certificate and its private key, in PEM.',
      cause,
    )
  }
}

const invalid = (message: string, cause?: unknown): AssayError =>
  new AssayError('invalid_configuration', message, { cause })

interface SmtpPorts extends ListenerPorts {
  readonly settings: IngestSettings
}

/**
 * Starts the SMTP listener; null when none is configured. Rejects with `invalid_configuration`, or with `unavailable`
 * when the port is taken.
 */
export const startSmtp = async ({ settings, ...ports }: SmtpPorts): Promise<Listening | null> => {
  const wanted = await smtpSettings(settings)
  if (wanted === null) return null
  // Loaded only when needed.
  const { listen } = await import('./listener.ts')
  return listen(wanted, ports)
}
