import { domain, optional } from '../../infra/runtime/settings.ts'

/** Shared by the edge, which takes the mail, and the query API, which shows where to send it. */
export const MAIL_CONFIG = {
  mailDomain: optional(
    domain({
      env: 'INGEST_MAIL_DOMAIN',
      doc: 'The domain of the ingestion addresses; its MX record leads to the SMTP listener. Unless set, the e-mail way in is off.',
    }),
  ),
}
