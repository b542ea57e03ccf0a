import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AssayError } from '../../runtime/errors.ts'
import { toAssayError } from './errors.ts'

/** What a broker answered, as kafkajs throws it. */
const answered = (type: string): Error => Object.assign(new Error('The broker said so.'), { type, retriable: false })

const named = (name: string, cause?: Error): Error =>
  Object.assign(new Error('No.', { cause }), { name, retriable: false })

test('What kafkajs throws has the code that callers act on, however deep the reason lies.', () => {
  const cases: [unknown, string, boolean][] = [
    [answered('UNKNOWN_TOPIC_OR_PARTITION'), 'not_found', false],
    [named('KafkaJSNonRetriableError', answered('MESSAGE_TOO_LARGE')), 'too_large', false],
    [new AggregateError([answered('TOPIC_AUTHORIZATION_FAILED')]), 'forbidden', false],
    [named('KafkaJSSASLAuthenticationError'), 'forbidden', false],
    [answered('ILLEGAL_SASL_STATE'), 'invalid_configuration', false],
    [answered('ILLEGAL_GENERATION'), 'partition_lost', true],
    [named('KafkaJSNumberOfRetriesExceeded', named('KafkaJSConnectionError')), 'unavailable', true],
    [answered('OUT_OF_ORDER_SEQUENCE_NUMBER'), 'unavailable', true],
    [new Error('Something else.'), 'internal', false],
    ['no error at all', 'internal', false],
  ]
  for (const [thrown, code, retriable] of cases) {
    const error = toAssayError(thrown)
    assert.deepEqual([error.code, error.retriable], [code, retriable])
    assert.equal(error.cause, thrown)
  }
})

test('What has words of this product already keeps them.', () => {
  const error = new AssayError('conflict', 'Once is enough.')
  assert.equal(toAssayError(error), error)
})
