import type { ConfigOf, ConfigSchema } from '../infra/runtime/config.ts'
import { PROXY_CONFIG, serverConfig } from '../infra/runtime/program-config.ts'
import { duration, integer, optional, port, text } from '../infra/runtime/settings.ts'
import { VALKEY_CONFIG } from '../infra/valkey/config.ts'
import { MAIL_CONFIG } from '../model/sources/ingestion-address.ts'

/** The settings of the SMTP listener. */
const SMTP_CONFIG = {
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

const MEBIBYTE = 1024 * 1024

/** The settings of an edge. */
export const INGEST_CONFIG = {
  ...serverConfig(8080),
  ...PROXY_CONFIG,
  ...VALKEY_CONFIG,
  ...MAIL_CONFIG,
  emailIngestSecret: optional(
    text({
      env: 'EMAIL_INGEST_SECRET',
      secret: true,
      doc: 'What mail infrastructure proves itself with, in printable characters without spaces, when it posts mail to /api/webhooks/email-ingest. Unless it and INGEST_MAIL_DOMAIN are set, that path is answered 404.',
    }),
  ),
  ...SMTP_CONFIG,
  uwsBinary: optional(
    text({
      env: 'UWS_BINARY',
      doc: 'The absolute path of a binary of uWebSockets.js of your own build, instead of the packed one. Needs UWS_BINARY_SHA256; docs/operations/start.md says how to build it.',
    }),
  ),
  uwsBinarySha256: optional(
    text({
      env: 'UWS_BINARY_SHA256',
      doc: 'The SHA-256 of UWS_BINARY, in hex and lower case. A binary with another one is not loaded.',
    }),
  ),
  lingerMs: duration({
    env: 'INGEST_LINGER',
    default: 5,
    doc: 'How long an append waits for others to share the price of one acknowledgement.',
  }),
  maxBatchRecords: integer({
    env: 'INGEST_BATCH_RECORDS',
    default: 1000,
    min: 1,
    max: 100_000,
    doc: 'At most so many records an append.',
  }),
  maxBatchBytes: integer({
    env: 'INGEST_BATCH_BYTES',
    default: 900_000,
    min: 1_000,
    max: 100 * MEBIBYTE,
    doc: 'At most so many bytes an append, over all partitions. A broker takes 1 MiB for a partition unless it is set to take more.',
  }),
  maxRecordBytes: integer({
    env: 'INGEST_RECORD_BYTES',
    default: 900_000,
    min: 1_000,
    max: 100 * MEBIBYTE,
    doc: 'A signal that is larger as a record is refused with 413.',
  }),
  maxInFlightBytes: integer({
    env: 'INGEST_IN_FLIGHT_BYTES',
    default: 128 * MEBIBYTE,
    min: MEBIBYTE,
    max: 16_384 * MEBIBYTE,
    doc: 'Memory for bodies being read and records that are not durable yet; what does not fit is answered 503. The bodies and mails of one tenant have a quarter of what others leave of it, or room for the largest while that is half of it; so have the mails of one SMTP client. An eighth is for small bodies alone.',
  }),
  appendTimeoutMs: duration({
    env: 'INGEST_APPEND_TIMEOUT',
    default: 10_000,
    doc: 'A request whose record the log has not confirmed by then is answered 503.',
  }),
  bodyTimeoutMs: duration({
    env: 'INGEST_BODY_TIMEOUT',
    default: 30_000,
    doc: 'How long a body may take to arrive; one that takes longer, or comes at less than 16 KiB a second, is answered 408.',
  }),
  maxFailuresPerMinute: integer({
    env: 'INGEST_FAILURES_PER_MINUTE',
    default: 30,
    min: 1,
    max: 10_000,
    doc: 'Failed signatures of one address at one endpoint; when they are used up the address waits for the rest of the minute.',
  }),
  tenantBytesPerMinute: integer({
    env: 'INGEST_TENANT_BYTES_PER_MINUTE',
    default: 256 * MEBIBYTE,
    min: MEBIBYTE,
    max: 1024 * 1024 * MEBIBYTE,
    doc: 'Bytes of bodies that all endpoints of a tenant take in a minute, besides the documented limits of requests; a tenth of it at once; more is answered 429. Each edge counts by itself.',
  }),
  registryPollMs: duration({
    env: 'INGEST_REGISTRY_POLL',
    default: 2_000,
    doc: 'How often changed and deleted sources are asked for. Under 5s, or deletions are seen later than promised.',
  }),
  stopTimeoutMs: duration({
    env: 'INGEST_STOP_TIMEOUT',
    default: 10_000,
    doc: 'How long requests under way may take to finish when the edge stops.',
  }),
} satisfies ConfigSchema

export type IngestSettings = ConfigOf<typeof INGEST_CONFIG>
