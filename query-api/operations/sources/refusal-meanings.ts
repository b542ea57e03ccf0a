import { type Static, Type } from 'typebox'
import { ownText } from '../../../schemas/domain/strangers.ts'

/** Meaning of an edge's reason for the source's owner. */
export const RefusalMeaning = Type.Object({
  reason: ownText(),
  meaning: Type.String(),
  remedy: Type.String(),
})
type RefusalMeaning = Static<typeof RefusalMeaning>

const SECRET = 'Give the sender the source’s secret anew: rotate it, and the one before is accepted for 24 hours more.'
const SIGN = 'Compare with a request of service_connect mode test: headers, and a signature of the body byte for byte.'
const SENDER = 'Correct the sender: a request of service_connect mode test shows the right form.'
const BY_ITSELF = 'The sender only has to repeat, as Retry-After says. If it goes on, ask an operator.'
const OPERATOR = 'An operator looks at the edge and its log.'

/** By the names of reasons in `ingest/`; a test keeps both lists equal. */
const MEANINGS: Readonly<Record<string, readonly [meaning: string, remedy: string]>> = {
  source_paused: ['The source is paused.', 'service_connect mode update with paused false resumes it.'],
  signature_absent: ['A header that proves the request is missing.', SIGN],
  signature_malformed: ['The signature is not of the documented form.', SIGN],
  signature_differs: ['The signature is of another body, or by another secret.', `${SIGN} ${SECRET}`],
  timestamp_malformed: ['webhook-timestamp is not epoch seconds in digits.', SIGN],
  timestamp_outside: [
    'The request was signed more than 5 minutes before or after it came.',
    'Set the sender’s clock by NTP, and sign every attempt anew.',
  ],
  secret_absent: ['The Authorization header is missing.', SIGN],
  secret_malformed: ['The Authorization header is not "Bearer <secret>".', SIGN],
  secret_differs: ['The secret is not this source’s.', SECRET],
  too_many_failures: [
    'Too many requests of one sender had no valid proof: for a minute, all of them are refused unread.',
    `Correct what failed before. ${SIGN}`,
  ],
  rate_limited: [
    'More requests came in a minute than the endpoint takes.',
    'Have the sender wait as Retry-After says.',
  ],
  invalid_body: ['The body is JSON, but not of the documented shape; the answer names each place.', SENDER],
  invalid_json: ['The body is not JSON.', SENDER],
  invalid_encoding: ['The body is not UTF-8.', SENDER],
  invalid_key: ['The key that identifies the delivery is too long, or has other signs than allowed.', SENDER],
  content_type: ['The endpoint does not take this Content-Type.', SENDER],
  content_encoding: ['The body is compressed, which the endpoint does not take.', SENDER],
  charset: ['The body is in another charset than UTF-8.', SENDER],
  method: ['The request is no POST.', SENDER],
  event_absent: [
    'The header that names the code host’s event is missing.',
    'Have the code host itself send its webhook.',
  ],
  payload_absent: ['The form holds no payload.', 'Choose application/json in the code host’s webhook.'],
  body_too_large: ['The body is larger than the endpoint takes.', 'Send less in one request.'],
  record_too_large: [
    'What is kept of the request is too large for one record.',
    'Send less metadata, or a shorter text.',
  ],
  body_too_slow: ['The body did not come in time.', 'Look at the sender’s connection, and repeat.'],
  unclear_length: ['Where the body ends is not clear from the headers.', SENDER],
  mail_malformed: ['The mail cannot be read as a message.', 'Send it again from a mail program.'],
  mail_too_complex: ['The mail has too many or too deep parts.', 'Send its text by itself.'],
  mail_without_text: ['The mail has neither subject nor text; attachments are not kept.', 'Write what it is about.'],
  aborted: [
    'The sender closed the connection before it got an answer.',
    'Give the sender a longer timeout, and have it repeat.',
  ],
  too_many_bytes: [
    'The workspace had sent more bytes within a minute than one workspace may.',
    'Send less, or more slowly. The operator raises it with INGEST_TENANT_BYTES_PER_MINUTE.',
  ],
  overloaded: ['More requests came at once than can be received.', BY_ITSELF],
  log_unavailable: ['The log did not take what was sent.', BY_ITSELF],
  registry_unavailable: ['It could not be found out if the source exists.', BY_ITSELF],
  stopping: ['The program that receives was about to stop.', BY_ITSELF],
  secret_unreadable: ['The source’s secret was sealed with another installation key.', `${OPERATOR} Or rotate it.`],
  settings_unreadable: [
    'The connection’s settings cannot be read.',
    'Write them anew with service_connect mode update.',
  ],
  internal: ['An unexpected error happened while receiving.', OPERATOR],
}

const UNKNOWN = ['The edge did not take the request; its answer to the sender says why.', SENDER] as const

export const meaningOf = (reason: string): RefusalMeaning => {
  const [meaning, remedy] = Object.hasOwn(MEANINGS, reason) ? (MEANINGS[reason] ?? UNKNOWN) : UNKNOWN
  return { reason, meaning, remedy }
}

/** Reasons with an explanation. */
export const REFUSAL_REASONS: readonly string[] = Object.keys(MEANINGS)
