import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyticsError } from './clickhouse/errors.ts'
import { toAssayError } from './log/kafka/errors.ts'
import { databaseError } from './postgres/errors.ts'
import { asAssayError } from './runtime/errors.ts'

/** Every viewer of a workspace reads what `diagnose` and the app's banner say of a store that is away. */

const HOST = 'db-7.internal.example'
const ADDRESS = '10.11.12.13'
const SAID = `Hostname/IP does not match certificate's altnames: Host: ${HOST}. is not in the cert's altnames: DNS:${HOST}`

/**
 * Codes of Node and OpenSSL (https://nodejs.org/api/tls.html#x509-certificate-error-codes), and of a connection that
 * fails.
 */
const CODES = [
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'CERT_CHAIN_TOO_LONG',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ECONNREFUSED',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]

test('a store that cannot be reached is told of without its host, whatever the driver says', () => {
  const told = new Set<string>()
  for (const code of CODES) {
    const error = Object.assign(new Error(`${SAID}, connect ${ADDRESS}:5432`), {
      code,
      hostname: HOST,
      address: ADDRESS,
    })
    for (const [store, translate] of Object.entries({ databaseError, analyticsError, toAssayError })) {
      const { publicMessage } = asAssayError(translate(error))
      assert.doesNotMatch(publicMessage, /internal|example|10\.11|5432|altnames/, `${store} ${code}`)
      if (translate === databaseError) told.add(publicMessage)
    }
    assert.equal(asAssayError(databaseError(error)).code, 'unavailable', code)
  }
  // An operator still learns which it is.
  assert.ok(told.size >= 7, [...told].join('\n'))
})
