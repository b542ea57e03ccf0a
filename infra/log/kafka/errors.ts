import { AssayError, causesOf, type ErrorCode, isAssayError } from '../../runtime/errors.ts'

/** By Kafka's error names (https://kafka.apache.org/protocol#protocol_error_codes) as kafkajs spells them. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  UNKNOWN_TOPIC_OR_PARTITION: 'not_found',
  MESSAGE_TOO_LARGE: 'too_large',
  RECORD_LIST_TOO_LARGE: 'too_large',
  INVALID_TOPIC_EXCEPTION: 'invalid_input',
  OFFSET_METADATA_TOO_LARGE: 'too_large',
  REQUEST_TIMED_OUT: 'timeout',
  ILLEGAL_GENERATION: 'partition_lost',
  UNKNOWN_MEMBER_ID: 'partition_lost',
  REBALANCE_IN_PROGRESS: 'partition_lost',
  TOPIC_AUTHORIZATION_FAILED: 'forbidden',
  GROUP_AUTHORIZATION_FAILED: 'forbidden',
  CLUSTER_AUTHORIZATION_FAILED: 'forbidden',
  SASL_AUTHENTICATION_FAILED: 'forbidden',
  UNSUPPORTED_SASL_MECHANISM: 'invalid_configuration',
  // The error of a broker that has no SASL.
  ILLEGAL_SASL_STATE: 'invalid_configuration',
  // The next attempt uses a new producer with new sequence numbers, and can succeed.
  OUT_OF_ORDER_SEQUENCE_NUMBER: 'unavailable',
  UNKNOWN_PRODUCER_ID: 'unavailable',
  INVALID_PRODUCER_EPOCH: 'unavailable',
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  not_found: 'The log has no such topic. Create it first.',
  too_large: 'The log takes no records or notes of this size. Send smaller ones.',
  invalid_input: 'The log does not take this name for a topic.',
  invalid_configuration:
    'The brokers do not take this way to sign in. Check the SASL mechanism, and whether they ask for one.',
  timeout: 'The log did not answer in time.',
  partition_lost: 'The partition is read by another member of the group by now.',
  forbidden: 'The log does not let this program do that. Check its user, password and access rights.',
  unavailable: 'The log cannot be reached.',
}

/** Kafka's error name; null when no broker gave one. */
export const kafkaErrorType = (error: unknown): string | null => {
  for (const { type } of causesOf(error)) if (typeof type === 'string') return type
  return null
}

const codeOf = (error: unknown): ErrorCode => {
  const known = CODES[kafkaErrorType(error) ?? '']
  if (known !== undefined) return known
  const chain = [...causesOf(error)]
  if (chain.some(({ name }) => name === 'KafkaJSSASLAuthenticationError')) return 'forbidden'
  if (chain.some(({ name }) => name === 'KafkaJSRequestTimeoutError')) return 'timeout'
  if (chain.some(({ name }) => UNREACHABLE.has(name))) return 'unavailable'
  return chain.some(({ retriable }) => retriable === true) ? 'unavailable' : 'internal'
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSBrokerNotFound',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSNumberOfRetriesExceeded',
])

/** Translates an error of kafkajs. */
export const toAssayError = (error: unknown): AssayError => {
  if (isAssayError(error)) return error
  const code = codeOf(error)
  return new AssayError(code, MESSAGES[code] ?? 'The log failed in a way nobody foresaw.', { cause: error })
}

/** Runs work and translates its errors. */
export const translated = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw toAssayError(error)
  }
}
