import type { ConfigSchema } from '../../infra/runtime/config.ts'
import { optional, port, text } from '../../infra/runtime/settings.ts'

/** What the SMTP listener can be set to. */
export const SMTP_CONFIG = {
  smtpHost: text({
    env: 'SMTP_HOST',
    default: '127.0.0.1',
    doc: 'The address that the SMTP listener listens on; 0.0.0.0 for every one of this machine.',
  }),
  smtpPort: optional(
    port({
      env: 'SMTP_PORT',
      doc: 'The port of the SMTP listener, which takes mail for ingestion addresses: 25 where the MX record of INGEST_MAIL_DOMAIN leads. Unless set there is no listener.',
    }),
  ),
  smtpTlsCert: optional(
    text({
      env: 'SMTP_TLS_CERT',
      doc: 'A file with the certificate chain (PEM) that the listener offers STARTTLS with. Goes with SMTP_TLS_KEY; without them mail is taken unencrypted.',
    }),
  ),
  smtpTlsKey: optional(text({ env: 'SMTP_TLS_KEY', doc: 'A file with the private key (PEM) of SMTP_TLS_CERT.' })),
} satisfies ConfigSchema
